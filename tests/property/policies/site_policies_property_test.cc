// The policies that follow a site's rules, under rules drawn from a seed: sound decisions, clean logs, the same bytes, and no limit, quota
// or window ever broken. What is in use is counted here anew, at every decision.

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
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

constexpr const char* kTeams[] = {"a", "b", "c"};
constexpr const char* kUsers[] = {"u", "v"};
constexpr const char* kQos[] = {"high", "normal", "low"};

/// Users, teams, QOS and arrays for the jobs of a scenario; wall times that are upper bounds, sometimes.
void add_owners(Trace& trace, std::uint64_t seed) {
    Rng random = Rng(seed).fork("owners");
    for (Job& job : trace.jobs) {
        auto extras = std::make_shared<JobExtras>(job.extras ? *job.extras : JobExtras{});
        extras->tenant = Name(kTeams[random.below(3)]);
        extras->user = Name(kUsers[random.below(2)]);
        extras->qos = Name(kQos[random.below(3)]);
        if (random.chance(0.3)) {
            extras->array = Name(std::string("array-") + kUsers[random.below(2)]);
            extras->array_limit = 2;
        }
        if (!job.whole_pool() && random.chance(0.2)) { extras->nodes = static_cast<int>(random.between(1, job.gpus)); }
        job.extras = extras;
        if (job.steps == 0 && random.chance(0.7)) { job.walltime = Seconds{job.duration.value * random.uniform(0.7, 4)}; }
    }
}

std::optional<std::int64_t> some_limit(Rng& random) { return random.chance(0.4) ? std::optional(random.between(2, 9)) : std::nullopt; }

SiteRules random_slurm_rules(std::uint64_t seed) {
    Rng random = Rng(seed).fork("rules");
    SiteRules rules;
    rules.priority.weights = {.age = 1000, .fair_share = random.uniform(0, 3000), .job_size = random.uniform(0, 500), .qos = 1000};
    rules.priority.max_age = Seconds{3600};
    rules.priority.decay_half_life = Seconds{1800};
    rules.priority.fair_share = random.chance(0.5) ? FairShareRule::kTree : FairShareRule::kClassic;
    rules.scheduling.on_submit = random.chance(0.5);
    rules.scheduling.backfill.enabled = random.chance(0.8);
    rules.scheduling.backfill.resolution = Seconds{random.chance(0.5) ? 1.0 : 60.0};
    const PreemptionCriterion criteria[] = {PreemptionCriterion::kNone, PreemptionCriterion::kQos};
    const PreemptionMode modes[] = {PreemptionMode::kRequeue, PreemptionMode::kSuspend, PreemptionMode::kCancel};
    rules.preemption = {.by = criteria[random.below(2)], .mode = modes[random.below(3)], .exempt = Seconds{random.chance(0.5) ? 0 : 100.0}};
    rules.qos = {{.name = Name("high"), .priority = 100, .preempts = {Name("low")}},
                 {.name = Name("normal"), .priority = 10, .max_gpus_per_user = some_limit(random), .max_jobs_per_user = some_limit(random)},
                 {.name = Name("low"), .group = {.gpus = some_limit(random)}}};
    rules.accounts = {{.name = Name("a"), .shares = 3, .group = {.jobs = some_limit(random)}}, {.name = Name("b"), .parent = Name("a")}};
    rules.validate();
    return rules;
}

SiteRules random_kueue_rules(const Cluster& cluster, std::uint64_t seed) {
    Rng random = Rng(seed).fork("queues");
    const QueuePreemption within[] = {QueuePreemption::kNobody, QueuePreemption::kLowerPriority,
                                      QueuePreemption::kLowerOrNewerEqualPriority};
    const QueuePreemption reclaim[] = {QueuePreemption::kNobody, QueuePreemption::kLowerPriority, QueuePreemption::kAny};
    SiteRules rules;
    for (const char* team : kTeams) {
        QueueRule& queue = rules.queues.emplace_back();
        queue = {.name = Name(team), .cohort = Name("all"), .within = within[random.below(3)], .reclaim = reclaim[random.below(3)]};
        if (random.chance(0.3)) { queue.order = QueueOrder::kStrictFifo; }
        if (random.chance(0.3)) { queue.borrow = QueuePreemption::kLowerPriority; }
        queue.borrow_before_next = random.chance(0.5);
        for (const GpuType& type : cluster.gpu_types) {
            QueueQuota quota{.gpu_type = type.name, .nominal = random.between(0, 5)};
            if (random.chance(0.3)) { quota.borrowing_limit = random.between(0, 3); }
            if (random.chance(0.3)) { quota.lending_limit = random.between(0, quota.nominal); }
            queue.quotas.push_back(quota);
        }
    }
    rules.validate();
    return rules;
}

/// GPUs and jobs held, by whatever key the caller counts.
struct Held {
    std::int64_t gpus = 0;
    std::int64_t jobs = 0;
};

template <class Key, class KeyOf>
std::map<Key, Held> held_by(const ClusterView& view, const Decision& decision, KeyOf key_of) {
    std::map<JobId, Allocation> held;
    for (const JobId job : view.present()) { held[job] = view.held(job); }
    for (const Change& change : decision.changes) { held[change.job] = change.target; }
    std::map<Key, Held> sums;
    for (const auto& [job, allocation] : held) {
        if (allocation.empty()) { continue; }
        Held& sum = sums[key_of(view.job(job), allocation)];
        sum.gpus += allocation.gpus();
        ++sum.jobs;
    }
    return sums;
}

