#pragma once
/// Engines of one job stepped together in one thread: what trainers and a collective do, by plain loops over host memory.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "executor/data/sample_order.h"
#include "executor/engines/engine.h"
#include "executor/exact/scale_book.h"

namespace medley::executor {

/// Which virtual nodes each worker has, in the order in which it works on them.
using Mapping = std::vector<std::vector<std::uint32_t>>;

/// All virtual nodes on one worker, in order.
Mapping one_worker(std::size_t virtual_nodes);

struct GroupSetup {
    TrainingJob job;
    std::vector<std::int64_t> virtual_nodes;
    Mapping mapping;
    bool exact = true;
    std::string device = "cpu";
    std::function<std::unique_ptr<Engine>(const EngineSetup&)> make = make_engine;
};

class EngineGroup {
 public:
    explicit EngineGroup(const GroupSetup& setup);

    Engine& engine(std::size_t worker = 0) { return *engines_[worker]; }
    std::int64_t step() const { return step_; }
    std::int64_t redone() const { return redone_; }
    const std::vector<std::int64_t>& exponents() const { return exponents_; }

    /// One step of all; the mean loss.
    double run_step();
    /// The part of a step before `apply`; the sums stand in every engine's buffer. The total weight.
    std::int64_t sum_nodes();
    /// The mean losses of so many steps.
    std::vector<double> run_steps(int steps);
    /// Forward and backward of one virtual node of the step to come.
    NodeResult run_node(std::size_t worker, std::uint32_t virtual_node);
    void begin_step();

    /// All sections of a worker's state, one after another.
    std::string state(std::size_t worker = 0);
    /// Gives every worker this state.
    void set_state(const std::string& bytes);

 private:
    std::int64_t run_nodes();
    bool must_redo();

    GroupSetup setup_;
    std::vector<std::unique_ptr<Engine>> engines_;
    SampleOrder order_;
    ScaleBook scales_;
    std::vector<std::int64_t> exponents_;
    std::int64_t step_ = 0;
    std::int64_t redone_ = 0;
    double loss_sum_ = 0;
};

/// The reduction's bytes as they are now.
std::string bytes_of(const Buffer& buffer);
/// Adds up what all buffers hold and leaves the sum in each.
void sum_over(const std::vector<Buffer>& buffers);

}  // namespace medley::executor
