#pragma once
/// Checkpoints written by a thread of their own while training goes on; one at a time.
///
/// Thread rule: one thread calls.

#include <filesystem>
#include <future>
#include <optional>

#include "executor/training/checkpoint.h"

namespace medley::executor {

class CheckpointWriter {
 public:
    CheckpointWriter(std::filesystem::path folder, int keep) : folder_(std::move(folder)), keep_(keep) {}
    ~CheckpointWriter() { wait(); }
    CheckpointWriter(const CheckpointWriter&) = delete;
    CheckpointWriter& operator=(const CheckpointWriter&) = delete;

    bool busy() const { return writing_.valid(); }
    /// Begins to write. Requires not `busy`.
    void start(StateSnapshot snapshot);
    /// What became of the one that was started, if that is known by now.
    std::optional<Checkpointed> poll();
    /// As `poll`, but waits for it.
    std::optional<Checkpointed> wait();
    /// Writes at once, in this thread. A failure is in `error`.
    Checkpointed write(const StateSnapshot& snapshot) const;

 private:
    std::filesystem::path folder_;
    int keep_;
    std::future<Checkpointed> writing_;
};

}  // namespace medley::executor
