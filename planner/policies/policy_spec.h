#pragma once
/// Takes `NAME:key=value,key=value` apart, and finds the name that a misspelt one probably meant.

#include <span>
#include <string>
#include <string_view>

#include "planner/policies/policy_options.h"

namespace medley::planner {

struct PolicySpec {
    std::string name;
    PolicyOptions::Given options;
};

/// Throws medley::Error for an option without `=`, an empty key, or options announced by `:` that do not follow.
PolicySpec parse_policy_spec(std::string_view spec);

/// "`what`; the nearest is `NAME`": for errors about unknown names. Requires at least one known name. The nearest has the least edit
/// distance (insert, delete, replace: 1 each); the first such in `known` where several have.
std::string expected_name(std::string_view what, std::string_view found, std::span<const std::string_view> known);

}  // namespace medley::planner
