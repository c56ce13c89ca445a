#include <array>

#include <fmt/format.h>

#include "io/scalar.h"
#include "io/slurm/records.h"
#include "io/slurm/rule_parts.h"
#include "io/slurm/times.h"

namespace medley::io::slurm {
namespace {

constexpr double kSecondsPerMinute = 60;
constexpr double kSecondsPerDay = 86400;

/// Reads single settings; what is not stated keeps Slurm's default.
class ConfigReader {
 public:
    explicit ConfigReader(const Settings& settings) : settings_(settings) {}

    std::string_view text(std::string_view key) const { return settings_.value(key); }

    void number(std::string_view key, double& value) const {
        if (text(key).empty()) { return; }
        const auto number = to_number(text(key));
        if (!number) { settings_.refuse(key, "a number"); }
        value = *number;
    }
    void span(std::string_view key, Seconds& value) const {
        if (text(key).empty()) { return; }
        const auto span = to_span(text(key));
        if (!span) { settings_.refuse(key, "a span such as 7-00:00:00"); }
        value = *span;
    }

 private:
    const Settings& settings_;
};

void read_weights(const ConfigReader& config, RulesContext& context, PriorityWeights& weights) {
    config.number("PriorityWeightAge", weights.age);
    config.number("PriorityWeightFairShare", weights.fair_share);
    config.number("PriorityWeightJobSize", weights.job_size);
    config.number("PriorityWeightPartition", weights.partition);
    config.number("PriorityWeightQOS", weights.qos);
    config.number("PriorityWeightAssoc", weights.association);
    weights.resources = context.resources(config.text("PriorityWeightTRES"), "PriorityWeightTRES");
}

struct ResetPeriod {
    std::string_view name;
    double days = 0;
};

void read_usage_reset(const ConfigReader& config, const Settings& settings, RulesContext& context, PriorityRules& rules) {
    static constexpr std::array kPeriods = {ResetPeriod{"NONE", 0},    ResetPeriod{"NOW", 0},      ResetPeriod{"DAILY", 1},
                                            ResetPeriod{"WEEKLY", 7},  ResetPeriod{"MONTHLY", 30}, ResetPeriod{"QUARTERLY", 91},
                                            ResetPeriod{"YEARLY", 365}};
    const std::string_view text = config.text("PriorityUsageResetPeriod");
    if (text.empty()) { return; }
    for (const ResetPeriod& period : kPeriods) {
        if (period.name != text) { continue; }
        rules.usage_reset = Seconds{period.days * kSecondsPerDay};
        if (period.days > 0) { context.note(fmt::format("PriorityUsageResetPeriod={} is taken for every {} days", text, period.days)); }
        return;
    }
    settings.refuse("PriorityUsageResetPeriod", "NONE, NOW, DAILY, WEEKLY, MONTHLY, QUARTERLY or YEARLY");
}

void read_priority_flags(const ConfigReader& config, RulesContext& context, PriorityRules& rules) {
    for_each_part(config.text("PriorityFlags"), [&](std::string_view flag) {
        if (flag == "NO_FAIR_TREE") {
            rules.fair_share = FairShareRule::kClassic;
        } else if (flag != "FAIR_TREE") {
            context.note(fmt::format("PriorityFlags: {} is left out", flag));
        }
    });
}

/// The first moment at or after the origin at which something falls that began at `start` and comes every `period`.
Seconds phase(SimTime start, Seconds period, SimTime origin) {
    const std::int64_t step = to_sim_time(period).value;
    if (step <= 0) { return Seconds{0}; }
    const std::int64_t since = (start.value - origin.value) % step;
    return to_seconds(SimTime{since < 0 ? since + step : since});
}

void read_phases(const ConfigReader& config, RulesContext& context, SiteRules& rules) {
    const auto boot = to_moment(config.text("BOOT_TIME"), context.choices().zone);
    if (!boot || !context.choices().has_origin) { return; }
    const SimTime origin = context.choices().origin;
    rules.priority.calc_offset = phase(*boot, rules.priority.calc_period, origin);
    rules.scheduling.main_offset = phase(*boot, rules.scheduling.main_interval, origin);
    rules.scheduling.backfill.offset = phase(*boot, rules.scheduling.backfill.interval, origin);
}

void read_priority(const ConfigReader& config, const Settings& settings, RulesContext& context, PriorityRules& rules) {
    rules.multifactor = config.text("PriorityType") != "priority/basic";
    read_weights(config, context, rules.weights);
    config.span("PriorityMaxAge", rules.max_age);
    config.span("PriorityDecayHalfLife", rules.decay_half_life);
    config.span("PriorityCalcPeriod", rules.calc_period);
    config.number("FairShareDampeningFactor", rules.damping);
    rules.favor_small = config.text("PriorityFavorSmall") == "Yes";
    read_usage_reset(config, settings, context, rules);
    read_priority_flags(config, context, rules);
}

/// `bf_interval=30,bf_continue,defer`.
class SchedulerParameters {
 public:
    explicit SchedulerParameters(std::string_view text) : text_(text) {}

