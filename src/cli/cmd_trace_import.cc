#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "cli/cmd_trace.h"
#include "cli/import_options.h"
#include "cli/options.h"
#include "cli/table.h"
#include "cli/trace_output.h"
#include "core/error.h"
#include "io/availability_file.h"
#include "io/cluster_writing.h"
#include "io/importers/importer.h"
#include "io/results/json_writer.h"
#include "io/trace_file.h"

namespace medley::cli {
namespace {

struct Options {
    std::string format;
    std::string input;
    std::string output;
    std::string cluster_output;
    std::string availability_output;
    ImportChoices choices;
    std::uint64_t seed = 0;
};

void write_counts(io::JsonWriter& json, const char* name, const io::RowCounts& counts) {
    json.key(name).begin_object();
    for (const auto& [reason, rows] : counts) { json.field(reason, rows); }
    json.end_object();
}

void write_texts(io::JsonWriter& json, const char* name, const std::vector<std::string>& texts) {
    json.key(name).begin_array();
    for (const std::string& text : texts) { json.value(text); }
    json.end_array();
}

void write_output(io::JsonWriter& json, const char* name, const std::string& path) {
    json.key(name);
    path.empty() ? json.null() : json.value(path);
}

void print_json(const Console& console, const Options& options, const io::Import& imported) {
    const io::ImportReport& report = imported.report;
    io::JsonWriter json;
    json.begin_object().field("format", 1).field("source_format", options.format).field("input", options.input);
    write_output(json, "output", options.output);
    write_output(json, "cluster_output", options.cluster_output);
    write_output(json, "availability_output", options.availability_output);
    json.field("rows", report.rows).field("jobs", imported.trace.jobs.size());
    json.field("capacity_changes", imported.capacity.size());
    write_counts(json, "dropped", report.dropped);
    write_counts(json, "changed", report.changed);
    write_counts(json, "added", report.added);
    json.field("duration_meaning", report.duration_meaning).field("time_rule", report.time_rule).field("origin", report.origin);
    write_texts(json, "files", report.files);
    write_texts(json, "notes", report.notes);
    json.end_object();
    console.print(json.text());
}

void add_counts(KeyValues& lines, const char* label, const io::RowCounts& counts) {
    for (const auto& [reason, rows] : counts) { lines.add(label, fmt::format("{}: {}", rows, reason)); }
}

void print_report(const Console& console, const Options& options, const io::Import& imported) {
    const io::ImportReport& report = imported.report;
    KeyValues lines;
    lines.add("read", fmt::format("{}", fmt::join(report.files, ", ")));
    lines.add("rows read", fmt::format("{}", report.rows));
    add_counts(lines, "dropped", report.dropped);
    add_counts(lines, "changed", report.changed);
    add_counts(lines, "added", report.added);
    lines.add("jobs", fmt::format("{}", imported.trace.jobs.size()));
    if (!imported.capacity.empty()) { lines.add("capacity changes", fmt::format("{}", imported.capacity.size())); }
    if (imported.cluster) { lines.add("GPUs of the cluster", fmt::format("{}", imported.cluster->total_gpus())); }
    if (!report.duration_meaning.empty()) { lines.add("duration_s is", report.duration_meaning); }
    if (!report.time_rule.empty()) { lines.add("times are", report.time_rule); }
    if (!report.origin.empty()) { lines.add("second 0 is", report.origin); }
    for (const std::string& note : report.notes) { lines.add("note", note); }
    if (!console.quiet) {
        for (const std::string* path : {&options.output, &options.cluster_output, &options.availability_output}) {
            if (!path->empty()) { lines.add("written to", *path); }
        }
    }
    console.print(lines.text());
}

/// The outputs asked for must be ones that the source gives. All are checked before any is written.
void check_outputs(const Options& options, const io::Importer& importer, const io::Import& imported) {
    if (!options.output.empty() && importer.kind() == io::SourceKind::kCapacity) {
        refuse_value("--output", options.output, "--availability-out: this format holds capacity, no jobs");
    }
    if (!options.cluster_output.empty() && !imported.cluster) {
        refuse_value("--cluster-out", options.cluster_output, "a source that tells its cluster");
    }
    if (!options.availability_output.empty() && imported.capacity.empty()) {
        refuse_value("--availability-out", options.availability_output, "a source whose capacity changes");
    }
}

void write_outputs(const Console& console, const Options& options, const io::Import& imported) {
    if (!options.output.empty()) { write_trace(console, options.output, io::format_trace(imported.trace)); }
    if (!options.cluster_output.empty()) { write_trace(console, options.cluster_output, io::format_cluster(*imported.cluster)); }
    if (!options.availability_output.empty()) {
        write_trace(console, options.availability_output, io::format_availability(imported.capacity));
    }
}

int run(const Console& console, const Options& options) {
    require_plain_name("--output", options.output);
    require_plain_name("--cluster-out", options.cluster_output);
    require_plain_name("--availability-out", options.availability_output);
    const io::Importer* importer = naming_option("--format", [&] { return &io::find_importer(options.format); });
    const io::ImportOptions import_options = read_import_options(options.choices, options.seed);
    const io::Import imported = importer->import(std::filesystem::path(options.input), import_options);
    check_outputs(options, *importer, imported);
    write_outputs(console, options, imported);
    if (console.json) {
        print_json(console, options, imported);
    } else {
        print_report(console, options, imported);
    }
    return kDone;
}

std::string format_help() {
    std::string text = "Format of the input:";
    for (const io::Importer* importer : io::importers()) { text += fmt::format(" {} ({})", importer->name(), importer->description()); }
    return text;
}

}  // namespace

Work set_up_trace_import(CLI::App& app, const Console& console) {
    const auto options = std::make_shared<Options>();
    app.add_option("input", options->input, "File or folder to import")->required()->type_name("IN");
    app.add_option("--format", options->format, format_help())->required()->type_name("NAME");
    app.add_option("-o,--output", options->output, "Trace to write (CSV); without it, only the report")->type_name("OUT");
    app.add_option("--cluster-out", options->cluster_output, "Cluster to write (YAML), where the source tells it")->type_name("FILE");
    app.add_option("--availability-out", options->availability_output, "Capacity over time to write (CSV), where it changes")
        ->type_name("FILE");
    add_import_options(app, options->choices);
    add_seed(app, options->seed);
    return [&console, options] { return run(console, *options); };
}

}  // namespace medley::cli
