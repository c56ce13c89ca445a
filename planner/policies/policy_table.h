#pragma once
/// The one table of scheduling policies: names, what they need to know, their options, and how to make one.
///
/// A new policy is one file and one row here. Nothing registers itself at start-up, so what exists is what the table says.
/// Thread rule: the table is constant; a policy made from it belongs to one thread.

#include <memory>
#include <span>
#include <string_view>

#include "core/site_rules.h"
#include "core/units.h"
#include "planner/policies/policy_options.h"
#include "sched/policy.h"

namespace medley::planner {

struct PolicyInfo {
    std::string_view name;
    std::string_view description;  ///< one line
    InformationClass information = InformationClass::kLearned;
    Seconds default_round{0};              ///< 0 = asked at every event
    bool asked_after_transitions = false;  ///< also when a launch, resize or stop completes
    std::span<const PolicyOption> options;
    std::unique_ptr<Policy> (*make)(PolicyTraits traits, const PolicyOptions& options) = nullptr;
    /// Instead of `make`, for policies that follow a site's rules.
    std::unique_ptr<Policy> (*make_for_site)(PolicyTraits traits, const PolicyOptions& options, const SiteRules& rules) = nullptr;
};

/// Every policy, in the order in which users are shown them.
std::span<const PolicyInfo> known_policies();

/// Makes a policy from `NAME` or `NAME:key=value,key=value`. Throws medley::Error for an unknown name or option (naming the nearest
/// known one), an option given twice, and a value that is not allowed. Requires validated rules that fit the cluster; most policies look
/// at none of them.
std::unique_ptr<Policy> make_policy(std::string_view spec, const SiteRules& rules = {});

}  // namespace medley::planner
