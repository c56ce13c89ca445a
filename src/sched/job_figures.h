#pragma once
/// The figures of single jobs by the interface's definitions, and the means over them.

#include <cstddef>
#include <optional>
#include <vector>

#include "core/units.h"
#include "sched/job_accounts.h"
#include "sched/metrics.h"

namespace medley {

/// Figures of one job; those of a job that has not finished count up to the log's end. Keeps a reference to the account.
class JobFigures {
 public:
    JobFigures(const JobAccount& job, SimTime log_end, double cluster_gpus)
        : job_(job), end_(job.end == kNever ? log_end : job.end), cluster_gpus_(cluster_gpus) {}

    double jct_s() const { return to_seconds(end_ - job_.submit).value; }
    double queueing_s() const;
    double waiting_s() const { return to_seconds(end_ - job_.submit - job_.held).value; }
    double bounded_slowdown() const;
    double mean_jobs_present() const;
    /// Empty for a job that could not have run alone.
    std::optional<double> ftf_rho() const;
    bool missed_deadline() const { return job_.state != JobOutcome::kCompleted || jct_s() > job_.deadline_s; }

 private:
    const JobAccount& job_;
    SimTime end_;
    double cluster_gpus_;
};

/// The jobs over which means are taken: all but rejected and cancelled ones.
class JobSample {
 public:
    void add(const JobAccount& job, const JobFigures& figures);
    /// Fills in every mean, percentile and fairness figure. Reorders the sample; O(jobs).
    void describe(Summary& summary);
    const JobDistributions& values() const { return values_; }

 private:
    JobDistributions values_;
    std::size_t with_deadline_ = 0;
    std::size_t missed_ = 0;
};

}  // namespace medley
