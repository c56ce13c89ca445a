#include "planner/policies/policy_table.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/error.h"
#include "planner/policies/conservative_backfill.h"
#include "planner/policies/easy_backfill.h"
#include "planner/policies/fifo.h"
#include "planner/policies/isolated.h"
#include "planner/policies/kueue/kueue.h"
#include "planner/policies/max_min.h"
#include "planner/policies/max_min_het.h"
#include "planner/policies/policy_spec.h"
#include "planner/policies/priority.h"
#include "planner/policies/sjf.h"
#include "planner/policies/slurm/slurm_multifactor.h"
#include "planner/policies/srtf.h"
#include "planner/policies/virtualflow.h"
#include "planner/policies/wfs.h"

namespace medley::planner {
namespace {

constexpr std::string_view kBoolean = "true|false";
constexpr Seconds kGavelRound{360};

constexpr std::array kSjfOptions{PolicyOption{
    .name = "backfill", .values = kBoolean, .default_value = "false", .description = "jobs with room pass a shorter one without"}};
constexpr std::array kPriorityOptions{PolicyOption{
    .name = "preempt", .values = kBoolean, .default_value = "false", .description = "stop running jobs of lower priority to make room"}};
constexpr std::array kSlurmOptions{PolicyOption{
    .name = "backfill", .values = kBoolean, .default_value = "true", .description = "run the backfill scheduler beside the main one"}};
constexpr std::array kVirtualflowOptions{PolicyOption{
    .name = "mixed", .values = kBoolean, .default_value = "true", .description = "let a job use two GPU types at once where one is idle"}};

using Options = std::span<const PolicyOption>;

constexpr std::array kPolicies{
    PolicyInfo{.name = "fifo", .description = "first in, first out; the first job without room blocks the rest", .make = make_fifo},
    PolicyInfo{.name = "sjf",
               .description = "shortest job first, nobody is stopped",
               .information = InformationClass::kOracle,
               .options = Options(kSjfOptions),
               .make = make_sjf},
    PolicyInfo{.name = "srtf",
               .description = "shortest remaining time first, stopping longer jobs to make room",
               .information = InformationClass::kOracle,
               .make = make_srtf},
    PolicyInfo{.name = "priority",
               .description = "highest priority first, full demand or wait (VirtualFlow's baseline)",
               .options = Options(kPriorityOptions),
               .make = make_priority},
    PolicyInfo{.name = "easy-backfill",
               .description = "order of submission, with a reservation for the first and backfilling by declared wall times",
               .information = InformationClass::kDeclared,
               .make = make_easy_backfill},
    PolicyInfo{.name = "conservative-backfill",
               .description = "order of submission, with a reservation for every waiting job by declared wall times",
               .information = InformationClass::kDeclared,
               .make_for_site = make_conservative_backfill},
    PolicyInfo{.name = "slurm-multifactor",
               .description = "Slurm: multifactor priorities, fair shares, main and backfill scheduler, limits, by the site's rules",
               .information = InformationClass::kDeclared,
               .options = Options(kSlurmOptions),
               .make_for_site = make_slurm_multifactor},
    PolicyInfo{.name = "kueue",
               .description = "Kueue: queues with quotas in cohorts, borrowing, lending and reclaiming, by the site's rules",
               .make_for_site = make_kueue},
    PolicyInfo{.name = "isolated",
               .description = "an equal part of every GPU type for every job, in rounds (Gavel)",
               .default_round = kGavelRound,
               .make = make_isolated},
    PolicyInfo{.name = "wfs",
               .description = "elastic weighted fair sharing in powers of two (VirtualFlow)",
               .asked_after_transitions = true,
               .make = make_wfs},
    PolicyInfo{.name = "max-min",
               .description = "max-min fair GPU time, blind to GPU types, in rounds (Gavel)",
               .default_round = kGavelRound,
               .make = make_max_min},
    PolicyInfo{.name = "max-min-het",
               .description = "max-min fair progress, aware of GPU types, in rounds (Gavel)",
               .default_round = kGavelRound,
               .make = make_max_min_het},
    PolicyInfo{.name = "virtualflow",
               .description = "max-min fair progress on whole pools, topped up with mixed GPU types (VirtualFlow)",
               .default_round = kGavelRound,
               .options = Options(kVirtualflowOptions),
               .make = make_virtualflow},
};

const PolicyInfo& find_policy(const std::string& name) {
    const auto found = std::find_if(kPolicies.begin(), kPolicies.end(), [&](const PolicyInfo& each) { return each.name == name; });
    if (found != kPolicies.end()) { return *found; }
    std::vector<std::string_view> names;
    for (const PolicyInfo& each : kPolicies) { names.push_back(each.name); }
    refuse_value("policy", name, expected_name("a known policy", name, names));
}

}  // namespace

std::span<const PolicyInfo> known_policies() { return kPolicies; }

std::unique_ptr<Policy> make_policy(std::string_view spec, const SiteRules& rules) {
    const PolicySpec parsed = parse_policy_spec(spec);
    const PolicyInfo& info = find_policy(parsed.name);
    const PolicyOptions options(info.name, info.options, parsed.options);
    PolicyTraits traits{.name = std::string(info.name),
                        .information = info.information,
                        .default_round = info.default_round,
                        .asked_after_transitions = info.asked_after_transitions,
                        .options = options.in_force()};
    if (info.make_for_site != nullptr) { return info.make_for_site(std::move(traits), options, rules); }
    return info.make(std::move(traits), options);
}

}  // namespace medley::planner
