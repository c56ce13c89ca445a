#include "cli/comparison_output.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "cli/table.h"
#include "io/results/csv_line.h"
#include "io/results/json_writer.h"

namespace medley::cli {
namespace {

constexpr const char* kAsItIs = "as it is";

std::string shown(const Figure& figure, const std::optional<double>& value) {
    const bool is_share = figure.key == std::string_view("utilization") || figure.key == std::string_view("deadline_miss_fraction");
    return is_share && value ? show_percent(*value) : show_number(value);
}

bool all_equal(const std::vector<ComparisonRow>& rows, std::string ComparisonRow::*member) {
    return std::all_of(rows.begin(), rows.end(), [&](const ComparisonRow& row) { return row.*member == rows.front().*member; });
}

std::vector<std::size_t> known_figures(const std::vector<ComparisonRow>& rows) {
    std::vector<std::size_t> known;
    for (std::size_t figure = 0; figure < figures().size(); ++figure) {
        if (std::any_of(rows.begin(), rows.end(), [&](const ComparisonRow& row) { return row.means[figure].has_value(); })) {
            known.push_back(figure);
        }
    }
    return known;
}

void write_row(io::JsonWriter& json, const ComparisonRow& row) {
    json.begin_object().field("trace", row.trace).field("what_if", row.what_if).field("policy", row.policy);
    json.field("information_class", to_string(row.information)).field("runs", row.runs.size());
    json.field("rank_in_class", row.rank > 0 ? std::optional(row.rank) : std::nullopt);
    for (std::size_t figure = 0; figure < figures().size(); ++figure) { json.field(figures()[figure].key, row.means[figure]); }
    json.end_object();
}

void write_run(io::JsonWriter& json, const ComparedRun& run) {
    json.begin_object().field("trace", run.trace).field("what_if", run.what_if).field("policy", run.policy).field("seed", run.seed);
    json.field("directory", run.directory.empty() ? std::nullopt : std::optional(run.directory)).key("summary");
    io::write_summary(json, run.summary, run.wall);
    json.end_object();
}

}  // namespace

std::string comparison_table(const std::vector<ComparisonRow>& rows, const Figure& rank_by) {
    const bool one_trace = all_equal(rows, &ComparisonRow::trace);
    const bool one_cluster = all_equal(rows, &ComparisonRow::what_if);
    const std::vector<std::size_t> shown_figures = known_figures(rows);
    std::vector<Column> columns;
    if (!one_trace) { columns.push_back({"trace", Align::kLeft}); }
    if (!one_cluster) { columns.push_back({"cluster", Align::kLeft}); }
    for (const char* title : {"policy", "knows"}) { columns.push_back({title, Align::kLeft}); }
    columns.push_back({"rank"});
    for (const std::size_t figure : shown_figures) { columns.push_back({figures()[figure].title}); }
    Table table(columns);
    for (const ComparisonRow& row : rows) {
        std::vector<std::string> cells;
        if (!one_trace) { cells.push_back(row.trace); }
        if (!one_cluster) { cells.push_back(row.what_if.empty() ? kAsItIs : row.what_if); }
        cells.push_back(row.policy);
        cells.emplace_back(to_string(row.information));
        cells.push_back(row.rank > 0 ? fmt::format("{}", row.rank) : "-");
        for (const std::size_t figure : shown_figures) { cells.push_back(shown(figures()[figure], row.means[figure])); }
        table.add_row(std::move(cells));
    }
    const std::string seeds = rows.front().runs.size() > 1 ? fmt::format("; means over {} seeds", rows.front().runs.size()) : "";
    return table.text() + fmt::format("rank: by {} among policies that know the same (1 = best){}\n", rank_by.title, seeds);
}

std::string comparison_json(const std::vector<ComparedRun>& runs, const std::vector<ComparisonRow>& rows, const Figure& rank_by) {
    io::JsonWriter json;
    json.begin_object().field("format", 1).field("ranked_by", rank_by.key).key("rows").begin_array();
    for (const ComparisonRow& row : rows) { write_row(json, row); }
    json.end_array().key("runs").begin_array();
    for (const ComparedRun& run : runs) { write_run(json, run); }
    json.end_array().end_object();
    return json.text();
}

std::string comparison_csv(const std::vector<ComparisonRow>& rows) {
    std::string text = "trace,what_if,policy,information_class,runs,rank_in_class";
    for (const Figure& figure : figures()) { text += fmt::format(",{}", figure.key); }
    text += '\n';
    for (const ComparisonRow& row : rows) {
        io::CsvLine line(text);
        line.text(row.trace).text(row.what_if).text(row.policy).text(to_string(row.information));
        line.whole(static_cast<std::int64_t>(row.runs.size())).whole(static_cast<std::int64_t>(row.rank));
        for (const std::optional<double>& mean : row.means) { line.number(mean); }
        line.end();
    }
    return text;
}

}  // namespace medley::cli
