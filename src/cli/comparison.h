#pragma once
/// Many simulations side by side: policies x seeds x traces x changes of the cluster.

#include <optional>
#include <string>
#include <vector>

#include "cli/experiment.h"
#include "cli/incomplete.h"
#include "cli/progress.h"
#include "io/results/results_directory.h"

namespace medley::cli {

/// One figure of merit of a run.
struct Figure {
    const char* key;    ///< its JSON field
    const char* title;  ///< with unit, for the table
    std::optional<double> (*of)(const Summary&);
    bool more_is_better = false;
};

/// In the order in which tables show them; the first is what ranks by default.
const std::vector<Figure>& figures();

struct ComparisonGrid {
    WorkloadOptions workload;  ///< trace, what_if and seed are set run by run
    ExperimentOptions experiment;
    std::vector<std::string> traces;
    std::vector<std::string> what_ifs;  ///< the empty text is the cluster as it is
    std::vector<std::string> policies;
    std::vector<std::uint64_t> seeds;
    std::string out;  ///< directory for the results of every run; empty = none
    int threads = 1;
};

struct ComparedRun {
    std::string trace, what_if, policy;
    std::uint64_t seed = 0;
    Summary summary;
    Incomplete incomplete;
    io::WallTimes wall;
    std::string directory;
    std::unique_ptr<io::ResultsDirectory> results;  ///< finished, not yet committed; null without `out`
};

/// The runs of one policy over all seeds.
struct ComparisonRow {
    std::string trace, what_if, policy;
    InformationClass information = InformationClass::kLearned;
    std::vector<std::size_t> runs;
    std::vector<std::optional<double>> means;  ///< by figure; empty if a run lacks it
    std::size_t rank = 0;                      ///< from 1, among the rows of one trace, cluster and information class; 0 = no figure
};

/// Runs the grid on `threads` threads; the runs come back in the order trace, change, policy, seed, whatever the threads did. Everything
/// is read and checked before the first run starts. Throws the error of the first run, in that order, that failed.
std::vector<ComparedRun> run_grid(const ComparisonGrid& grid, const Console& console);

/// One row for each trace, change and policy, ranked by a figure.
std::vector<ComparisonRow> summarize_runs(const std::vector<ComparedRun>& runs, const Figure& rank_by);

}  // namespace medley::cli
