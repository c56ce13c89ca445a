#include "sched/dependencies.h"

#include <gtest/gtest.h>

namespace medley {
namespace {

Job job(const std::string& id, std::vector<std::string> needs) {
    Job made;
    made.id = id;
    if (!needs.empty()) { made.extras = std::make_shared<const JobExtras>(JobExtras{.depends_on = std::move(needs)}); }
    return made;
}

const auto kNothingDone = [](JobId) { return false; };

TEST(Dependencies, AJobWithoutAnyMayRunAtOnce) {
    const std::vector<Job> jobs{job("a", {})};
    Dependencies dependencies(jobs);
    EXPECT_TRUE(dependencies.submit(JobId(std::size_t{0}), kNothingDone));
}

TEST(Dependencies, AJobIsFreeOnceAllItNeedsHaveEnded) {
    const std::vector<Job> jobs{job("a", {}), job("b", {}), job("c", {"a", "b"})};
    Dependencies dependencies(jobs);
    const JobId a{std::size_t{0}};
    const JobId b{std::size_t{1}};
    const JobId c{std::size_t{2}};
    EXPECT_FALSE(dependencies.submit(c, kNothingDone));
    EXPECT_EQ(dependencies.held_back(), 1U);
    EXPECT_TRUE(dependencies.release(a).empty());
    EXPECT_EQ(dependencies.release(b), std::vector<JobId>{c});
    EXPECT_EQ(dependencies.held_back(), 0U);
}

TEST(Dependencies, WhatHasEndedBeforeDoesNotHoldAnyoneBack) {
    const std::vector<Job> jobs{job("a", {}), job("b", {"a"})};
    Dependencies dependencies(jobs);
    EXPECT_TRUE(dependencies.submit(JobId(std::size_t{1}), [](JobId) { return true; }));
}

TEST(Dependencies, WhatNeedsARejectedJobIsHopelessAndHeldBackNoMore) {
    const std::vector<Job> jobs{job("a", {}), job("b", {"a"}), job("c", {"a"})};
    Dependencies dependencies(jobs);
    const JobId a{std::size_t{0}};
    EXPECT_FALSE(dependencies.submit(JobId(std::size_t{1}), kNothingDone));
    EXPECT_FALSE(dependencies.hopeless(JobId(std::size_t{1})));
    EXPECT_EQ(dependencies.reject(a), std::vector<JobId>{JobId(std::size_t{1})});
    EXPECT_EQ(dependencies.held_back(), 0U);
    EXPECT_TRUE(dependencies.hopeless(JobId(std::size_t{2})));
}

TEST(Dependencies, AForgottenJobIsNotReleased) {
    const std::vector<Job> jobs{job("a", {}), job("b", {"a"})};
    Dependencies dependencies(jobs);
    EXPECT_FALSE(dependencies.submit(JobId(std::size_t{1}), kNothingDone));
    dependencies.forget(JobId(std::size_t{1}));
    EXPECT_TRUE(dependencies.release(JobId(std::size_t{0})).empty());
}

}  // namespace
}  // namespace medley
