// VirtualFlow's elastic experiments on one server of V100s: measured durations less 75 s of start-up, which the simulator charges;
// growing a job takes 60 s; a job on n of its d GPUs runs at (n/d)^exponent (0.8 ResNet, 0.3 BERT, 0.5 Transformer).
//
// Figures: an independent simulation of the same rules, and the authors' real runs in brackets. Medians are upper medians.

#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "shipped_run.h"
#include "tests/support/log_checker.h"

namespace medley::test {
namespace {

const ShippedInput kTwentyJobs{.trace = "virtualflow-elastic-20.csv", .cluster = "8xV100.yaml", .profiles = "virtualflow-elastic"};
const ShippedInput kThreeJobs{.trace = "virtualflow-elastic-3.csv", .cluster = "4xV100.yaml", .profiles = "virtualflow-elastic"};

simulator::SimulationOptions as_measured() {
    simulator::SimulationOptions options;
    options.scheduler.costs = {.startup = Seconds{75}, .restart = Seconds{75}, .resize = Seconds{60}};
    return options;
}

TEST(VirtualflowElastic, PriorityTakesAsLongAsItDid) {
    const SimulatedRun run = run_shipped(kTwentyJobs, "priority", as_measured());
    EXPECT_NEAR(mean_jct_s(run), 3969, 0.02 * 3969);            // (4005)
    EXPECT_NEAR(upper_median_jct_s(run), 2652, 0.02 * 2652);    // (2688)
    EXPECT_NEAR(last_finish_s(run), 11853, 0.02 * 11853);       // (11929)
    EXPECT_NEAR(run.summary.utilization.value(), 0.716, 0.01);  // (0.711)
    EXPECT_EQ(run.summary.resizes + run.summary.preemptions, 0U);
}

TEST(VirtualflowElastic, FairSharingHalvesTheMedianAndTheMakespan) {
    const SimulatedRun priority = run_shipped(kTwentyJobs, "priority", as_measured());
    const SimulatedRun shared = run_shipped(kTwentyJobs, "wfs", as_measured());
    EXPECT_NEAR(upper_median_jct_s(shared), 1394, 0.05 * 1394);  // (1408)
    EXPECT_NEAR(last_finish_s(shared), 6426, 0.05 * 6426);       // (6494)
    EXPECT_LE(upper_median_queueing_s(shared), 15);              // (12.8)
    const double median = 100 * reduction(upper_median_jct_s(priority), upper_median_jct_s(shared));
    const double makespan = 100 * reduction(last_finish_s(priority), last_finish_s(shared));
    EXPECT_GE(median, 45);
    EXPECT_LE(median, 50);
    EXPECT_GE(makespan, 43);
    EXPECT_LE(makespan, 48);
}

TEST(VirtualflowElastic, WithLinearScalingTheMedianGainsLittle) {
    std::vector<Profile> linear = shipped_profiles(kTwentyJobs.profiles);
    for (Profile& profile : linear) { profile.scaling_exponent = 1; }
    const SimulatedRun priority = run_shipped(kTwentyJobs, "priority", as_measured());
    const SimulatedRun shared = run_shipped(kTwentyJobs, linear, "wfs", as_measured());
    const double median = 100 * reduction(upper_median_jct_s(priority), upper_median_jct_s(shared));
    const double makespan = 100 * reduction(last_finish_s(priority), last_finish_s(shared));
    std::printf("linear scaling: median %.0f s (reference 2561), makespan %.0f s (8327); gains %.1f %% (3) and %.1f %% (30)\n",
                upper_median_jct_s(shared), last_finish_s(shared), median, makespan);
    EXPECT_LT(median, 15);
    EXPECT_GT(makespan, 25);
}

/// What every job holds after each moment at which someone's holdings changed: "2,2" = the first two jobs hold 2 each.
std::vector<std::string> allocation_sequence(const std::string& events, std::size_t jobs) {
    std::vector<std::string> sequence;
    std::map<std::string, int> held;
    std::istringstream lines(events);
    std::int64_t time = -1;
    const auto note = [&] {
        std::string text;
        for (std::size_t job = 0; job < jobs; ++job) { text += (job > 0 ? "," : "") + std::to_string(held[std::to_string(job)]); }
        if (sequence.empty() || sequence.back() != text) { sequence.push_back(text); }
    };
    for (std::string line; std::getline(lines, line);) {
        const auto record = nlohmann::json::parse(line);
        if (record["t_ns"] != time) { note(); }
        time = record["t_ns"];
        if (record["record"] == "finish") { held[record["job"]] = 0; }
        if (record["record"] == "launch" || record["record"] == "resize") { held[record["job"]] = record["gpus"]["V100"]; }
    }
    return sequence;
}

TEST(VirtualflowElastic, ThreeJobsShareFourGpusAsInTheRealRun) {
    const SimulatedRun run = run_shipped(kThreeJobs, "wfs", as_measured());
    const std::vector<std::string> expected{"0,0,0", "4,0,0", "2,2,0", "1,1,2", "0,2,2", "0,0,4", "0,0,0"};
    std::vector<std::string> sequence = allocation_sequence(run.events, 3);
    sequence.push_back("0,0,0");
    EXPECT_EQ(sequence, expected);
    std::printf("3 jobs: mean JCT %.0f s (real run 2409), makespan %.0f s (4362)\n", mean_jct_s(run), last_finish_s(run));
}

TEST(VirtualflowElastic, TheSameRunWritesTheSameBytesAndConservesWork) {
    const SimulatedRun once = run_shipped(kTwentyJobs, "wfs", as_measured());
    EXPECT_EQ(once.events, run_shipped(kTwentyJobs, "wfs", as_measured()).events);
    EXPECT_TRUE(check_log_text(once.events).clean());
}

}  // namespace
}  // namespace medley::test
