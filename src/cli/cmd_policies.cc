#include "cli/cmd_policies.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/experiment.h"
#include "cli/table.h"
#include "core/error.h"
#include "io/results/json_writer.h"
#include "planner/policies/policy_table.h"

namespace medley::cli {
namespace {

using planner::PolicyInfo;
using planner::PolicyOption;

void write_policy(io::JsonWriter& json, const PolicyInfo& policy) {
    json.begin_object().field("name", policy.name).field("description", policy.description);
    json.field("information_class", to_string(policy.information)).key("options").begin_array();
    for (const PolicyOption& option : policy.options) {
        json.begin_object().field("name", option.name).field("values", option.values).field("default", option.default_value);
        json.field("description", option.description).end_object();
    }
    json.end_array().end_object();
}

void print_json(const Console& console, std::span<const PolicyInfo> policies) {
    io::JsonWriter json;
    json.begin_object().field("format", 1).key("policies").begin_array();
    for (const PolicyInfo& policy : policies) { write_policy(json, policy); }
    json.end_array().end_object();
    console.print(json.text());
}

std::string option_names(const PolicyInfo& policy) {
    std::string names;
    for (const PolicyOption& option : policy.options) { names += fmt::format("{}{}", names.empty() ? "" : ", ", option.name); }
    return names;
}

void print_all(const Console& console) {
    Table table({{"policy", Align::kLeft}, {"knows", Align::kLeft}, {"description", Align::kLeft}, {"options", Align::kLeft}});
    for (const PolicyInfo& policy : planner::known_policies()) {
        table.add_row({std::string(policy.name), to_string(policy.information), std::string(policy.description), option_names(policy)});
    }
    console.print(table.text());
}

void print_one(const Console& console, const PolicyInfo& policy) {
    console.print(fmt::format("{}: {} (knows: {})\n", policy.name, policy.description, to_string(policy.information)));
    if (policy.options.empty()) { return console.print("No options.\n"); }
    Table table({{"option", Align::kLeft}, {"values", Align::kLeft}, {"default", Align::kLeft}, {"description", Align::kLeft}});
    for (const PolicyOption& option : policy.options) {
        table.add_row(
            {std::string(option.name), std::string(option.values), std::string(option.default_value), std::string(option.description)});
    }
    console.print(table.text());
}

std::span<const PolicyInfo> find_policy(const std::string& name) {
    const auto policies = planner::known_policies();
    const auto found = std::find_if(policies.begin(), policies.end(), [&](const PolicyInfo& policy) { return policy.name == name; });
    if (found == policies.end()) { make_named_policy("policy", name); }  // words the refusal, with the nearest known name
    MEDLEY_ASSERT(found != policies.end());
    return {found, 1};
}

int run(const Console& console, const std::string& name) {
    const std::span<const PolicyInfo> shown = name.empty() ? planner::known_policies() : find_policy(name);
    if (console.json) {
        print_json(console, shown);
    } else if (name.empty()) {
        print_all(console);
    } else {
        print_one(console, shown.front());
    }
    return kDone;
}

}  // namespace

Work set_up_policies(CLI::App& app, const Console& console) {
    const auto name = std::make_shared<std::string>();
    app.add_option("name", *name, "Show one policy with its options");
    return [&console, name] { return run(console, *name); };
}

}  // namespace medley::cli
