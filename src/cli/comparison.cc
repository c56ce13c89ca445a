#include "cli/comparison.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "cli/parallel.h"
#include "io/results/json_writer.h"
#include "planner/policies/policy_table.h"
#include "sched/tee_sink.h"

namespace medley::cli {
namespace {

/// One cell of the grid, as positions in its lists.
struct Cell {
    std::size_t workload = 0;
    ComparedRun run;
};

std::vector<Workload> load_workloads(const ComparisonGrid& grid) {
    std::vector<Workload> workloads;
    for (const std::string& trace : grid.traces) {
        for (const std::string& what_if : grid.what_ifs) {
            WorkloadOptions options = grid.workload;
            options.trace = trace;
            options.what_if = what_if;
            options.seed = grid.seeds.front();
            workloads.push_back(load_workload(options));
        }
    }
    return workloads;
}

std::string file_name_part(const std::string& text) {
    std::string part;
    for (const char c : text) {
        const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '+' || c == '.';
        part += plain ? c : '_';
    }
    return part;
}

/// Readable, and unique by its number.
std::string directory_name(const ComparisonGrid& grid, std::size_t number, const ComparedRun& run) {
    std::string name = fmt::format("{:03}-{}", number, file_name_part(run.policy));
    if (grid.traces.size() > 1) { name += "-" + file_name_part(std::filesystem::path(run.trace).stem().string()); }
    if (!run.what_if.empty()) { name += "-" + file_name_part(run.what_if); }
    if (grid.seeds.size() > 1) { name += fmt::format("-seed-{}", run.seed); }
    return name;
}

std::vector<Cell> lay_out(const ComparisonGrid& grid) {
    std::vector<Cell> cells;
    for (std::size_t trace = 0; trace < grid.traces.size(); ++trace) {
        for (std::size_t what_if = 0; what_if < grid.what_ifs.size(); ++what_if) {
            for (const std::string& policy : grid.policies) {
                for (const std::uint64_t seed : grid.seeds) {
                    Cell cell{.workload = trace * grid.what_ifs.size() + what_if, .run = {}};
                    cell.run.trace = grid.traces[trace];
                    cell.run.what_if = grid.what_ifs[what_if];
                    cell.run.policy = policy;
                    cell.run.seed = seed;
                    if (!grid.out.empty()) { cell.run.directory = grid.out + "/" + directory_name(grid, cells.size() + 1, cell.run); }
                    cells.push_back(std::move(cell));
                }
            }
        }
    }
    return cells;
}

void run_cell(const ComparisonGrid& grid, const Workload& workload, ComparedRun& run) {
    const std::unique_ptr<Policy> policy = planner::make_policy(run.policy, workload.rules);
    Metrics metrics(grid.experiment.window);
    FirstRejection rejection;
    std::vector<EventSink*> sinks{&metrics, &rejection};
    if (!run.directory.empty()) {
        run.results = std::make_unique<io::ResultsDirectory>(run.directory);
        sinks.push_back(&run.results->events());
    }
    TeeSink log(sinks);
    run.wall = run_experiment(workload, *policy, grid.experiment, run.seed, log, {});
    run.summary = metrics.summary();
    run.incomplete = rejection.of(run.summary);
    if (!run.results) { return; }
    io::JsonWriter json;
    io::write_summary(json, run.summary, run.wall);
    run.results->finish(metrics, json.text());
}

std::optional<double> mean_of(const std::vector<ComparedRun>& runs, const std::vector<std::size_t>& chosen, const Figure& figure) {
    double total = 0;
    for (const std::size_t run : chosen) {
        const std::optional<double> value = figure.of(runs[run].summary);
        if (!value) { return std::nullopt; }
        total += *value;
    }
    return total / static_cast<double>(chosen.size());
}

bool same_contest(const ComparisonRow& a, const ComparisonRow& b) {
    return a.trace == b.trace && a.what_if == b.what_if && a.information == b.information;
}

// Equal figures share a rank, and the next one counts them all.
std::size_t rank_of(const std::vector<ComparisonRow>& rows, const ComparisonRow& row, std::size_t figure, bool more_is_better) {
    if (!row.means[figure]) { return 0; }
    const auto beats = [&](const ComparisonRow& other) {
        if (!same_contest(row, other) || !other.means[figure]) { return false; }
        return more_is_better ? *other.means[figure] > *row.means[figure] : *other.means[figure] < *row.means[figure];
    };
    return 1 + static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), beats));
}

}  // namespace

