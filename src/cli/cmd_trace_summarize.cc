#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/cmd_trace.h"
#include "cli/table.h"
#include "io/results/json_writer.h"
#include "io/trace_file.h"
#include "io/trace_summary.h"

namespace medley::cli {
namespace {

using io::Distribution;
using io::TraceSummary;

void write_distribution(io::JsonWriter& json, const char* name, const std::optional<Distribution>& distribution) {
    json.key(name);
    if (!distribution) {
        json.null();
        return;
    }
    json.begin_object().field("mean", distribution->mean).field("min", distribution->least).field("p10", distribution->p10);
    json.field("median", distribution->median).field("p90", distribution->p90).field("p99", distribution->p99);
    json.field("max", distribution->most).end_object();
}

void print_json(const Console& console, const TraceSummary& summary) {
    io::JsonWriter json;
    json.begin_object().field("format", 1).field("jobs", summary.jobs).field("jobs_in_steps", summary.jobs_in_steps);
    json.field("jobs_on_pools", summary.jobs_on_pools);
    json.field("first_submit_s", summary.first_submit).field("last_submit_s", summary.last_submit);
    json.field("gpu_hours", summary.gpu_hours).field("offered_gpus", summary.offered_gpus);
    write_distribution(json, "duration_s", summary.duration_s);
    write_distribution(json, "gpus", summary.gpus);
    write_distribution(json, "interarrival_s", summary.interarrival_s);
    json.key("jobs_by_gpus").begin_object();
    for (const auto& [gpus, jobs] : summary.jobs_by_gpus) { json.field(fmt::format("{}", gpus), jobs); }
    json.end_object().key("jobs_by_model").begin_object();
    for (const auto& [model, jobs] : summary.jobs_by_model) { json.field(model.text(), jobs); }
    json.end_object().end_object();
    console.print(json.text());
}

std::string overview(const TraceSummary& summary) {
    KeyValues lines;
    lines.add("jobs", fmt::format("{} ({} in steps, {} on whole pools)", summary.jobs, summary.jobs_in_steps, summary.jobs_on_pools));
    lines.add("submitted over", show_duration(summary.last_submit - summary.first_submit));
    lines.add("demand", fmt::format("{} GPU-hours", show_number(summary.gpu_hours)));
    lines.add("mean load", summary.offered_gpus ? fmt::format("{} GPUs", show_number(summary.offered_gpus)) : "-");
    return lines.text();
}

void add_distribution(Table& table, const char* name, const std::optional<Distribution>& distribution) {
    if (!distribution) { return; }
    const Distribution& of = *distribution;
    table.add_row({name, show_number(of.mean), show_number(of.least), show_number(of.p10), show_number(of.median), show_number(of.p90),
                   show_number(of.p99), show_number(of.most)});
}

std::string distributions(const TraceSummary& summary) {
    Table table({{"", Align::kLeft}, {"mean"}, {"min"}, {"p10"}, {"median"}, {"p90"}, {"p99"}, {"max"}});
    add_distribution(table, "duration (s)", summary.duration_s);
    add_distribution(table, "GPUs of a job", summary.gpus);
    add_distribution(table, "between arrivals (s)", summary.interarrival_s);
    return table.rows() > 0 ? "\n" + table.text() : "";
}

std::string share_table(const char* title, const std::vector<std::pair<std::string, std::size_t>>& counts, std::size_t jobs) {
    Table table({{title, Align::kLeft}, {"jobs"}, {"share"}});
    for (const auto& [name, count] : counts) {
        table.add_row({name, fmt::format("{}", count), show_percent(static_cast<double>(count) / static_cast<double>(jobs))});
    }
    return table.rows() > 0 ? "\n" + table.text() : "";
}

void print_tables(const Console& console, const TraceSummary& summary) {
    std::vector<std::pair<std::string, std::size_t>> by_gpus;
    for (const auto& [gpus, jobs] : summary.jobs_by_gpus) { by_gpus.emplace_back(fmt::format("{}", gpus), jobs); }
    if (summary.jobs_on_pools > 0) { by_gpus.emplace_back("pool", summary.jobs_on_pools); }
    std::vector<std::pair<std::string, std::size_t>> by_model;
    for (const auto& [model, jobs] : summary.jobs_by_model) { by_model.emplace_back(model.empty() ? "(unknown)" : model.text(), jobs); }
    console.print(overview(summary) + distributions(summary) + share_table("GPUs", by_gpus, summary.jobs) +
                  share_table("model", by_model, summary.jobs));
}

int run(const Console& console, const std::string& file) {
    const TraceSummary summary = io::summarize(io::load_trace(file));
    console.json ? print_json(console, summary) : print_tables(console, summary);
    return kDone;
}

}  // namespace

Work set_up_trace_summarize(CLI::App& app, const Console& console) {
    const auto file = std::make_shared<std::string>();
    app.add_option("trace", *file, "Trace (CSV)")->required()->type_name("FILE");
    return [&console, file] { return run(console, *file); };
}

}  // namespace medley::cli
