#pragma once
/// The training side of a worker's process: a thread that carries out what the control thread asks, one job after another, and tells what
/// has become of it as inputs of the worker's machine.
///
/// Pause and abort count for one generation and are not lost if they come while it still waits for its turn.
///
/// Thread rule: the functions are the control thread's; `tell` is called on the training thread.

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "executor/training/trainer.h"
#include "executor/worker/worker.h"

namespace medley::executor {

class TrainingThread {
 public:
    using Tell = std::function<void(WorkerInput)>;

    TrainingThread(std::string bind_address, Tell tell);
    /// Ends the work in progress, and the thread.
    ~TrainingThread();

    void build(const BuildEngine& what);
    void start(const StartGeneration& what);
    void deliver(const Offers& offers);
    void pause(Generation generation);
    void abort(Generation generation);
    void save();
    /// Aborts whatever is going on and ends the thread; false if it has not ended by then.
    bool finish(std::chrono::milliseconds deadline);

 private:
    void work();
    void enqueue(std::function<void()> job);
    void build_trainer(const BuildEngine& what);
    void run_generation(const StartGeneration& what);
    std::vector<std::string> exchange(Generation generation, const std::string& mine);

    std::string bind_address_;
    Tell tell_;

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> jobs_;
    std::map<std::pair<Generation, std::uint32_t>, std::vector<std::string>> offers_;  ///< arrived, and not taken yet
    Generation started_ = 0;                                                           ///< the latest
    Generation aborted_ = 0;                                                           ///< this one and all before
    bool ending_ = false;
    bool ended_ = false;
    std::unique_ptr<Trainer> trainer_;  ///< made by the training thread, under the mutex

    // The training thread's own.
    Generation generation_ = 0;
    std::uint32_t round_ = 0;

    std::thread thread_;
};

/// The place as this process sees it: a GPU that the launcher has made the only visible one is the first one here.
Place place_here(Place place, const char* visible_devices);

}  // namespace medley::executor
