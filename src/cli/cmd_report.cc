#include "cli/cmd_report.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/options.h"
#include "cli/pictures.h"
#include "io/report/perfetto.h"
#include "io/report/results_reader.h"
#include "io/results/json_writer.h"

namespace medley::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
    std::vector<std::string> directories;
    std::string output;
    std::string title;
    std::string perfetto;
};

/// Each directory once: a run that stands twice in a report would be counted twice in its means.
void require_distinct(const std::vector<std::string>& directories) {
    std::vector<fs::path> seen;
    for (const std::string& directory : directories) {
        const fs::path path = fs::weakly_canonical(directory);
        for (const fs::path& other : seen) {
            if (other == path) { refuse_value("DIR", directory, "each directory once"); }
        }
        seen.push_back(path);
    }
}

/// Trace events of the one run that there is.
void write_trace_events(io::OutputFile& file, const Options& options) {
    const std::unique_ptr<io::RunRecord> run = io::read_run(options.directories.front());
    io::write_perfetto(file, run->spans, run->metrics);
    file.finish();
}

void check(const Options& options) {
    io::require_report_page();
    require_plain_name("--output", options.output);
    require_plain_name("--perfetto", options.perfetto);
    require_distinct(options.directories);
    const bool one_run = options.directories.size() == 1 && !io::is_comparison(options.directories.front());
    if (!options.perfetto.empty() && !one_run) {
        refuse_value("--perfetto", options.perfetto, "one results directory, since trace events are of one run");
    }
}

/// Beside the results; of several, in the current directory.
std::string output_of(const Options& options) {
    if (!options.output.empty()) { return options.output; }
    return options.directories.size() == 1 ? (fs::path(options.directories.front()) / "report.html").string() : "report.html";
}

int run(const Console& console, const Options& options) {
    check(options);
    const std::string file = output_of(options);
    io::ReportDocument document = document_of(options.directories);
    if (!options.title.empty()) { document.title = options.title; }
    std::optional<io::OutputFile> trace_events;
    if (!options.perfetto.empty()) { write_trace_events(trace_events.emplace(options.perfetto), options); }
    io::OutputFile output(file);
    io::write_report(output, document);
    output.commit();
    if (trace_events) { trace_events->commit(); }
    if (console.json) {
        io::JsonWriter json;
        json.begin_object().field("format", 1).field("output", file).field("runs", document.runs.size());
        json.field("size_bytes", fs::file_size(file)).end_object();
        console.print(json.text());
    } else {
        console.print(fmt::format("{}\n", file));
    }
    return kDone;
}

}  // namespace

Work set_up_report(CLI::App& app, const Console& console) {
    const auto options = std::make_shared<Options>();
    app.add_option("directories", options->directories, "Results of simulate or run, or of a comparison; several are set side by side")
        ->required()
        ->type_name("DIR");
    app.add_option("-o,--output", options->output, "The HTML file (default: report.html in DIR; of several DIRs, here)")->type_name("FILE");
    app.add_option("--title", options->title, "In place of the title made up from the results")->type_name("TEXT");
    app.add_option("--perfetto", options->perfetto, "Also write the one run's timeline as trace events, for ui.perfetto.dev")
        ->type_name("FILE");
    return [&console, options] { return run(console, *options); };
}

}  // namespace medley::cli
