// What must hold for every policy, on random clusters, traces and mishaps. Conservation of work is asserted by the simulator in
// every run, and verified once more from the log by a reader that shares no code with it.

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iterator>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/rng.h"
#include "inspected_policy.h"
#include "planner/policies/policy_table.h"
#include "random_scenario.h"
#include "tests/support/log_checker.h"
#include "tests/support/simulated_run.h"
#include "tests/support/toy_cluster.h"

namespace medley::test {
namespace {

struct Subject {
    std::string spec;
    Promises promises;
};

void PrintTo(const Subject& subject, std::ostream* out) { *out << subject.spec; }

/// Specs with promises. A policy that is not named here is tested for what every policy must keep.
const Subject kPromising[] = {
    {"fifo", {.never_stops = true}},
    {"sjf", {.never_stops = true}},
    {"sjf:backfill=true", {.work_conserving = true, .never_stops = true}},
    {"srtf", {.work_conserving = true}},
    {"priority", {.never_stops = true}},
    {"priority:preempt=true", {}},
    {"easy-backfill", {.never_stops = true}},
    {"conservative-backfill", {.never_stops = true}},
    {"slurm-multifactor", {.never_stops = true}},
    {"slurm-multifactor:backfill=false", {.never_stops = true}},
    {"kueue", {.work_conserving = true, .never_stops = true}},
    {"isolated", {.work_conserving = true}},
    {"max-min", {.work_conserving = true}},
    {"max-min-het", {.work_conserving = true}},
    {"virtualflow", {.work_conserving = true}},
    {"virtualflow:mixed=false", {.work_conserving = true}},
};

std::vector<Subject> subjects() {
    std::vector<Subject> all(std::begin(kPromising), std::end(kPromising));
    for (const planner::PolicyInfo& info : planner::known_policies()) {
        const auto same = [&](const Subject& subject) { return subject.spec == info.name; };
        if (std::none_of(all.begin(), all.end(), same)) { all.push_back({std::string(info.name), {.rigid = false}}); }
    }
    return all;
}

std::uint64_t seeds() { return std::getenv("MEDLEY_LONG") != nullptr ? 3000 : 150; }

Mishaps mishaps_of(std::uint64_t seed) { return {.capacity = seed % 2 == 1, .delays = seed % 4 >= 2}; }

class PolicyProperties : public testing::TestWithParam<Subject> {
 protected:
    struct Outcome {
        SimulatedRun run;
        std::vector<std::string> violations;
    };