/// Passes decisions on and counts what they hold.
class CountingPolicy : public Policy {
 public:
    using Check = std::function<void(const ClusterView&, const Decision&)>;
    CountingPolicy(std::unique_ptr<Policy> policy, Check check) : policy_(std::move(policy)), check_(std::move(check)) {}
    const PolicyTraits& traits() const override { return policy_->traits(); }
    Decision decide(const ClusterView& view) override {
        Decision decision = policy_->decide(view);
        check_(view, decision);
        return decision;
    }

 private:
    std::unique_ptr<Policy> policy_;
    Check check_;
};

void expect_slurms_limits(const SiteRules& rules, const ClusterView& view, const Decision& decision) {
    const auto by_user = held_by<std::pair<Name, Name>>(
        view, decision, [](const JobBelief& job, const Allocation&) { return std::pair(job.extras->qos, job.extras->user); });
    for (const auto& [key, held] : by_user) {
        const QosRule& qos = *rules.find_qos(key.first);
        if (qos.max_gpus_per_user) { ASSERT_LE(held.gpus, *qos.max_gpus_per_user); }
        if (qos.max_jobs_per_user) { ASSERT_LE(held.jobs, *qos.max_jobs_per_user); }
    }
    const auto by_qos = held_by<Name>(view, decision, [](const JobBelief& job, const Allocation&) { return job.extras->qos; });
    for (const auto& [name, held] : by_qos) {
        if (const auto& limit = rules.find_qos(name)->group.gpus) { ASSERT_LE(held.gpus, *limit); }
    }
    const auto by_array = held_by<Name>(view, decision, [](const JobBelief& job, const Allocation&) { return job.extras->array; });
    for (const auto& [name, held] : by_array) {
        if (!name.empty()) { ASSERT_LE(held.jobs, 2); }
    }
    // b is below a: both count.
    const auto below_a =
        held_by<bool>(view, decision, [](const JobBelief& job, const Allocation&) { return job.extras->tenant != Name("c"); });
    if (rules.accounts[0].group.jobs && below_a.contains(true)) { ASSERT_LE(below_a.at(true).jobs, *rules.accounts[0].group.jobs); }
}

void expect_kueues_quotas(const SiteRules& rules, const ClusterView& view, const Decision& decision) {
    const auto held = held_by<std::pair<Name, Name>>(view, decision, [&](const JobBelief& job, const Allocation& allocation) {
        return std::pair(job.extras->tenant, view.cluster().type(allocation.grants.front().type).name);
    });
    for (const GpuType& type : view.cluster().gpu_types) {
        std::int64_t pool = 0;
        for (const QueueRule& queue : rules.queues) {
            const QueueQuota& quota =
                *std::find_if(queue.quotas.begin(), queue.quotas.end(), [&](const QueueQuota& each) { return each.gpu_type == type.name; });
            const auto found = held.find({queue.name, type.name});
            const std::int64_t used = found != held.end() ? found->second.gpus : 0;
            if (quota.borrowing_limit) { ASSERT_LE(used, quota.nominal + *quota.borrowing_limit); }
            const std::int64_t lent = quota.lending_limit.value_or(quota.nominal);
            pool += lent - std::max<std::int64_t>(0, used - (quota.nominal - lent));
        }
        ASSERT_GE(pool, 0) << "the cohort uses more than it has";
    }
}

struct Site {
    const char* policy;
    SiteRules (*rules)(const Cluster& cluster, std::uint64_t seed);
    void (*check)(const SiteRules& rules, const ClusterView& view, const Decision& decision);
};

void PrintTo(const Site& site, std::ostream* out) { *out << site.policy; }

class SitePolicies : public testing::TestWithParam<Site> {
 protected:
    struct Outcome {
        SimulatedRun run;
        std::vector<std::string> violations;
    };

    static Outcome run(std::uint64_t seed) {
        const bool mishaps = seed % 2 == 1;
        Scenario scenario(seed, {.capacity = mishaps, .delays = mishaps});
        add_owners(scenario.trace, seed);
        const SiteRules rules = GetParam().rules(scenario.cluster, seed);
        auto inspected = std::make_unique<InspectedPolicy>(planner::make_policy(GetParam().policy, rules), Promises{});
        const InspectedPolicy& inspection = *inspected;
        // Lost capacity and late decisions may leave more in use than the rules allow, for a while.
        CountingPolicy policy(std::move(inspected), [&](const ClusterView& view, const Decision& decision) {
            if (!mishaps) { GetParam().check(rules, view, decision); }
        });
        SimulatedRun outcome = run_simulation(scenario.cluster, scenario.trace, *scenario.speeds, policy, scenario.options);
        return {.run = std::move(outcome), .violations = inspection.violations()};
    }
};

INSTANTIATE_TEST_SUITE_P(All, SitePolicies,
                         testing::Values(Site{"slurm-multifactor",
                                              [](const Cluster&, std::uint64_t seed) { return random_slurm_rules(seed); },
                                              expect_slurms_limits},
                                         Site{"kueue", random_kueue_rules, expect_kueues_quotas}),
                         [](const auto& test) { return std::string(test.param.policy).substr(0, 5); });

TEST_P(SitePolicies, KeepTheirRulesWhateverTheyAre) {
    std::size_t finished = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE(seed);
        const Outcome outcome = run(seed);
        ASSERT_FALSE(HasFatalFailure());
        ASSERT_TRUE(outcome.violations.empty()) << outcome.violations.front();
        const LogReport report = check_log_text(outcome.run.events);
        ASSERT_TRUE(report.clean()) << report.violations.front();
        finished += outcome.run.summary.jobs_completed;
    }
    EXPECT_GT(finished, 1000U);
}

TEST_P(SitePolicies, GiveTheSameBytesTwice) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) { ASSERT_EQ(run(seed).run.events, run(seed).run.events) << seed; }
}

}  // namespace
}  // namespace medley::test
