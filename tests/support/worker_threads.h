#pragma once
/// The workers of a job as threads of this process, and a coordinator that does only what it is told: one generation after another.

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "executor/training/trainer.h"
#include "tests/support/thread_collective.h"

namespace medley::test {

struct GenerationOrder {
    std::vector<executor::WorkerNumber> members;                    ///< by rank; those not seen before are new
    std::vector<std::vector<executor::VirtualNode>> virtual_nodes;  ///< by rank
    std::vector<PlannedFault> faults;
    std::optional<executor::Step> pause_after;  ///< all stop once so many steps are done
    std::string checkpoint;                     ///< if no member holds a state; empty = the seed
};

using MakeEngine = std::function<std::unique_ptr<executor::Engine>(const executor::EngineSetup&)>;

class WorkerThreads {
 public:
    explicit WorkerThreads(executor::RunSetup setup, MakeEngine make_engine = executor::make_engine);

    /// Runs one generation to its end, from the highest step that a member holds; what each member stopped with, by rank. An Error that a
    /// trainer throws becomes a kBroken with its text.
    std::vector<executor::Stopped> run(const GenerationOrder& order);
    executor::Trainer& trainer(executor::WorkerNumber worker) { return *trainers_.at(worker); }
    /// As if the process had ended.
    void drop(executor::WorkerNumber worker) { trainers_.erase(worker); }

    /// What any worker reported.
    const std::map<executor::Step, std::set<double>>& losses() const { return losses_; }
    const std::vector<executor::Checkpointed>& checkpoints() const { return checkpoints_; }

 private:
    void add(executor::WorkerNumber worker);
    executor::Form form_of(const GenerationOrder& order);
    executor::Stopped run_member(const GenerationOrder& order, const executor::GenerationWork& work);
    void note_step(const executor::Stepped& stepped, executor::WorkerNumber worker);

    executor::RunSetup setup_;
    MakeEngine make_engine_;
    std::map<executor::WorkerNumber, std::unique_ptr<executor::Trainer>> trainers_;
    std::vector<PlannedFault> faults_;
    std::optional<executor::Step> pause_after_;
    executor::Generation generation_ = 0;
    std::mutex mutex_;
    std::map<executor::Step, std::set<double>> losses_;
    std::vector<executor::Checkpointed> checkpoints_;
};

/// Consecutive virtual nodes to workers by count: {4, 2, 2} gives {0, 1, 2, 3}, {4, 5}, {6, 7}.
std::vector<std::vector<executor::VirtualNode>> by_count(const std::vector<int>& counts);

}  // namespace medley::test
