// E6 of VirtualFlow's evaluation: over devices of unequal speed an uneven plan beats the even split, and takes what the planner predicts.
// Emulated devices, whose times are those of the profile that the planner is given.

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "planner/virtual_nodes/planner.h"
#include "sched/statistics.h"
#include "tests/bench/executor/bench_run.h"
#include "tests/support/paired_benchmark.h"

namespace medley::test {
namespace {

using namespace medley::executor;

constexpr std::int64_t kBatch = 64;
constexpr Step kSteps = 14;
constexpr Step kWarmUp = 3;
constexpr int kRounds = 3;  // (kSteps - kWarmUp) pairs each

struct Fleet {
    int fast = 0;
    int slow = 0;
    double ratio = 1;  ///< of their speeds
};

/// Virtual nodes of 1 to 64 samples; small ones cost more a sample, as on real devices.
Profile profile_of(double ratio) {
    Profile profile{.model = Name("emulated"), .gradient = Bytes{8192}, .state = Bytes{8192}};
    for (const auto& [type, factor] : {std::pair("fast", 1.0), std::pair("slow", ratio)}) {
        for (std::int64_t size = 1; size <= kBatch; size *= 2) {
            const double seconds = factor * 2e-3 * (static_cast<double>(size) + 0.5);
            profile.gpus[Name(type)].points.push_back({.batch = Samples{size}, .seconds = Seconds{seconds}, .memory = {}});
        }
    }
    return profile;
}

EmulatedModel model_of(const Profile& profile) {
    EmulatedModel model{.profile = "emulated", .seconds = {}};
    for (const auto& [type, gpu] : profile.gpus) {
        model.seconds.emplace_back(type.text(), std::vector<std::pair<std::int64_t, double>>());
        for (const ProfilePoint& point : gpu.points) { model.seconds.back().second.emplace_back(point.batch.value, point.seconds.value); }
    }
    return model;
}

/// A run of this plan; its virtual nodes stand in the order of their places.
BenchRun run_of(const Plan& plan, const Profile& profile) {
    BenchRun run;
    run.setup.job = {.name = "uneven", .model = model_of(profile), .data = SyntheticData{.samples = 16 * kBatch}, .steps = kSteps};
    for (const ReplicaGroup& group : plan.groups) {
        for (int replica = 0; replica < group.replicas; ++replica) {
            Place place{.device = "emulated", .gpu_type = group.gpu_type.text()};
            for (const Samples size : group.virtual_nodes) {
                place.virtual_nodes.push_back(static_cast<VirtualNode>(run.setup.virtual_nodes.size()));
                run.setup.virtual_nodes.push_back(size.value);
            }
            run.placement.places.push_back(std::move(place));
        }
    }
    return run;
}

std::vector<double> measured_steps(const Plan& plan, const Profile& profile) {
    std::vector<double> seconds;
    Step last = kWarmUp;
    carry_out(run_of(plan, profile), [&](const Record& record, double) {
        const auto* done = std::get_if<SteppedRecord>(&record);
        if (done == nullptr || done->stepped.step <= last) { return; }
        last = done->stepped.step;
        seconds.push_back(seconds_of(done->stepped.times));
    });
    return seconds;
}

Plan plan_of(const std::vector<ReplicaGroup>& groups, std::int64_t batch) {
    return {.model = Name("emulated"), .global_batch = Samples{batch}, .groups = groups};
}

/// What a step takes beyond its virtual nodes: one sample on each device, less the slowest one's time (VirtualFlow, section 3).
double communication_s(const Fleet& fleet, const Profile& profile) {
    const Plan plan = plan_of({{.gpu_type = Name("fast"), .replicas = fleet.fast, .virtual_nodes = {Samples{1}}},
                               {.gpu_type = Name("slow"), .replicas = fleet.slow, .virtual_nodes = {Samples{1}}}},
                              fleet.fast + fleet.slow);
    std::vector<double> seconds = measured_steps(plan, profile);
    return std::max(0.0, *percentile(seconds, 50) - profile.find(Name("slow"))->points.front().seconds.value);
}

Plan even_plan(const Fleet& fleet) {
    const Samples share{kBatch / (fleet.fast + fleet.slow)};
    return plan_of({{.gpu_type = Name("fast"), .replicas = fleet.fast, .virtual_nodes = {share}},
                    {.gpu_type = Name("slow"), .replicas = fleet.slow, .virtual_nodes = {share}}},
                   kBatch);
}

planner::PlannedJob best_plan_of(const Fleet& fleet, const Profile& profile, double communication_s) {
    const planner::PlanOutcome outcome = planner::best_plan(
        {.profile = &profile,
         .offered = {{.type = {.name = Name("fast")}, .gpus = fleet.fast}, {.type = {.name = Name("slow")}, .gpus = fleet.slow}},
         .global_batch = Samples{kBatch},
         .communication = Communication::fixed(Seconds{communication_s})});
    MEDLEY_ASSERT(outcome.feasible());
    return *outcome.best;
}

std::string words_of(const Plan& plan) {
    std::vector<std::string> words;
    for (const ReplicaGroup& group : plan.groups) {
        words.push_back(fmt::format("{} {} x {}", group.replicas, group.gpu_type.text(), group.batch_per_replica().value));
    }
    return fmt::format("{}", fmt::join(words, " + "));
}

void measure(const Fleet& fleet) {
    const Profile profile = profile_of(fleet.ratio);
    const planner::PlannedJob best = best_plan_of(fleet, profile, communication_s(fleet, profile));
    const Plan even = even_plan(fleet);
    std::vector<double> uneven_s;
    std::vector<double> even_s;
    std::vector<double> predicted_s;
    for (int round = 0; round < kRounds; ++round) {
        for (const double seconds : measured_steps(best.plan, profile)) { uneven_s.push_back(seconds); }
        for (const double seconds : measured_steps(even, profile)) { even_s.push_back(seconds); }
    }
    const std::size_t pairs = std::min(uneven_s.size(), even_s.size());
    uneven_s.resize(pairs);
    even_s.resize(pairs);
    predicted_s.assign(pairs, best.cost.step.value);
    const PairedResult prediction = compare_pairs(uneven_s, predicted_s);
    const PairedResult gain = compare_pairs(even_s, uneven_s);
    fmt::print(
        "{} fast, {} slow, {}:1 ({}): {:.1f} ms a step, predicted {:.1f} (ratio {:.3f} [{:.3f}, {:.3f}]); even split {:.1f} ms, {:.2f} "
        "[{:.2f}, {:.2f}] times as long; {} pairs\n",
        fleet.fast, fleet.slow, fleet.ratio, words_of(best.plan), 1e3 * prediction.first_s, 1e3 * prediction.second_s, prediction.ratio,
        prediction.low, prediction.high, 1e3 * gain.first_s, gain.ratio, gain.low, gain.high, gain.pairs);
    std::fflush(stdout);
}

}  // namespace

void measure_uneven() {
    for (const Fleet& fleet : {Fleet{1, 1, 4}, Fleet{1, 1, 2}, Fleet{1, 3, 4}, Fleet{2, 2, 4}}) { measure(fleet); }
}

}  // namespace medley::test
