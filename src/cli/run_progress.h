#pragma once
/// A run while it lasts: one line on a terminal, and notes of what changed.

#include <chrono>
#include <optional>
#include <string>

#include "cli/command.h"
#include "executor/coordinator/records.h"

namespace medley::cli {

struct RunProgressOptions {
    executor::Step steps = 0;
    std::int64_t global_batch = 0;
    std::optional<double> predicted_samples_per_s;
};

/// "step 120 of 500, loss 1.234, 5120 samples/s (predicted 5300)"
std::string run_progress_line(const RunProgressOptions& options, const executor::Stepped& stepped, double samples_per_s);

/// Thread rule: one thread at a time.
class RunProgress {
 public:
    RunProgress(const Console& console, RunProgressOptions options);
    ~RunProgress();
    RunProgress(const RunProgress&) = delete;
    RunProgress& operator=(const RunProgress&) = delete;

    void show(const executor::Record& record, double seconds);
    /// One line that stays.
    void note(const std::string& line);

 private:
    void stepped(const executor::Stepped& stepped, double seconds);
    /// Says once that the loss is no number any more.
    void watch_loss(const executor::Stepped& stepped);
    void wipe();

    const Console& console_;
    RunProgressOptions options_;
    bool on_terminal_;
    bool drawn_ = false;
    bool diverged_ = false;
    bool in_training_ = false;
    executor::Step newest_ = -1;
    double next_draw_s_ = 0;
    /// Where the present rate is counted from.
    executor::Step mark_step_ = 0;
    double mark_s_ = 0;
    double samples_per_s_ = 0;
};

}  // namespace medley::cli
