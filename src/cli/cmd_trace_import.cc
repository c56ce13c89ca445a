#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/cmd_trace.h"
#include "cli/options.h"
#include "cli/table.h"
#include "cli/trace_output.h"
#include "io/importers/importer.h"
#include "io/results/json_writer.h"
#include "io/trace_file.h"

namespace medley::cli {
namespace {

struct Options {
    std::string format;
    std::string input;
    std::string output;
    std::string models;
    std::string reference_gpu_type;
    std::uint64_t seed = 0;
};

void write_counts(io::JsonWriter& json, const char* name, const std::map<std::string, std::size_t>& counts) {
    json.key(name).begin_object();
    for (const auto& [reason, rows] : counts) { json.field(reason, rows); }
    json.end_object();
}

void print_json(const Console& console, const Options& options, const io::Import& imported) {
    io::JsonWriter json;
    json.begin_object().field("format", 1).field("source_format", options.format).field("input", options.input);
    json.field("output", options.output).field("rows", imported.report.rows).field("jobs", imported.trace.jobs.size());
    write_counts(json, "dropped", imported.report.dropped);
    write_counts(json, "changed", imported.report.changed);
    json.field("duration_meaning", imported.report.duration_meaning).end_object();
    console.print(json.text());
}

void print_report(const Console& console, const Options& options, const io::Import& imported) {
    KeyValues lines;
    lines.add("rows read", fmt::format("{}", imported.report.rows));
    lines.add("jobs written", fmt::format("{}", imported.trace.jobs.size()));
    for (const auto& [reason, rows] : imported.report.dropped) { lines.add("dropped", fmt::format("{}: {}", rows, reason)); }
    for (const auto& [reason, rows] : imported.report.changed) { lines.add("changed", fmt::format("{}: {}", rows, reason)); }
    lines.add("duration_s is", imported.report.duration_meaning);
    if (!console.quiet) { lines.add("written to", options.output); }
    console.print(lines.text());
}

int run(const Console& console, const Options& options) {
    require_plain_name("--output", options.output);
    io::ImportOptions import_options{.seed = options.seed, .models = {}, .reference_gpu_type = Name(options.reference_gpu_type)};
    if (!options.models.empty()) {
        import_options.models = naming_option("--models", [&] { return io::parse_model_choices(options.models); });
    }
    const io::Importer* importer = naming_option("--format", [&] { return &io::find_importer(options.format); });
    const io::Import imported = importer->import(options.input, import_options);
    write_trace(console, options.output, io::format_trace(imported.trace));
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
    app.add_option("-o,--output", options->output, "Trace to write (CSV)")->required()->type_name("OUT");
    app.add_option("--models", options->models, "Give jobs without a model one of these, evenly at random: NAME[=BATCH],...")
        ->type_name("LIST");
    app.add_option("--reference-gpu-type", options->reference_gpu_type, "The GPU type that durations were measured on")->type_name("TYPE");
    add_seed(app, options->seed);
    return [&console, options] { return run(console, *options); };
}

}  // namespace medley::cli
