#include "core/job.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/unit/core/refusal.h"

namespace medley {
namespace {

Job valid_job() { return Job{.id = "7", .model = Name("resnet50"), .gpus = 4, .batch_size = 256, .steps = 1000}; }

Job with_fraction(double fraction) {
    Job job = valid_job();
    JobExtras extras;
    extras.gpu_fraction = fraction;
    job.extras = std::make_shared<const JobExtras>(extras);
    return job;
}

TEST(Job, AcceptsStepsOrADuration) {
    EXPECT_EQ(refusal([] { valid_job().validate(); }), "");
    EXPECT_EQ(refusal([] { Job{.id = "a", .duration = Seconds{60}}.validate(); }), "");
}

TEST(Job, MayTakeAWholePool) {
    Job job = valid_job();
    EXPECT_FALSE(job.whole_pool());
    job.gpus = kWholePool;
    EXPECT_TRUE(job.whole_pool());
    EXPECT_EQ(refusal([&] { job.validate(); }), "");
}

TEST(Job, IsAllowedOnAnyTypeUnlessItSaysOtherwise) {
    Job job = valid_job();
    EXPECT_TRUE(job.allowed_types().empty());
    JobExtras extras;
    extras.gpu_types = {Name("V100")};
    job.extras = std::make_shared<const JobExtras>(extras);
    EXPECT_EQ(job.allowed_types(), std::vector<Name>{Name("V100")});
}

TEST(Job, TakesAFractionOfAGpuAboveZeroUpToOne) {
    EXPECT_EQ(refusal([] { with_fraction(0.5).validate(); }), "");
    EXPECT_EQ(refusal([] { with_fraction(1).validate(); }), "");
    EXPECT_EQ(refusal([] { with_fraction(0).validate(); }), "gpu_fraction: found '0', expected a number above 0 and at most 1");
    EXPECT_EQ(refusal([] { with_fraction(1.5).validate(); }), "gpu_fraction: found '1.5', expected a number above 0 and at most 1");
}

TEST(Job, RefusesEachWrongValueByColumnValueAndExpectation) {
    const std::vector<Spoiled<Job>> cases = {
        {[](Job& j) { j.id.clear(); }, "job_id: expected a name or number"},
        {[](Job& j) { j.submit = SimTime{-1'500'000'000}; }, "submit_s: found '-1.5', expected a number of at least 0"},
        {[](Job& j) { j.gpus = -1; }, "gpus: found '-1', expected a whole number of at least 1, or pool"},
        {[](Job& j) { j.gpus = 100'000'001; }, "gpus: found '100000001', expected a whole number of at least 1, or pool"},
        {[](Job& j) { j.min_gpus = 5; }, "min_gpus: found '5', expected a whole number from 1 to gpus"},
        {[](Job& j) { j.min_gpus = -1; }, "min_gpus: found '-1', expected a whole number from 1 to gpus"},
        {[](Job& j) { j.max_gpus = 3; }, "max_gpus: found '3', expected a whole number of at least gpus"},
        {[](Job& j) { j.max_gpus = -1; }, "max_gpus: found '-1', expected a whole number of at least gpus"},
        {[](Job& j) { j.batch_size = -1; }, "batch_size: found '-1', expected a whole number of at least 1"},
        {[](Job& j) { j.steps = -1; }, "steps: found '-1', expected a whole number of at least 1"},
        {[](Job& j) { j.duration = Seconds{-1}; }, "duration_s: found '-1', expected a number of at least 0"},
        {[](Job& j) { j.duration = Seconds{std::nan("")}; }, "duration_s: found 'nan', expected a number of at least 0"},
        {[](Job& j) { j.steps = 0; }, "duration_s: expected a duration above 0, or steps"},
        {[](Job& j) { j.model = Name(); }, "steps: found '1000', expected model and batch_size beside steps"},
        {[](Job& j) { j.batch_size = 0; }, "steps: found '1000', expected model and batch_size beside steps"},
        {[](Job& j) { j.priority = HUGE_VAL; }, "priority: found 'inf', expected a finite number"},
        {[](Job& j) { j.weight = 0; }, "weight: found '0', expected a finite number above 0"},
        {[](Job& j) { j.weight = HUGE_VAL; }, "weight: found 'inf', expected a finite number above 0"},
        {[](Job& j) { j.deadline = Seconds{0}; }, "deadline_s: found '0', expected a number above 0"},
        {[](Job& j) { j.walltime = Seconds{-5}; }, "walltime_s: found '-5', expected a number above 0"},
    };
    for (const auto& [spoil, expected] : cases) {
        Job job = valid_job();
        spoil(job);
        EXPECT_EQ(refusal([&] { job.validate(); }), expected);
    }
}

}  // namespace
}  // namespace medley
