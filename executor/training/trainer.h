#pragma once
/// The steps of one worker: engine + collective + data order. One generation at a time; the state outlives generations.
///
/// A step: each local virtual node forward and backward, added into one buffer; one all-reduce of that buffer; one of a small vector of
/// whole numbers (exact loss, weight, wish to pause, scales' status); one division; one update. All members learn of a pause in the same
/// step, so they stop together without a message.
///
/// When the collective fails the step counts as not done here: the state is that after `step()`, consistent on this worker alone.
///
/// Thread rule: one training thread; `request_pause` and `abort` from any thread.

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "executor/collectives/collective.h"
#include "executor/data/sample_order.h"
#include "executor/engines/engine.h"
#include "executor/exact/fixed_point.h"
#include "executor/protocol/messages.h"
#include "executor/training/checkpoint.h"

namespace medley::executor {

/// What the trainer tells while it works; called on the training thread. Any may be empty.
struct TrainerReports {
    std::function<void(Step)> joined;
    std::function<void(const Stepped&)> stepped;
    /// Also for one that failed, or was left out because the last one was still being written: training goes on.
    std::function<void(const Checkpointed&)> checkpointed;
};

/// Where the trainer's parts come from; tests put in others.
struct TrainerParts {
    std::function<std::unique_ptr<Engine>(const EngineSetup&)> make_engine;
    std::function<CollectiveMade(const std::string& name, const CollectiveSetup&)> connect;
};
TrainerParts usual_parts();

struct GenerationWork {
    Form form;
    int rank = 0;
    std::string bind_address = "127.0.0.1";
    ExchangeBlobs exchange;
};

class Trainer {
 public:
    /// Builds the engine. Throws medley::Error as `make_engine` does.
    Trainer(const RunSetup& setup, const Place& place, TrainerReports reports, TrainerParts parts = usual_parts());
    ~Trainer();

    /// Meets the other members, takes over or gives the state, and trains until paused, broken or finished. Never throws for a failed
    /// collective; an engine's error (say, out of memory) throws medley::Error.
    Stopped run(const GenerationWork& work);

    /// At the end of the step in progress all members stop. Counts for the `run` of this generation alone, also if that has not begun.
    void request_pause(Generation generation);
    /// Makes the collective in progress fail; also one still being connected (through `exchange`, which the caller must end). Counts for
    /// the `run` of this generation alone, also if that has not begun.
    void abort(Generation generation);

    Step step() const;
    bool holds_state() const;
    Engine& engine();
    std::string digest();
    /// Writes a checkpoint now, in this thread.
    Checkpointed save_checkpoint();

 private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace medley::executor
