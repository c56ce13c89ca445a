#include "executor/training/checkpoint_writer.h"

#include <chrono>
#include <exception>
#include <utility>

namespace medley::executor {

void CheckpointWriter::start(StateSnapshot snapshot) {
    writing_ = std::async(std::launch::async, [this, snapshot = std::move(snapshot)] { return write(snapshot); });
}

std::optional<Checkpointed> CheckpointWriter::poll() {
    if (!busy() || writing_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) { return std::nullopt; }
    return wait();
}

std::optional<Checkpointed> CheckpointWriter::wait() {
    if (!busy()) { return std::nullopt; }
    return writing_.get();
}

Checkpointed CheckpointWriter::write(const StateSnapshot& snapshot) const {
    try {
        return write_checkpoint(folder_, snapshot, keep_);
    } catch (const std::exception& error) { return {.step = snapshot.step, .error = error.what()}; }
}

}  // namespace medley::executor
