#pragma once
/// Checkpoint files: the whole state after a step, independent of the mapping.
///
/// `step-<number>.ckpt` in the run's folder: magic and version, fingerprint of the job (model, optimizer, virtual nodes, seed), step,
/// sections with names and sizes, and a SHA-256 of everything at the end. Written to a temporary name in the same folder, fsynced,
/// renamed, the folder fsynced. Loading verifies everything before it changes anything. The bytes are described in checkpoint_format.h.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "executor/engines/engine.h"
#include "executor/protocol/messages.h"

namespace medley::executor {

/// What makes two runs the same job: a digest of everything but steps, checkpoint rule, mode, names, and how the workers talk.
std::string fingerprint(const RunSetup& setup);

/// A copy of the state, taken between steps, so that training goes on while it is written.
struct StateSnapshot {
    Step step = 0;
    double loss = 0;  ///< of the last step
    std::string fingerprint;
    std::vector<std::pair<std::string, std::string>> sections;
};

std::filesystem::path checkpoint_path(const std::filesystem::path& folder, Step step);
/// Throws medley::Error (full disk, no permission) and leaves nothing behind. Removes older checkpoints beyond `keep`, and what writers
/// that died left of older ones.
Checkpointed write_checkpoint(const std::filesystem::path& folder, const StateSnapshot& snapshot, int keep);
/// Throws medley::Error naming the file and the reason: truncated, damaged, another format, of another job.
StateSnapshot read_checkpoint(const std::filesystem::path& file, const std::string& expected_fingerprint);
/// The newest checkpoint of this job in the folder whose checksum holds; `skipped` says which newer ones were not good, and why.
struct NewestCheckpoint {
    std::optional<std::filesystem::path> file;
    Step step = 0;
    std::vector<std::string> skipped;
};
NewestCheckpoint find_checkpoint(const std::filesystem::path& folder, const std::string& expected_fingerprint);

/// SHA-256, as hexadecimal, of step and sections: equal states give equal digests whatever the mapping.
std::string state_digest(Step step, const std::vector<StateSection>& sections);

}  // namespace medley::executor
