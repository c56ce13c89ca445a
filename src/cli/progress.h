#pragma once
/// A progress bar on standard error, with rate and remaining time; silent unless that is a terminal.

#include <chrono>
#include <cstddef>
#include <string>

#include "cli/command.h"

namespace medley::cli {

/// Shown after half a second, redrawn at most ten times a second, wiped out at the end. Thread rule: one thread at a time.
class Progress {
 public:
    /// `what` is counted: "jobs", "runs".
    Progress(const Console& console, std::string what);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    bool enabled() const { return enabled_; }
    void update(std::size_t done, std::size_t total);

 private:
    using Clock = std::chrono::steady_clock;

    bool enabled_;
    bool drawn_ = false;
    std::string what_;
    Clock::time_point start_;
    Clock::time_point next_draw_;
};

/// "[#####.....]  52 %  520000 of 1000000 jobs, 260000 jobs/s, 2 s left"
std::string progress_line(std::size_t done, std::size_t total, double elapsed_s, const std::string& what);

}  // namespace medley::cli