const std::vector<Figure>& figures() {
    static const std::vector<Figure> kFigures = {
        {"avg_jct_s", "JCT mean (s)", [](const Summary& of) { return of.avg_jct_s; }},
        {"median_jct_s", "JCT median (s)", [](const Summary& of) { return of.median_jct_s; }},
        {"p99_jct_s", "JCT 99 % (s)", [](const Summary& of) { return of.p99_jct_s; }},
        {"makespan_s", "makespan (s)", [](const Summary& of) { return of.makespan_s; }},
        {"avg_queueing_s", "queueing mean (s)", [](const Summary& of) { return of.avg_queueing_s; }},
        {"avg_bounded_slowdown", "slowdown mean", [](const Summary& of) { return of.avg_bounded_slowdown; }},
        {"utilization", "utilization", [](const Summary& of) { return of.utilization; }, true},
        {"max_ftf_rho", "rho max", [](const Summary& of) { return of.max_ftf_rho; }},
        {"jain_fairness", "Jain", [](const Summary& of) { return of.jain_fairness; }, true},
        {"deadline_miss_fraction", "deadlines missed", [](const Summary& of) { return of.deadline_miss_fraction; }},
        {"cost_usd", "cost (USD)", [](const Summary& of) { return of.cost_usd; }},
        {"energy_kwh", "energy (kWh)", [](const Summary& of) { return of.energy_kwh; }},
        {"resizes", "resizes", [](const Summary& of) { return std::optional(static_cast<double>(of.resizes)); }},
        {"preemptions", "preemptions", [](const Summary& of) { return std::optional(static_cast<double>(of.preemptions)); }},
        {"jobs_completed", "completed", [](const Summary& of) { return std::optional(static_cast<double>(of.jobs_completed)); }, true},
    };
    return kFigures;
}

std::vector<ComparedRun> run_grid(const ComparisonGrid& grid, const Console& console) {
    for (const std::string& policy : grid.policies) { make_named_policy("--policies", policy); }
    const std::vector<Workload> workloads = load_workloads(grid);
    for (std::size_t first = 0; first < workloads.size(); first += grid.what_ifs.size()) {
        note_surprises(console, workloads[first], grid.workload);
    }
    Progress progress(console, "runs");
    std::vector<Cell> cells = lay_out(grid);
    run_in_parallel(
        cells.size(), grid.threads, [&](std::size_t index) { run_cell(grid, workloads[cells[index].workload], cells[index].run); },
        [&](std::size_t done) { progress.update(done, cells.size()); });
    std::vector<ComparedRun> runs;
    for (Cell& cell : cells) { runs.push_back(std::move(cell.run)); }
    return runs;
}

std::vector<ComparisonRow> summarize_runs(const std::vector<ComparedRun>& runs, const Figure& rank_by) {
    std::vector<ComparisonRow> rows;
    for (std::size_t index = 0; index < runs.size(); ++index) {
        const ComparedRun& run = runs[index];
        const bool continues =
            !rows.empty() && rows.back().trace == run.trace && rows.back().what_if == run.what_if && rows.back().policy == run.policy;
        if (!continues) {
            rows.push_back(
                {.trace = run.trace, .what_if = run.what_if, .policy = run.policy, .information = run.summary.information_class});
        }
        rows.back().runs.push_back(index);
    }
    std::size_t ranking = 0;
    for (std::size_t figure = 0; figure < figures().size(); ++figure) {
        for (ComparisonRow& row : rows) { row.means.push_back(mean_of(runs, row.runs, figures()[figure])); }
        if (figures()[figure].key == rank_by.key) { ranking = figure; }
    }
    for (ComparisonRow& row : rows) { row.rank = rank_of(rows, row, ranking, rank_by.more_is_better); }
    return rows;
}

}  // namespace medley::cli
