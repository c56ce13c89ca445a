#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "cli/cmd_trace.h"
#include "cli/options.h"
#include "cli/trace_output.h"
#include "core/error.h"
#include "io/results/json_writer.h"
#include "io/results/trace_formats.h"
#include "io/trace_file.h"

namespace medley::cli {
namespace {

struct Options {
    std::string input;
    std::string output;
    std::string format = "csv";
    Window window;
};

void keep_window(Trace& trace, const Window& window) {
    if (window.whole()) { return; }
    if (window.last > trace.jobs.size()) {
        refuse_value("--window", fmt::format("{}:{}", window.first, window.last), fmt::format("a part of the {} jobs", trace.jobs.size()));
    }
    trace.jobs.erase(trace.jobs.begin() + static_cast<std::ptrdiff_t>(window.last), trace.jobs.end());
    trace.jobs.erase(trace.jobs.begin(), trace.jobs.begin() + static_cast<std::ptrdiff_t>(window.first));
    trace.validate();
}

void print_json(const Console& console, const Options& options, std::size_t jobs) {
    io::JsonWriter json;
    json.begin_object().field("format", 1).field("input", options.input).field("output", options.output);
    json.field("trace_format", options.format).field("jobs", jobs).end_object();
    console.print(json.text());
}

int run(const Console& console, const Options& options) {
    check_trace_output(console, options.output);
    Trace trace = io::load_trace(options.input);
    keep_window(trace, options.window);
    write_trace(console, options.output, io::format_trace_as(options.format, trace));
    const auto lost = io::columns_lost(options.format, trace);
    if (!lost.empty()) { console.note(fmt::format("note: {} cannot hold {}: left out", options.format, fmt::join(lost, ", "))); }
    if (console.json) { print_json(console, options, trace.jobs.size()); }
    return kDone;
}

std::vector<std::string> format_names() {
    const auto formats = io::trace_formats();
    return {formats.begin(), formats.end()};
}

}  // namespace

Work set_up_trace_export(CLI::App& app, const Console& console) {
    const auto options = std::make_shared<Options>();
    app.add_option("input", options->input, "Trace (CSV)")->required()->type_name("IN");
    add_choice(app, "--format", options->format, format_names(), "Format to write (default csv: ours, rows in order)");
    add_window(app, "--window", options->window, "Only jobs FIRST to LAST-1 in order of submission");
    app.add_option("-o,--output", options->output, "File to write (default standard output)")->type_name("OUT");
    return [&console, options] { return run(console, *options); };
}

}  // namespace medley::cli
