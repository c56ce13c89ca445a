#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "core/job.h"
#include "core/rng.h"
#include "tests/unit/core/refusal.h"

namespace medley {
namespace {

Job job(std::string id, std::int64_t submit_s = 0, std::vector<std::string> depends_on = {}) {
    Job made{.id = std::move(id), .submit = to_sim_time(Seconds{static_cast<double>(submit_s)}), .duration = Seconds{60}};
    if (!depends_on.empty()) {
        JobExtras extras;
        extras.depends_on = std::move(depends_on);
        made.extras = std::make_shared<const JobExtras>(extras);
    }
    return made;
}

std::vector<std::string> ids(const Trace& trace) {
    std::vector<std::string> all;
    for (const Job& each : trace.jobs) { all.push_back(each.id); }
    return all;
}

TEST(NaturalOrder, ComparesRunsOfDigitsAsNumbers) {
    EXPECT_TRUE(natural_less("9", "10"));
    EXPECT_TRUE(natural_less("job9", "job10"));
    EXPECT_TRUE(natural_less("job10a", "job10b"));
    EXPECT_TRUE(natural_less("a2b9", "a2b10"));
    EXPECT_FALSE(natural_less("job10", "job9"));
    EXPECT_TRUE(natural_less("job", "job1"));
    EXPECT_TRUE(natural_less("", "a"));
}

TEST(NaturalOrder, TakesNumbersOfAnyLength) { EXPECT_TRUE(natural_less("99999999999999999999998", "99999999999999999999999")); }

TEST(NaturalOrder, TellsEqualNumbersWrittenDifferentlyApart) {
    EXPECT_TRUE(natural_less("01", "1") != natural_less("1", "01"));
    EXPECT_FALSE(natural_less("01", "01"));
    EXPECT_TRUE(natural_less("00", "1"));
    EXPECT_TRUE(natural_less("007", "8"));
}

TEST(NaturalOrder, ComparesOtherBytesAsUnsigned) { EXPECT_TRUE(natural_less("z", "\xc3\xa4")); }

TEST(NaturalOrder, IsAStrictWeakOrderOnRandomIds) {
    Rng rng(1);
    std::vector<std::string> texts;
    for (int count = 0; count < 60; ++count) {
        std::string text;
        for (std::uint64_t length = rng.below(5); length > 0; --length) { text += "01a9"[rng.below(4)]; }
        texts.push_back(text);
    }
    for (const auto& a : texts) {
        EXPECT_FALSE(natural_less(a, a));
        for (const auto& b : texts) {
            EXPECT_EQ(natural_less(a, b) || natural_less(b, a), a != b) << a << ' ' << b;
            for (const auto& c : texts) {
                ASSERT_TRUE(!(natural_less(a, b) && natural_less(b, c)) || natural_less(a, c)) << a << ' ' << b << ' ' << c;
            }
        }
    }
}

TEST(Trace, OrdersJobsBySubmissionThenId) {
    Trace trace{.jobs = {job("10", 5), job("9", 5), job("2", 7), job("30", 1)}};
    trace.order_jobs();
    EXPECT_EQ(ids(trace), (std::vector<std::string>{"30", "9", "10", "2"}));
}

TEST(Trace, OrderDoesNotDependOnTheOrderOfTheRows) {
    Trace ordered;
    for (int number = 0; number < 100; ++number) { ordered.jobs.push_back(job("job" + std::to_string(number), number / 7)); }
    ordered.order_jobs();
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Trace shuffled = ordered;
        Rng rng(seed);
        rng.shuffle(std::span<Job>(shuffled.jobs));
        shuffled.order_jobs();
        EXPECT_EQ(ids(shuffled), ids(ordered)) << seed;
    }
}

TEST(Trace, ValidatesItsJobs) {
    Trace trace{.jobs = {job("a"), job("b")}};
    EXPECT_EQ(refusal([&] { trace.validate(); }), "");
    trace.jobs[1].weight = -1;
    EXPECT_EQ(refusal([&] { trace.validate(); }), "weight: found '-1', expected a finite number above 0");
}

TEST(Trace, RefusesTheSameIdTwice) {
    EXPECT_EQ(refusal([] { Trace{.jobs = {job("a"), job("b"), job("a")}}.validate(); }), "job_id: found 'a', expected each id once");
}

TEST(Trace, AcceptsDependenciesThatCanBeMet) {
    EXPECT_EQ(refusal([] { Trace{.jobs = {job("c", 0, {"a", "b"}), job("b", 0, {"a"}), job("a")}}.validate(); }), "");
}

TEST(Trace, RefusesDependenciesThatDoNotExist) {
    EXPECT_EQ(refusal([] { Trace{.jobs = {job("a", 0, {"z"})}}.validate(); }),
              "job a, depends_on: found 'z', expected the id of a job in the trace");
}

TEST(Trace, RefusesCirclesOfDependencies) {
    EXPECT_EQ(refusal([] { Trace{.jobs = {job("a", 0, {"a"})}}.validate(); }),
              "job a, depends_on: found 'a', expected no circle of dependencies");
    EXPECT_EQ(refusal([] {
                  Trace{.jobs = {job("x"), job("a", 0, {"c"}), job("b", 0, {"a"}), job("c", 0, {"b"})}}.validate();
              }),
              "job a, depends_on: found 'c', expected no circle of dependencies");
}

}  // namespace
}  // namespace medley