    /// Every third scenario asks at every event, whatever the policy's own round.
    static Outcome run(const Scenario& scenario, std::uint64_t seed) {
        InspectedPolicy policy(planner::make_policy(GetParam().spec), GetParam().promises);
        simulator::SimulationOptions options = scenario.options;
        options.scheduler.round = seed % 3 == 0 ? Seconds{0} : policy.traits().default_round;
        SimulatedRun outcome = run_simulation(scenario.cluster, scenario.trace, *scenario.speeds, policy, options);
        return {.run = std::move(outcome), .violations = policy.violations()};
    }
};

std::string identifier(std::string name) {
    std::replace_if(
        name.begin(), name.end(), [](char letter) { return std::isalnum(letter) == 0; }, '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(All, PolicyProperties, testing::ValuesIn(subjects()),
                         [](const auto& test) { return identifier(test.param.spec); });

TEST_P(PolicyProperties, DecisionsAreSoundAndEveryJobEnds) {
    for (std::uint64_t seed = 0; seed < seeds(); ++seed) {
        SCOPED_TRACE(seed);
        const Scenario scenario(seed, mishaps_of(seed));
        const Outcome outcome = run(scenario, seed);
        ASSERT_TRUE(outcome.violations.empty()) << outcome.violations.front();
        ASSERT_EQ(outcome.run.result.jobs_unfinished, 0U);
        const LogReport report = check_log_text(outcome.run.events);
        ASSERT_TRUE(report.clean()) << report.violations.front();
    }
}

TEST_P(PolicyProperties, TheSameInputsGiveTheSameBytes) {
    for (std::uint64_t seed = 0; seed < seeds() / 5; ++seed) {
        const Scenario scenario(seed, mishaps_of(seed));
        ASSERT_EQ(run(scenario, seed).run.events, run(scenario, seed).run.events) << seed;
    }
}

TEST_P(PolicyProperties, NamesOfJobsDoNotMatter) {
    for (std::uint64_t seed = 0; seed < seeds() / 5; ++seed) {
        SCOPED_TRACE(seed);
        const Scenario scenario(seed, mishaps_of(seed));
        Scenario renamed(seed, mishaps_of(seed));
        for (std::size_t index = 0; index < renamed.trace.jobs.size(); ++index) {
            renamed.trace.jobs[index].id = "z" + std::to_string(997 * (index + 1) % 1009);
        }
        renamed.trace.order_jobs();
        const SimulatedRun once = run(scenario, seed).run;
        const SimulatedRun again = run(renamed, seed).run;
        ASSERT_EQ(once.rows.size(), again.rows.size());
        for (std::size_t index = 0; index < once.rows.size(); ++index) {
            ASSERT_EQ(once.rows[index].first_start, again.rows[index].first_start);
            ASSERT_EQ(once.rows[index].finish, again.rows[index].finish);
        }
    }
}

/// Longest time from submission to first start, in rounds.
double longest_wait_in_rounds(const std::string& spec, const Trace& trace) {
    const auto policy = planner::make_policy(spec);
    simulator::SimulationOptions options;
    options.scheduler.round = Seconds{360};
    const SimulatedRun run = run_simulation(toy_cluster({4, 2}), trace, ToySpeeds(), *policy, options);
    double longest = 0;
    for (const JobRow& row : run.rows) { longest = std::max(longest, row.queueing_s.value_or(1e9) / 360); }
    return longest;
}

/// A flood: at every moment some twenty jobs want six GPUs; one of them is long and needs a whole pool.
Trace flood(std::uint64_t seed) {
    Rng random(seed);
    Trace trace;
    for (int index = 0; index < 20; ++index) { trace.jobs.push_back(toy_job(std::to_string(index), index, 1, 3000)); }
    trace.jobs.push_back(toy_job("gang", 30, 4, 50'000));
    for (int index = 0; index < 600; ++index) {
        trace.jobs.push_back(
            toy_job("f" + std::to_string(index), 100 + 180 * index, static_cast<int>(random.between(1, 2)), random.uniform(200, 900)));
    }
    trace.order_jobs();
    return trace;
}

// Some 25 jobs are present at a time, so a share is at least about 1/25 of a gang's rounds: under a fair policy everybody starts
// within twice as many rounds.
constexpr double kFairBoundRounds = 50;

class FairPolicies : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(All, FairPolicies, testing::Values("isolated", "max-min", "max-min-het"),
                         [](const auto& test) { return identifier(test.param); });

TEST_P(FairPolicies, LetEverybodyStartWithinABound) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) { EXPECT_LE(longest_wait_in_rounds(GetParam(), flood(seed)), kFairBoundRounds); }
}

TEST(PolicyPropertiesControl, UnfairPoliciesBreakTheBound) {
    EXPECT_GT(longest_wait_in_rounds("srtf", flood(0)), kFairBoundRounds);
    EXPECT_GT(longest_wait_in_rounds("fifo", flood(0)), kFairBoundRounds);
}

/// Starts nothing, and everything, twice.
class Nonsense : public Policy {
 public:
    const PolicyTraits& traits() const override { return traits_; }
    Decision decide(const ClusterView& view) override {
        Decision decision;
        for (const JobId job : view.waiting()) {
            if (!started_ && view.now() > SimTime{0}) { decision.changes.push_back({job, Allocation::of(GpuTypeId(std::size_t{0}), 1)}); }
        }
        started_ = started_ || !decision.changes.empty();
        return decision;
    }

 private:
    PolicyTraits traits_{.name = "nonsense"};
    bool started_ = false;
};

TEST(PolicyPropertiesControl, TheInspectionSeesIdleGpusAndCutGangs) {
    InspectedPolicy policy(std::make_unique<Nonsense>(), {.work_conserving = true});
    const Trace trace{.jobs = {toy_job("a", 0, 2, 10), toy_job("b", 5, 1, 10)}};
    run_simulation(toy_cluster({4}), trace, ToySpeeds(), policy);
    const auto seen = [&](const std::string& what) {
        return std::any_of(policy.violations().begin(), policy.violations().end(),
                           [&](const std::string& violation) { return violation.find(what) != std::string::npos; });
    };
    EXPECT_TRUE(seen("waits beside 4 free GPUs"));
    EXPECT_TRUE(seen("cuts the gang of 0"));
}

struct FirstPromises : EventSink {
    std::map<JobId, SimTime> promised, started;
    void record(const LogRecord& record) override {
        if (const auto* reservation = std::get_if<ReservationRecord>(&record)) {
            promised.try_emplace(reservation->job, reservation->start);
        }
        if (const auto* launch = std::get_if<LaunchRecord>(&record)) { started.try_emplace(launch->job, launch->time); }
    }
};

/// Every job runs for a known time and declares at least that.
void declare_upper_bounds(Trace& trace, std::uint64_t seed) {
    Rng random = Rng(seed).fork("walltimes");
    for (Job& job : trace.jobs) {
        const auto extras = job.extras;
        if (job.steps > 0) {
            job = toy_job(job.id, to_seconds(job.submit).value, std::max(job.gpus, 1), static_cast<double>(job.steps));
            job.extras = extras;
        }
        if (random.chance(0.7)) { job.walltime = Seconds{job.duration.value * random.uniform(1, 5)}; }
    }
}

/// Windows on every type in which nobody may run.
SiteRules random_windows(const Cluster& cluster, std::uint64_t seed) {
    Rng random = Rng(seed).fork("windows");
    SiteRules rules;
    for (std::size_t type = 0; type < cluster.gpu_types.size(); ++type) {
        const double from = random.uniform(0, 3000);
        const auto gpus = static_cast<double>(random.between(1, cluster.capacity()[type]));
        rules.reservations.push_back({.name = Name("w" + std::to_string(type)),
                                      .start = at(from),
                                      .end = at(from + random.uniform(1, 3000)),
                                      .gpus = {{.resource = cluster.gpu_types[type].name.text(), .weight = gpus}},
                                      .maintenance = true});
    }
    rules.validate();
    return rules;
}

class PromisingPolicies : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(All, PromisingPolicies, testing::Values("easy-backfill", "conservative-backfill"),
                         [](const auto& test) { return identifier(test.param); });

TEST_P(PromisingPolicies, NoReservedJobStartsLaterThanItsFirstReservation) {
    std::size_t reservations = 0;
    for (std::uint64_t seed = 0; seed < seeds(); ++seed) {
        SCOPED_TRACE(seed);
        Scenario scenario(seed, {});
        declare_upper_bounds(scenario.trace, seed);
        FirstPromises log;
        const auto policy = planner::make_policy(GetParam());
        simulator::simulate(scenario.cluster, scenario.trace, *scenario.speeds, *scenario.speeds, *policy, log, {});
        for (const auto& [job, start] : log.promised) { ASSERT_LE(log.started.at(job), start) << job.value; }
        reservations += log.promised.size();
    }
    EXPECT_GT(reservations, 100U);
}

TEST(ConservativeBackfillProperty, EveryJobIsPromisedAStartAndNobodyRunsIntoAWindow) {
    for (std::uint64_t seed = 0; seed < seeds(); ++seed) {
        SCOPED_TRACE(seed);
        Scenario scenario(seed, {});
        declare_upper_bounds(scenario.trace, seed);
        const SiteRules rules = random_windows(scenario.cluster, seed);
        FirstPromises log;
        const auto policy = planner::make_policy("conservative-backfill", rules);
        simulator::simulate(scenario.cluster, scenario.trace, *scenario.speeds, *scenario.speeds, *policy, log, {});
        for (std::size_t index = 0; index < scenario.trace.jobs.size(); ++index) {
            const bool at_once = log.started.at(JobId(index)) == scenario.trace.jobs[index].submit;
            ASSERT_TRUE(at_once || log.promised.contains(JobId(index)));
        }
        for (const auto& [job, start] : log.promised) { ASSERT_LE(log.started.at(job), start) << job.value; }
    }
}

}  // namespace
}  // namespace medley::test