    void whole(std::string_view name, std::int64_t& value) const {
        for_each_part(text_, [&](std::string_view part) {
            const std::size_t equals = part.find('=');
            if (part.substr(0, equals) != name || equals == std::string_view::npos) { return; }
            value = to_whole(part.substr(equals + 1)).value_or(value);
        });
    }
    void span(std::string_view name, Seconds& value, double unit_s = 1) const {
        std::int64_t units = -1;
        whole(name, units);
        if (units >= 0) { value = Seconds{static_cast<double>(units) * unit_s}; }
    }

 private:
    std::string_view text_;
};

/// The controller looks once a second whether a pass is due, and never tries a batch job while it is being submitted. Recorded times are
/// whole
/// seconds, cut off: so a pass is taken to fall within the second of what caused it, as two in five do; the others are a second later.
constexpr Seconds kTick{0.4};

void read_scheduling(const ConfigReader& config, SchedulingRules& rules) {
    const SchedulerParameters parameters(config.text("SchedulerParameters"));
    parameters.span("sched_interval", rules.main_interval);
    parameters.span("batch_sched_delay", rules.batch_delay);
    parameters.whole("default_queue_depth", rules.main_depth);
    rules.batch_delay += kTick;
    rules.start_delay = kTick;
    rules.on_submit = false;
    BackfillRules& backfill = rules.backfill;
    backfill.enabled = config.text("SchedulerType") != "sched/builtin";
    parameters.span("bf_interval", backfill.interval);
    parameters.span("bf_window", backfill.window, kSecondsPerMinute);
    parameters.span("bf_resolution", backfill.resolution);
    parameters.whole("bf_max_job_test", backfill.max_jobs);
    parameters.whole("bf_max_job_user", backfill.max_jobs_per_user);
    parameters.whole("bf_max_job_part", backfill.max_jobs_per_partition);
    parameters.whole("bf_max_job_start", backfill.max_starts);
}

void read_preemption(const ConfigReader& config, RulesContext& context, PreemptionRules& rules) {
    const std::string_view type = config.text("PreemptType");
    if (type == "preempt/qos") { rules.by = PreemptionCriterion::kQos; }
    if (type == "preempt/partition_prio") { rules.by = PreemptionCriterion::kPartition; }
    if (rules.by == PreemptionCriterion::kNone) { return; }
    for_each_part(config.text("PreemptMode"), [&](std::string_view mode) {
        if (mode == "CANCEL") { rules.mode = PreemptionMode::kCancel; }
        if (mode == "REQUEUE") { rules.mode = PreemptionMode::kRequeue; }
        if (mode == "SUSPEND") { rules.mode = PreemptionMode::kSuspend; }
        if (mode == "GANG") { context.note("PreemptMode: GANG (time slicing) is left out"); }
    });
    config.span("PreemptExemptTime", rules.exempt);
}

}  // namespace

void read_config(const OutputFile& file, RulesContext& context, SiteRules& rules) {
    const Settings settings(file.text);
    const ConfigReader config(settings);
    read_priority(config, settings, context, rules.priority);
    read_scheduling(config, rules.scheduling);
    read_preemption(config, context, rules.preemption);
    read_phases(config, context, rules);
}

}  // namespace medley::io::slurm
