#include <memory>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/cluster_output.h"
#include "cli/cmd_cluster.h"
#include "cli/options.h"
#include "cli/trace_output.h"
#include "core/error.h"
#include "io/cluster_writing.h"
#include "io/results/output_file.h"
#include "io/site_rules_file.h"
#include "io/slurm/cluster_import.h"
#include "io/slurm/rules_import.h"
#include "io/slurm/times.h"
#include "io/text_file.h"

namespace medley::cli {
namespace {

namespace slurm = io::slurm;

struct Options {
    std::vector<std::string> inputs;
    std::string format;
    std::string output;
    std::string rules;
    std::string origin;
    std::string time_zone;
    std::string type_names;
    slurm::ClusterChoices choices;
};

slurm::SiteFiles read_files(const std::vector<std::string>& inputs) {
    std::vector<slurm::OutputFile> files;
    for (const std::string& input : inputs) { files.push_back({.name = input, .text = io::read_text_file(input)}); }
    return slurm::sort_files(std::move(files));
}

slurm::RulesChoices rules_choices(const Options& options) {
    slurm::RulesChoices choices{.type_names = options.choices.type_names};
    choices.zone =
        naming_option("--time-zone", [&] { return options.time_zone.empty() ? io::ZoneRule() : io::ZoneRule(options.time_zone); });
    choices.has_origin = !options.origin.empty();
    if (!choices.has_origin) { return choices; }
    constexpr std::string_view kUtc = " UTC";  // as the report of an import writes it
    const bool utc = options.origin.ends_with(kUtc);
    const std::string text = utc ? options.origin.substr(0, options.origin.size() - kUtc.size()) : options.origin;
    const auto origin = slurm::to_moment(text, utc ? io::ZoneRule() : choices.zone);
    if (!origin) { refuse_value("--origin", options.origin, "a time such as 2026-06-24T06:26:44, or seconds since 1970"); }
    choices.origin = *origin;
    return choices;
}

/// What is to be written, all of it known before any file is.
struct Outcome {
    slurm::ImportedCluster cluster;
    std::string cluster_text;
    std::optional<std::string> rules_text;
    std::vector<std::string> notes;
};

Outcome import_site(const Options& options) {
    const slurm::SiteFiles files = read_files(options.inputs);
    Outcome outcome{.cluster = slurm::import_cluster(files, options.choices)};
    add_catalogue_figures(outcome.cluster.cluster);
    outcome.cluster_text = io::format_cluster(outcome.cluster.cluster, "Slurm's own list of nodes; figures of the types: the catalogue");
    outcome.notes = outcome.cluster.notes;
    if (!options.rules.empty()) {
        const slurm::ImportedRules imported = slurm::import_rules(files, outcome.cluster, rules_choices(options));
        outcome.rules_text = io::format_site_rules(imported.rules);
        outcome.notes.insert(outcome.notes.end(), imported.notes.begin(), imported.notes.end());
    }
    return outcome;
}

void write(const Console& console, const Options& options, const Outcome& outcome) {
    if (!outcome.rules_text) { return write_trace(console, options.output, outcome.cluster_text); }
    io::OutputFile rules(options.rules);
    rules.write(*outcome.rules_text);
    rules.finish();
    write_trace(console, options.output, outcome.cluster_text);
    rules.commit();
}

void print_json(const Console& console, const Outcome& outcome) {
    io::JsonWriter json;
    json.begin_object().field("format", 1);
    add_cluster_fields(json, outcome.cluster.cluster);
    json.key("nodes_dropped").begin_object();
    for (const auto& [reason, nodes] : outcome.cluster.dropped) { json.field(reason, nodes); }
    json.end_object().key("notes").begin_array();
    for (const std::string& note : outcome.notes) { json.value(note); }
    json.end_array().end_object();
    console.print(json.text());
}

void report(const Console& console, const Options& options, const Outcome& outcome) {
    if (console.json) { return print_json(console, outcome); }
    for (const auto& [reason, nodes] : outcome.cluster.dropped) { console.note(fmt::format("left out: {} nodes ({})", nodes, reason)); }
    for (const std::string& note : outcome.notes) { console.note(fmt::format("note: {}", note)); }
    if (to_standard_output(options.output)) { return; }
    console.print(cluster_table(outcome.cluster.cluster));
    console.note(fmt::format("written to {}{}", options.output, options.rules.empty() ? "" : " and " + options.rules));
}

void check(const Console& console, const Options& options) {
    check_trace_output(console, options.output);
    if (!options.rules.empty()) { require_plain_name("--rules", options.rules); }
    if (options.rules.empty() && !options.origin.empty()) {
        throw Error(Problem{.place = "--origin", .expected = "--rules FILE beside it: a cluster file has no times"});
    }
}

int run(const Console& console, Options& options) {
    check(console, options);
    options.choices.type_names = naming_option("--type-names", [&] { return slurm::parse_type_names(options.type_names); });
    const Outcome outcome = import_site(options);
    write(console, options, outcome);
    report(console, options, outcome);
    return kDone;
}

}  // namespace

Work set_up_cluster_import(CLI::App& app, const Console& console) {
    const auto options = std::make_shared<Options>();
    app.add_option("input", options->inputs,
                   "What Slurm prints, a file each, in any order: scontrol show nodes (or sinfo), config, partition, reservation; "
                   "sacctmgr -P show qos, assoc")
        ->required()
        ->type_name("IN...");
    add_choice(app, "--format", options->format, {"slurm"}, "Where the output comes from")->required()->type_name("NAME");
    app.add_option("-o,--output", options->output, "Cluster file to write (YAML); default: standard output")->type_name("FILE");
    app.add_option("--rules", options->rules, "Also write the site's rules (YAML), for simulate and compare")->type_name("FILE");
    app.add_option("--origin", options->origin, "The trace's second 0, as its import says: places reservations and phases")
        ->type_name("TIME");
    app.add_option("--time-zone", options->time_zone, "Of times without a zone (default UTC): +08:00, PST8PDT,M3.2.0,M11.1.0")
        ->type_name("ZONE");
    app.add_option("--type-names", options->type_names, "Other names for GPU types: a100=A100-80GB,v100=V100")->type_name("LIST");
    app.add_option("--untyped", options->choices.untyped_name, "Type of GPUs that Slurm knows no type of (default gpu)")->type_name("TYPE");
    app.add_flag("--keep-unavailable", options->choices.keep_unavailable, "Count nodes that are down, drained or failed");
    app.add_flag("--node-by-node", options->choices.node_by_node, "A group for each node, for policies that place on nodes");
    return [&console, options] { return run(console, *options); };
}

}  // namespace medley::cli
