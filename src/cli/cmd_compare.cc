#include "cli/cmd_compare.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/comparison.h"
#include "cli/comparison_output.h"
#include "cli/interruption.h"
#include "cli/log_comparison.h"
#include "cli/options.h"
#include "cli/pictures.h"
#include "cli/start_comparison.h"
#include "cli/table.h"
#include "core/error.h"
#include "io/results/new_directory.h"

namespace medley::cli {
namespace {

constexpr std::int64_t kMostThreads = 1024;

struct Options {
    ComparisonGrid grid;
    std::string policies;
    std::string seeds = "0";
    std::vector<std::string> what_ifs;
    std::string simulated;
    std::string executed;
    bool report = false;
    std::string recorded;
    Seconds within{60};
    std::string rank_by = figures().front().key;
    std::int64_t threads = std::max(1U, std::thread::hardware_concurrency());
};

std::vector<std::uint64_t> parse_seeds(const std::string& text) {
    std::vector<std::uint64_t> seeds;
    for (const std::string& part : parse_list("--seeds", text, ',')) {
        const auto seed = static_cast<std::uint64_t>(parse_whole("--seeds", part, 0, std::numeric_limits<std::int64_t>::max()));
        if (std::find(seeds.begin(), seeds.end(), seed) != seeds.end()) { refuse_value("--seeds", part, "each seed once"); }
        seeds.push_back(seed);
    }
    return seeds;
}

void require_distinct(const std::string& option, const std::vector<std::string>& values) {
    for (std::size_t index = 0; index < values.size(); ++index) {
        if (std::find(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(index), values[index]) !=
            values.begin() + static_cast<std::ptrdiff_t>(index)) {
            refuse_value(option, values[index], "each once");
        }
    }
}

ComparisonGrid make_grid(const Options& options) {
    ComparisonGrid grid = options.grid;
    grid.policies = parse_list("--policies", options.policies, ';');
    grid.seeds = parse_seeds(options.seeds);
    grid.what_ifs = {""};
    grid.what_ifs.insert(grid.what_ifs.end(), options.what_ifs.begin(), options.what_ifs.end());
    grid.threads = static_cast<int>(options.threads);
    require_distinct("--policies", grid.policies);
    require_distinct("--trace", grid.traces);
    require_distinct("--what-if", grid.what_ifs);
    return grid;
}

const Figure& find_figure(const std::string& key) {
    return *std::find_if(figures().begin(), figures().end(), [&](const Figure& figure) { return figure.key == key; });
}

/// Everything was written under temporary names; only now does it become visible.
void commit(std::vector<ComparedRun>& runs, const ComparisonGrid& grid, const std::string& json, const std::string& csv) {
    io::OutputFile json_file(grid.out + "/comparison.json");
    json_file.write(json);
    json_file.finish();
    io::OutputFile csv_file(grid.out + "/comparison.csv");
    csv_file.write(csv);
    csv_file.finish();
    for (ComparedRun& run : runs) { run.results->commit(); }
    csv_file.commit();
    json_file.commit();
}

int run_starts(const Console& console, const Options& options) {
    const StartComparison comparison = compare_starts(options.simulated, options.recorded, options.within);
    console.print(console.json ? start_comparison_json(comparison) : start_comparison_table(comparison));
    return kDone;
}

int run_logs(const Console& console, const Options& options) {
    if (!options.recorded.empty()) { return run_starts(console, options); }
    const LogComparison comparison = compare_logs(options.simulated, options.executed);
    console.print(console.json ? log_comparison_json(comparison) : log_comparison_table(comparison));
    return kDone;
}

/// One note for the whole grid, so that a table of means is not taken for one of completed jobs.
void note_incomplete_runs(const Console& console, const std::vector<ComparedRun>& runs) {
    Incomplete total;
    std::size_t affected = 0;
    for (const ComparedRun& run : runs) {
        const Incomplete& incomplete = run.incomplete;
        affected += incomplete.rejected + incomplete.unfinished > 0;
        if (total.rejected == 0) { total.first_rejected = incomplete.first_rejected; }
        total.rejected += incomplete.rejected;
        total.unfinished += incomplete.unfinished;
    }
    note_incomplete(console, total, fmt::format(", in {} of {}", affected, count_of(runs.size(), "run")));
}

int run_simulations(const Console& console, const Options& options) {
    if (options.report) { io::require_report_page(); }
    const ComparisonGrid grid = make_grid(options);
    const Figure& rank_by = find_figure(options.rank_by);
    const InterruptionGuard guard;
    std::optional<io::NewDirectory> directory;
    if (!grid.out.empty()) { directory.emplace(grid.out); }
    std::vector<ComparedRun> runs = run_grid(grid, console);
    const std::vector<ComparisonRow> rows = summarize_runs(runs, rank_by);
    const std::string json = comparison_json(runs, rows, rank_by);
    if (directory) {
        commit(runs, grid, json, comparison_csv(rows));
        directory->keep();
        if (options.report) { write_report_of({grid.out}, grid.out + "/report.html"); }
    }
    console.print(console.json ? json : comparison_table(rows, rank_by));
    note_incomplete_runs(console, runs);
    if (directory) {
        console.note(fmt::format("written to {}: comparison.json, comparison.csv, a directory for each run{}", grid.out,
                                 options.report ? ", report.html" : ""));
    }
    return kDone;
}

int run(const Console& console, const Options& options) {
    return options.simulated.empty() ? run_simulations(console, options) : run_logs(console, options);
}

std::vector<std::string> figure_keys() {
    std::vector<std::string> keys;
    for (const Figure& figure : figures()) { keys.emplace_back(figure.key); }
    return keys;
}

void add_log_options(CLI::App& app, Options& options) {
    CLI::Option* simulated =
        app.add_option("--simulated", options.simulated, "Results directory whose event log is compared with --executed or --recorded");
    CLI::Option* executed = app.add_option("--executed", options.executed, "Results directory of a real run of the same jobs");
    CLI::Option* recorded =
        app.add_option("--recorded", options.recorded, "Trace whose recorded start times the simulated ones are compared with");
    simulated->type_name("DIR");
    executed->type_name("DIR")->needs(simulated)->excludes(recorded);
    recorded->type_name("FILE")->needs(simulated);
    add_duration(app, "--within", options.within, "With --recorded: the error that counts as small (default 60 s, two scheduling cycles)")
        ->needs(recorded);
}

/// Simulations need a workload; a comparison of two logs brings its own.
void require_workload_unless_logs(CLI::App& app) {
    app.get_option("--cluster")->required(false);
    app.callback([&app] {
        for (const char* name : {"--trace", "--cluster", "--policies"}) {
            const bool given = app.count(name) > 0;
            if (app.count("--simulated") == 0 && !given) { throw CLI::RequiredError(name); }
            if (app.count("--simulated") > 0 && given) { throw CLI::ExcludesError(name, "--simulated"); }
        }
        if (app.count("--simulated") > 0 && app.count("--executed") + app.count("--recorded") == 0) {
            throw CLI::RequiredError("--executed or --recorded");
        }
    });
}

}  // namespace

Work set_up_compare(CLI::App& app, const Console& console) {
    const auto options = std::make_shared<Options>();
    app.add_option("--trace", options->grid.traces, "Trace (CSV); may be given several times")->type_name("FILE");
    add_workload_options(app, options->grid.workload);
    app.add_option("--policies", options->policies, "Policies, with ';' between (see medley policies)")
        ->type_name("'NAME[:key=value,...];...'");
    app.add_option("--seeds,--seed", options->seeds, "Seeds, with ',' between (default 0)")->type_name("N,...");
    app.add_option("--what-if", options->what_ifs, "Also with a changed cluster, as in '+8 H100' or '-4 K80'; may be given several times")
        ->type_name("'+N TYPE'");
    add_experiment_options(app, options->grid.experiment);
    add_choice(app, "--rank-by", options->rank_by, figure_keys(), "Figure that ranks (default avg_jct_s)")->type_name("FIELD");
    add_whole(app, "--threads", options->threads, {1, kMostThreads}, "Runs at the same time (default: all processors)");
    app.add_option("--out", options->grid.out, "Directory for comparison.json, comparison.csv and the results of every run")
        ->type_name("DIR");
    app.add_flag("--report", options->report, "Also write report.html, the comparison in pictures, there")->needs("--out");
    add_log_options(app, *options);
    require_workload_unless_logs(app);
    return [&console, options] { return run(console, *options); };
}

}  // namespace medley::cli
