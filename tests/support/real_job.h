#pragma once
/// A job for real processes. An emulated one's result is known beforehand: a step lost, doubled or done with other samples leads to
/// another digest.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "executor/coordinator/coordinator.h"

namespace medley::test {

struct RealJob {
    int workers = 3;
    int virtual_nodes = 8;
    std::int64_t steps = 40;
    int step_ms = 20;  ///< of each step, were all virtual nodes on one worker
    std::int64_t parameters = 64;
    std::int64_t checkpoint_every = 0;
    std::uint64_t seed = 1;
    int lease_s = 30;
    int silence_ms = 5000;
    std::string model;  ///< empty = emulated; else one of trained_models.h, on CPUs with --exact: its steps and nodes are as there

    /// As words of a command line, and back.
    std::vector<std::string> arguments() const;
    static RealJob parse(const std::vector<std::string>& arguments);

    executor::RunSetup setup() const;
    /// The virtual nodes dealt out in turn.
    executor::Placement placement(int over) const;
    executor::Timeouts timeouts() const;
    /// Of an emulated job's state after all steps, by the closed form.
    std::string digest() const { return digest_after(steps); }
    std::string digest_after(std::int64_t step) const;
};

}  // namespace medley::test
