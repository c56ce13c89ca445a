#pragma once
/// The accounting of the published VirtualFlow simulator logs, mistake included, for comparison with their figures only.
///
/// Progress is credited as speed x (now - last credit) where the last credit starts at the job's arrival and does not move while the job
/// holds nothing, so time spent waiting counts as training. Exactly: if the steps still missing fit into this round, the job finishes at
/// the round's start + whole seconds, rounded up; otherwise the round's end credits whole steps, rounded down, and a job with enough of
/// them finishes there.

#include <optional>
#include <vector>

#include "core/ids.h"
#include "core/units.h"

namespace medley::simulator {

class VirtualFlowLogsAccounting {
 public:
    /// Requires a round above 0.
    explicit VirtualFlowLogsAccounting(SimTime round) : round_(round) {}

    /// A job that is about to run for the first time; later calls change nothing.
    void meet(JobId job, SimTime submit);

    struct Check {
        SimTime time;
        bool finishes = false;  ///< else credit is due
    };
    /// When the job, running at this speed from `now` on, must be looked at again.
    Check next_check(JobId job, double total_work, double work_per_s, SimTime now) const;
    /// Credits everything since the last credit at this speed; returns the steps credited in all.
    double credit(JobId job, double work_per_s, SimTime now);
    double credited(JobId job) const { return books_[job.index()].credited; }

 private:
    struct Book {
        double credited = 0;
        SimTime last = kNever;
    };
    SimTime round_;
    std::vector<Book> books_;
};

}  // namespace medley::simulator
