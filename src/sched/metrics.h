#pragma once
/// All metrics of a run, computed from its event log alone: the summary, one row per job, and the utilization over time.
///
/// Definitions (the interface's): jct = finish - submission; queueing = first start - submission; waiting = all time without GPUs;
/// median = mean of the two middle values, percentiles interpolate linearly; makespan = last finish - first submission; bounded slowdown
/// = max(1, jct / max(alone, 10 s)); rho = jct / (isolated x max(1, n x nominal GPUs / all GPUs)), n the mean number of jobs
/// present during the job's life; Jain's index over 1/rho; utilization = held / present GPU time from the window's first submission to
/// its last finish; cost = held GPU time x price.
///
/// A job still unfinished at the log's end enters every mean with its time so far (a lower bound), a rejected or cancelled one enters
/// none; all are counted. A deadline is missed by every job that did not finish within it, rejected ones included.
/// Cost: about 100 ns a record, 150 bytes a job. Thread rule: one thread at a time.

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ids.h"
#include "core/name.h"
#include "core/units.h"
#include "sched/belief.h"
#include "sched/event_log.h"
#include "sched/job_accounts.h"
#include "sched/ledger.h"
#include "sched/ledger_series.h"
#include "sched/utilization_series.h"

namespace medley {

/// Jobs first..last-1 in order of submission (Gavel's half-open convention); the default is all.
struct Window {
    std::size_t first = 0;
    std::size_t last = std::numeric_limits<std::size_t>::max();

    bool holds(std::size_t job) const { return first <= job && job < last; }
    bool whole() const { return first == 0 && last == std::numeric_limits<std::size_t>::max(); }
};

/// Everything of `simulate --json` except the wall times. Per-job figures cover the window's jobs; ledger, rounds and events the whole
/// log. Empty optionals are null: no job to average, no price or power known for a used type.
struct Summary {
    std::string policy;
    std::vector<std::pair<std::string, std::string>> policy_options;
    InformationClass information_class = InformationClass::kLearned;
    std::uint64_t seed = 0;
    std::string compat;
    std::size_t jobs_total = 0;
    std::size_t jobs_completed = 0;
    std::size_t jobs_rejected = 0;
    std::size_t jobs_cancelled = 0;
    std::size_t jobs_unfinished = 0;
    Window window;
    /// Does the queue still grow, over all jobs of the log? The rule is queue_trend.h's.
    bool saturated = false;
    std::optional<double> avg_jct_s, median_jct_s, p90_jct_s, p99_jct_s;
    std::optional<double> makespan_s;
    std::optional<double> avg_queueing_s, median_queueing_s, avg_waiting_s;
    std::optional<double> avg_bounded_slowdown;
    std::optional<double> utilization;
    std::optional<double> avg_ftf_rho, max_ftf_rho, jain_fairness;
    std::optional<double> deadline_miss_fraction;
    std::vector<std::pair<Name, double>> gpu_hours;  ///< by type, in the order of the cluster file
    std::optional<double> cost_usd;
    std::optional<double> energy_kwh;
    Ledger ledger;
    std::uint64_t resizes = 0;
    std::uint64_t preemptions = 0;  ///< stops of any reason: preempted, migrated, capacity lost
    std::uint64_t migrations = 0;   ///< of these, moves to other GPUs
    std::uint64_t evictions = 0;    ///< of these, lost capacity
    std::uint64_t rounds = 0;       ///< times the policy was asked
    std::uint64_t events = 0;
};

/// One line of jobs.csv. Figures of a job that has not finished are empty or count up to the log's end, as said in each.
struct JobRow {
    std::string_view id;  ///< valid while the Metrics live
    Name model;
    SimTime submit;
    std::optional<SimTime> first_start;
    std::optional<SimTime> finish;
    std::optional<double> jct_s;       ///< completed jobs only
    std::optional<double> queueing_s;  ///< jobs that have started only
    double waiting_s = 0;              ///< up to the log's end
    double gpu_seconds = 0;            ///< up to the log's end
    std::uint32_t resizes = 0;
    std::uint32_t preemptions = 0;
    std::optional<double> ftf_rho;           ///< completed jobs only
    std::optional<double> bounded_slowdown;  ///< completed jobs only
    std::optional<double> cost_usd;          ///< empty where a used type has no price
    JobOutcome state = JobOutcome::kWaiting;
};

/// What stands behind the summary's means: one value for each job that they cover (of the window, neither rejected nor cancelled), in
/// order of submission.
struct JobDistributions {
    std::vector<double> jct_s, queueing_s, waiting_s, bounded_slowdown;
    std::vector<double> ftf_rho;  ///< only of jobs that could have run alone
};

enum class LedgerDetail : std::uint8_t { kTotals, kOverTime };

class Metrics : public EventSink {
 public:
    explicit Metrics(Window window = {}, LedgerDetail detail = LedgerDetail::kTotals);
    ~Metrics() override;
    Metrics(const Metrics&) = delete;
    Metrics& operator=(const Metrics&) = delete;

    void record(const LogRecord& record) override;

    /// Requires that the end of the log was recorded, here and below.
    Summary summary() const;
    std::size_t job_count() const;
    /// Jobs in order of submission, inside the window or not.
    JobRow row(std::size_t index) const;
    /// At most UtilizationSeries::kMostBins, from the first moment of the log to its last.
    std::vector<UtilizationBin> utilization() const;
    JobDistributions distributions() const;
    /// The ledger by type over time. Requires LedgerDetail::kOverTime.
    const LedgerSeries& ledger_over_time() const;

 private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace medley
