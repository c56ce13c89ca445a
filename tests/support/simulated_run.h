#pragma once
/// Runs a simulation and keeps everything it wrote, for tests.

#include <optional>
#include <string>
#include <vector>

#include "sched/metrics.h"
#include "simulator/cluster/simulation.h"

namespace medley::test {

struct SimulatedRun {
    std::string events;  ///< events.jsonl, as the program writes it
    Summary summary;
    std::string summary_json;
    std::vector<JobRow> rows;  ///< `id` is emptied: it would not outlive the metrics
    std::vector<UtilizationBin> utilization;
    JobDistributions distributions;
    std::optional<LedgerSeries> ledger_over_time;
    simulator::SimulationResult result;
};

/// `speeds` is both world and belief.
SimulatedRun run_simulation(const Cluster& cluster, const Trace& trace, const CostModel& speeds, Policy& policy,
                            const simulator::SimulationOptions& options = {}, Window window = {});

}  // namespace medley::test
