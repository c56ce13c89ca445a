#pragma once
/// Which of this machine's devices workers run on.

#include <string>
#include <vector>

#include "cli/command.h"
#include "core/training.h"

namespace medley::cli {

/// Hands out devices in turn.
class DeviceSource {
 public:
    /// `wanted` is auto, cpu or cuda; an emulated model has emulated devices whatever is wanted. `auto` takes the GPUs, or, where there are
    /// none, says so in one line and takes the CPU. Throws medley::Error if cuda is wanted and not there.
    DeviceSource(const TrainingJob& job, const std::string& wanted, const Console& console);
    /// The devices of an earlier placement again ("cuda:0", "cuda:1"), or "cpu", "emulated".
    explicit DeviceSource(std::vector<std::string> devices) : devices_(std::move(devices)) {}

    std::string next() { return devices_[handed_out_++ % devices_.size()]; }
    bool gpus() const { return devices_.front().starts_with("cuda"); }
    bool emulated() const { return devices_.front() == "emulated"; }
    std::size_t count() const { return devices_.size(); }

 private:
    std::vector<std::string> devices_;
    std::size_t handed_out_ = 0;
};

}  // namespace medley::cli
