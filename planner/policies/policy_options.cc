#include "planner/policies/policy_options.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"
#include "planner/policies/policy_spec.h"

namespace medley::planner {
namespace {

bool is_one_of(std::string_view value, std::string_view alternatives) {
    while (true) {
        const auto bar = alternatives.find('|');
        if (alternatives.substr(0, bar) == value) { return true; }
        if (bar == std::string_view::npos) { return false; }
        alternatives.remove_prefix(bar + 1);
    }
}

[[noreturn]] void refuse_option(std::string_view policy, std::span<const PolicyOption> known, const std::string& name) {
    std::vector<std::string_view> names;
    for (const PolicyOption& option : known) { names.push_back(option.name); }
    refuse_value(fmt::format("policy {}", policy), name,
                 names.empty() ? std::string("no options") : expected_name("an option of this policy", name, names));
}

}  // namespace

PolicyOptions::PolicyOptions(std::string_view policy, std::span<const PolicyOption> known, const Given& given) {
    for (const PolicyOption& option : known) { values_.emplace_back(option.name, option.default_value); }
    std::vector<bool> seen(known.size(), false);
    for (const auto& pair : given) {
        const std::string& name = pair.first;
        const std::string& value = pair.second;
        const auto option = std::find_if(known.begin(), known.end(), [&](const PolicyOption& each) { return each.name == name; });
        if (option == known.end()) { refuse_option(policy, known, name); }
        const auto index = static_cast<std::size_t>(option - known.begin());
        const std::string place = fmt::format("policy {}, option {}", policy, name);
        if (seen[index]) { refuse_value(place, value, "each option once"); }
        if (!is_one_of(value, option->values)) { refuse_value(place, value, std::string(option->values)); }
        seen[index] = true;
        values_[index].second = value;
    }
}

bool PolicyOptions::is_true(std::string_view option) const {
    const auto value = std::find_if(values_.begin(), values_.end(), [&](const auto& each) { return each.first == option; });
    MEDLEY_ASSERT(value != values_.end());
    return value->second == "true";
}

}  // namespace medley::planner
