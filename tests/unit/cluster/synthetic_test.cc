#include "simulator/cluster/synthetic.h"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "core/error.h"

namespace medley::simulator {
namespace {

TEST(SyntheticTrace, IsValidOrderedAndTheSameForTheSameSeed) {
    const Trace once = generate({.jobs = 500, .seed = 4});
    const Trace again = generate({.jobs = 500, .seed = 4});
    const Trace other = generate({.jobs = 500, .seed = 5});
    once.validate();
    int different = 0;
    for (std::size_t index = 0; index < once.jobs.size(); ++index) {
        EXPECT_EQ(once.jobs[index].id, std::to_string(index));
        EXPECT_EQ(once.jobs[index].submit, again.jobs[index].submit);
        EXPECT_EQ(once.jobs[index].duration, again.jobs[index].duration);
        different += once.jobs[index].duration != other.jobs[index].duration;
    }
    EXPECT_EQ(different, 500);
}

TEST(SyntheticTrace, HasTheStatedRateGangsAndDurations) {
    const SyntheticOptions options{.jobs = 40'000, .jobs_per_hour = 120, .shortest = Seconds{10}, .longest = Seconds{1000}};
    const Trace trace = generate(options);
    const double n = static_cast<double>(options.jobs);
    EXPECT_NEAR(to_seconds(trace.jobs.back().submit).value / n, 30, 4 * 30 / std::sqrt(n));
    std::map<int, double> gangs;
    double log_mean = 0;
    for (const Job& job : trace.jobs) {
        gangs[job.gpus] += 1 / n;
        log_mean += std::log10(job.duration.value) / n;
        EXPECT_GE(job.duration.value, 10);
        EXPECT_LE(job.duration.value, 1000);
    }
    EXPECT_NEAR(log_mean, 2, 0.02);  // log-uniform on [10, 1000]: half way between 1 and 3
    EXPECT_NEAR(gangs[1], 0.70, 0.01);
    EXPECT_NEAR(gangs[2], 0.10, 0.01);
    EXPECT_NEAR(gangs[4], 0.15, 0.01);
    EXPECT_NEAR(gangs[8], 0.05, 0.01);
}

TEST(SyntheticTrace, ChangingOnePropertyLeavesTheOthers) {
    const Trace slow = generate({.jobs = 100, .jobs_per_hour = 10});
    const Trace fast = generate({.jobs = 100, .jobs_per_hour = 1000, .models = {Name("a"), Name("b")}});
    for (std::size_t index = 0; index < 100; ++index) {
        EXPECT_EQ(slow.jobs[index].gpus, fast.jobs[index].gpus);
        EXPECT_EQ(slow.jobs[index].duration, fast.jobs[index].duration);
    }
}

// Mean gang 0.7 + 0.2 + 0.6 + 0.4 = 1.9; mean duration of log-uniform [1, e] = (e - 1) / 1.
TEST(SyntheticTrace, RateForALoadIsDemandOverCapacity) {
    const SyntheticOptions options{.shortest = Seconds{1}, .longest = Seconds{std::exp(1)}};
    EXPECT_NEAR(jobs_per_hour_for_load(options, 0.5, 100), 0.5 * 100 * 3600 / (1.9 * (std::exp(1) - 1)), 1e-6);
}

TEST(SyntheticTrace, RefusesWhatMakesNoSense) {
    EXPECT_THROW(generate({.jobs = 0}), Error);
    EXPECT_THROW(generate({.jobs_per_hour = -1}), Error);
    EXPECT_THROW(generate({.gangs = {{0, 1}}}), Error);
    EXPECT_THROW(generate({.gangs = {}}), Error);
    EXPECT_THROW(generate({.shortest = Seconds{5}, .longest = Seconds{4}}), Error);
    EXPECT_THROW(generate({.high_priority_fraction = 1.5}), Error);
}

TEST(SyntheticTrace, ARateOfZeroMeansAllAtOnce) { EXPECT_EQ(generate({.jobs = 10, .jobs_per_hour = 0}).jobs.back().submit, SimTime{0}); }

}  // namespace
}  // namespace medley::simulator
