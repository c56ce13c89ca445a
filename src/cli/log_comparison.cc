#include "cli/log_comparison.h"

#include <cmath>
#include <filesystem>
#include <unordered_map>

#include <fmt/format.h>

#include "cli/comparison.h"
#include "cli/table.h"
#include "io/results/event_log_reader.h"
#include "io/results/json_writer.h"

namespace medley::cli {
namespace {

void read_log(const std::string& directory, Metrics& metrics) {
    io::EventLogReader(std::filesystem::path(directory) / "events.jsonl").read_into(metrics);
}

std::unordered_map<std::string_view, double> completion_times(const Metrics& metrics) {
    std::unordered_map<std::string_view, double> times;
    for (std::size_t index = 0; index < metrics.job_count(); ++index) {
        const JobRow row = metrics.row(index);
        if (row.jct_s && *row.jct_s > 0) { times.emplace(row.id, *row.jct_s); }
    }
    return times;
}

// In the order of the simulated log, so that the sum does not depend on a hash table.
void match_jobs(const Metrics& simulated, const Metrics& executed, LogComparison& comparison) {
    const auto measured = completion_times(executed);
    double total = 0;
    for (std::size_t index = 0; index < simulated.job_count(); ++index) {
        const JobRow row = simulated.row(index);
        const auto found = measured.find(row.id);
        if (!row.jct_s || found == measured.end()) { continue; }
        const double error = std::abs(*row.jct_s / found->second - 1);
        ++comparison.jobs_matched;
        total += error;
        if (comparison.max_jct_error && error <= *comparison.max_jct_error) { continue; }
        comparison.max_jct_error = error;
        comparison.max_error_job = std::string(row.id);
    }
    if (comparison.jobs_matched > 0) { comparison.mean_jct_error = total / static_cast<double>(comparison.jobs_matched); }
}

std::optional<double> relative_difference(const std::optional<double>& simulated, const std::optional<double>& executed) {
    if (!simulated || !executed || *executed == 0) { return std::nullopt; }
    return *simulated / *executed - 1;
}

}  // namespace

LogComparison compare_logs(const std::string& simulated, const std::string& executed) {
    Metrics simulated_metrics, executed_metrics;
    read_log(simulated, simulated_metrics);
    read_log(executed, executed_metrics);
    LogComparison comparison{.simulated = simulated_metrics.summary(), .executed = executed_metrics.summary()};
    match_jobs(simulated_metrics, executed_metrics, comparison);
    return comparison;
}

std::string log_comparison_table(const LogComparison& comparison) {
    Table table({{"figure", Align::kLeft}, {"simulated"}, {"executed"}, {"difference"}});
    for (const Figure& figure : figures()) {
        const auto simulated = figure.of(comparison.simulated);
        const auto executed = figure.of(comparison.executed);
        if (!simulated && !executed) { continue; }
        const auto difference = relative_difference(simulated, executed);
        table.add_row(
            {figure.title, show_number(simulated), show_number(executed), difference ? fmt::format("{:+.1f} %", 100 * *difference) : "-"});
    }
    std::string text = table.text() + fmt::format("jobs completed in both: {}\n", comparison.jobs_matched);
    if (!comparison.max_jct_error) { return text; }
    return text + fmt::format("JCT of one job is off by {} on average, by {} at most (job {})\n", show_percent(*comparison.mean_jct_error),
                              show_percent(*comparison.max_jct_error), comparison.max_error_job);
}

std::string log_comparison_json(const LogComparison& comparison) {
    io::JsonWriter json;
    json.begin_object().field("format", 1).key("figures").begin_object();
    for (const Figure& figure : figures()) {
        const auto simulated = figure.of(comparison.simulated);
        const auto executed = figure.of(comparison.executed);
        json.key(figure.key).begin_object().field("simulated", simulated).field("executed", executed);
        json.field("relative_difference", relative_difference(simulated, executed)).end_object();
    }
    json.end_object().field("jobs_matched", comparison.jobs_matched).field("mean_jct_error", comparison.mean_jct_error);
    json.field("max_jct_error", comparison.max_jct_error);
    json.field("max_error_job", comparison.max_jct_error ? std::optional(comparison.max_error_job) : std::nullopt).end_object();
    return json.text();
}

}  // namespace medley::cli
