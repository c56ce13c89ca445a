#pragma once
/// The figures of a run, from its records alone: what `medley run --json` prints and what people read at its end.

#include <optional>
#include <string>
#include <vector>

#include "executor/report/measurement.h"
#include "executor/report/run_history.h"

namespace medley::executor {

/// A worker of the last membership.
struct WorkerReport {
    std::uint32_t rank = 0;
    WorkerNumber worker = 0;
    std::string device;  ///< "cpu", "cuda:0", "emulated"
    std::string gpu_type;
    std::string device_name;  ///< as the device calls itself
    std::vector<std::int64_t> virtual_node_batches;
};

/// A change of membership without a loss: asked for, or a lost worker's replacement coming in.
struct ResizeReport {
    Step step = 0;
    std::string from;  ///< "V100=1,P100=2"
    std::string to;
    bool asked = false;
    std::optional<double> pause_s;  ///< from the last step before to all having joined; empty if in another life of the coordinator
};

struct FailureReport {
    Step step = 0;
    std::optional<std::uint32_t> rank;  ///< empty = it was not a member at the time
    WorkerNumber worker = 0;
    std::string reason;
    std::optional<double>
        recovered_s;  ///< from its loss being noticed to the others training again; empty if they did not, or never stopped
};

/// Finished steps that had to be done again, since no worker that held their result was left.
struct RedoneSteps {
    Step first = 0;
    Step last = 0;
};

struct RunReport {
    Step steps = 0;  ///< finished, over the whole life of the run
    bool finished = false;
    std::optional<std::string> stopped;  ///< why, if a user stopped it
    std::optional<double> final_loss;
    std::vector<std::optional<double>> losses;  ///< of step 1, 2, ...; empty where no coordinator was there to hear it
    std::string state_digest;
    std::int64_t global_batch = 0;

    /// Over the steps of this life that were not the first of their membership.
    Measurement step_s;
    std::optional<double> samples_per_s;          ///< at the median step
    std::optional<double> overall_samples_per_s;  ///< from the first joining to the last step, pauses included
    StepTimes components;                         ///< medians
    std::optional<double> p99_step_s;

    std::vector<WorkerReport> workers;
    std::vector<ResizeReport> resizes;
    std::vector<FailureReport> failures;
    std::vector<RedoneSteps> redone;
    std::vector<CheckpointRecord> checkpoints;
};

/// Cost: O(steps log steps).
RunReport make_report(const RunSetup& setup, const RunHistory& history);

}  // namespace medley::executor
