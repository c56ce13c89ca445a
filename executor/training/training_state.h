#pragma once
/// What outlives generations on one worker: the engine's state, the scales, and the step they belong to.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "executor/engines/engine.h"
#include "executor/exact/scale_book.h"
#include "executor/training/checkpoint.h"

namespace medley::executor {

struct TrainingState {
    std::unique_ptr<Engine> engine;
    std::optional<ScaleBook> scales;  ///< with fixed-point sums
    Step step = 0;
    double loss = 0;    ///< of the last step
    bool held = false;  ///< false: not a state of the job (yet)

    /// The engine's sections, then the scales. Valid as the engine's are.
    std::vector<StateSection> sections();
    /// The state that the seed gives.
    void initialise();
    StateSnapshot snapshot(const std::string& job_fingerprint);
    /// Throws medley::Error if the snapshot's sections are not those of this state.
    void restore(const StateSnapshot& snapshot);
    std::string digest();
};

/// Requires an engine that is built for `setup`.
TrainingState make_training_state(std::unique_ptr<Engine> engine, const RunSetup& setup);

/// Order, names and sizes of the sections, as text.
std::string layout_of(const std::vector<StateSection>& sections);

/// 64 bits that tell states apart: not against malice, but faster than memory is copied.
std::uint64_t quick_hash(const std::vector<StateSection>& sections);

}  // namespace medley::executor
