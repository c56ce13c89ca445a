#pragma once
/// The fields of a rules file, described once for reading and for writing.
///
/// `Fields` is RuleReader (a map of a document -> values) or RuleWriter (values -> text); each function names every key of one map with the
/// value it fills or writes.

#include <array>
#include <string_view>
#include <utility>

#include "core/site_rules.h"

namespace medley::io {

template <class Value>
using RuleChoice = std::pair<std::string_view, Value>;

inline constexpr std::array<RuleChoice<FairShareRule>, 2> kFairShareRules = {
    {{"tree", FairShareRule::kTree}, {"classic", FairShareRule::kClassic}}};
inline constexpr std::array<RuleChoice<PreemptionCriterion>, 3> kPreemptionCriteria = {
    {{"none", PreemptionCriterion::kNone}, {"qos", PreemptionCriterion::kQos}, {"partition", PreemptionCriterion::kPartition}}};
inline constexpr std::array<RuleChoice<PreemptionMode>, 3> kPreemptionModes = {
    {{"cancel", PreemptionMode::kCancel}, {"requeue", PreemptionMode::kRequeue}, {"suspend", PreemptionMode::kSuspend}}};
inline constexpr std::array<RuleChoice<QueueOrder>, 2> kQueueOrders = {
    {{"best-effort", QueueOrder::kBestEffortFifo}, {"strict", QueueOrder::kStrictFifo}}};
inline constexpr std::array<RuleChoice<QueuePreemption>, 4> kQueuePreemptions = {
    {{"never", QueuePreemption::kNobody},
     {"lower-priority", QueuePreemption::kLowerPriority},
     {"lower-or-newer-equal-priority", QueuePreemption::kLowerOrNewerEqualPriority},
     {"any", QueuePreemption::kAny}}};

template <class Fields>
void rule_fields(Fields& fields, PriorityWeights& weights) {
    fields.number("age", weights.age);
    fields.number("fair_share", weights.fair_share);
    fields.number("job_size", weights.job_size);
    fields.number("partition", weights.partition);
    fields.number("qos", weights.qos);
    fields.number("assoc", weights.association);
    fields.resources("tres", weights.resources);
}

template <class Fields>
void rule_fields(Fields& fields, PriorityRules& rules) {
    fields.boolean("multifactor", rules.multifactor);
    fields.inner("weights", rules.weights);
    fields.span("max_age", rules.max_age);
    fields.span("decay_half_life", rules.decay_half_life);
    fields.span_or_never("usage_reset", rules.usage_reset);
    fields.span("calc_period", rules.calc_period);
    fields.span("calc_offset", rules.calc_offset);
    fields.boolean("favor_small", rules.favor_small);
    fields.choice("fair_share", rules.fair_share, kFairShareRules);
    fields.number("damping", rules.damping);
    fields.resources("billing", rules.billing);
    fields.whole("cluster_cpus", rules.cluster_cpus);
}

template <class Fields>
void rule_fields(Fields& fields, BackfillRules& rules) {
    fields.boolean("enabled", rules.enabled);
    fields.span("interval", rules.interval);
    fields.span("offset", rules.offset);
    fields.span("window", rules.window);
    fields.span("resolution", rules.resolution);
    fields.whole("max_jobs", rules.max_jobs);
    fields.whole("max_jobs_per_user", rules.max_jobs_per_user);
    fields.whole("max_jobs_per_partition", rules.max_jobs_per_partition);
    fields.whole("max_starts", rules.max_starts);
}

template <class Fields>
void rule_fields(Fields& fields, SchedulingRules& rules) {
    fields.span("main_interval", rules.main_interval);
    fields.span("main_offset", rules.main_offset);
    fields.boolean("on_submit", rules.on_submit);
    fields.span("batch_delay", rules.batch_delay);
    fields.span("start_delay", rules.start_delay);
    fields.whole("main_depth", rules.main_depth);
    fields.span("walltime_unit", rules.walltime_unit);
    fields.inner("backfill", rules.backfill);
}

template <class Fields>
void rule_fields(Fields& fields, PreemptionRules& rules) {
    fields.choice("by", rules.by, kPreemptionCriteria);
    fields.choice("mode", rules.mode, kPreemptionModes);
    fields.span("exempt", rules.exempt);
    fields.span("requeue_delay", rules.requeue_delay);
}

template <class Fields>
void rule_fields(Fields& fields, PartitionRule& rule) {
    fields.name("name", rule.name);
    fields.number("priority_factor", rule.priority_factor);
    fields.whole("priority_tier", rule.priority_tier);
    fields.texts("nodes", rule.nodes);
    fields.names("gpu_types", rule.gpu_types);
    fields.span("max_walltime", rule.max_walltime);
    fields.span("default_walltime", rule.default_walltime);
    fields.boolean("default", rule.is_default);
    fields.name("qos", rule.qos);
}

/// The limits of a group of jobs, as keys of the map that states them.
template <class Fields>
void group_fields(Fields& fields, GroupLimits& limits) {
    fields.whole("group_gpus", limits.gpus);
    fields.whole("group_jobs", limits.jobs);
    fields.whole("group_submitted", limits.submitted_jobs);
}

template <class Fields>
void rule_fields(Fields& fields, QosRule& rule) {
    fields.name("name", rule.name);
    fields.number("priority", rule.priority);
    fields.names("preempts", rule.preempts);
    fields.choice("preempt_mode", rule.mode, kPreemptionModes);
    fields.span("exempt", rule.exempt);
    fields.number("usage_factor", rule.usage_factor);
    fields.span("max_walltime", rule.max_walltime);
    group_fields(fields, rule.group);
    fields.whole("max_gpus_per_job", rule.max_gpus_per_job);
    fields.whole("max_gpus_per_user", rule.max_gpus_per_user);
    fields.whole("max_jobs_per_user", rule.max_jobs_per_user);
    fields.whole("max_submitted_per_user", rule.max_submitted_per_user);
    fields.whole("max_gpus_per_account", rule.max_gpus_per_account);
    fields.whole("max_jobs_per_account", rule.max_jobs_per_account);
}

template <class Fields>
void rule_fields(Fields& fields, UserRule& rule) {
    fields.name("name", rule.name);
    fields.number("shares", rule.shares);
    fields.number("priority", rule.priority);
    fields.number("usage", rule.usage);
    group_fields(fields, rule.group);
    fields.whole("max_gpus_per_job", rule.max_gpus_per_job);
    fields.whole("max_jobs", rule.max_jobs);
}

template <class Fields>
void rule_fields(Fields& fields, AccountRule& rule) {
    fields.name("name", rule.name);
    fields.parent("parent", rule.parent);
    fields.number("shares", rule.shares);
    fields.number("priority", rule.priority);
    group_fields(fields, rule.group);
    fields.list("users", rule.users);
}

template <class Fields>
void rule_fields(Fields& fields, SiteReservation& rule) {
    fields.name("name", rule.name);
    fields.time("start_s", rule.start);
    fields.time("end_s", rule.end);
    fields.texts("nodes", rule.nodes);
    fields.resources("gpus", rule.gpus);
    fields.boolean("maintenance", rule.maintenance);
    fields.names("users", rule.users);
    fields.names("accounts", rule.accounts);
}

template <class Fields>
void rule_fields(Fields& fields, QueueQuota& rule) {
    fields.whole("nominal", rule.nominal);
    fields.whole("borrowing_limit", rule.borrowing_limit);
    fields.whole("lending_limit", rule.lending_limit);
}

/// What a queue may preempt for, as a map of its own.
template <class Rule>
struct QueuePreemptionFields {
    Rule& rule;
};

template <class Fields, class Rule>
void rule_fields(Fields& fields, QueuePreemptionFields<Rule>& preemption) {
    Rule& rule = preemption.rule;
    fields.choice("within", rule.within, kQueuePreemptions);
    fields.choice("reclaim", rule.reclaim, kQueuePreemptions);
    fields.choice("borrow", rule.borrow, kQueuePreemptions);
    fields.number("borrow_max_priority", rule.borrow_max_priority);
}

template <class Fields>
void rule_fields(Fields& fields, QueueRule& rule) {
    fields.name("name", rule.name);
    fields.name("cohort", rule.cohort);
    fields.choice("strategy", rule.order, kQueueOrders);
    fields.quotas("quotas", rule.quotas);
    QueuePreemptionFields<QueueRule> preemption{rule};
    fields.inner("preemption", preemption);
    fields.boolean("borrow_before_next", rule.borrow_before_next);
    fields.boolean("preempt_before_next", rule.preempt_before_next);
}

template <class Fields>
void rule_fields(Fields& fields, SiteRules& rules) {
    fields.inner("priority", rules.priority);
    fields.inner("scheduling", rules.scheduling);
    fields.inner("preemption", rules.preemption);
    fields.list("partitions", rules.partitions);
    fields.list("qos", rules.qos);
    fields.list("accounts", rules.accounts);
    fields.list("reservations", rules.reservations);
    fields.whole("max_running_per_array", rules.max_running_per_array);
    fields.list("queues", rules.queues);
}

}  // namespace medley::io
