#pragma once
/// One account per job, kept from the log: when it waited, what it held, what that cost, and which ledger bin its GPU time belongs to.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.h"
#include "core/name.h"
#include "core/units.h"
#include "sched/event_log.h"
#include "sched/ledger.h"
#include "sched/ledger_series.h"
#include "sched/waiting_jobs.h"

namespace medley {

enum class JobOutcome : std::uint8_t { kWaiting, kRunning, kCompleted, kCancelled, kRejected };
/// "waiting", "running", "completed", "cancelled", "rejected".
const char* to_string(JobOutcome outcome);

struct JobAccount {
    GpuTime gpu_time = 0;
    GpuTime present_integral = 0;  ///< jobs x nanoseconds: at submission, then over the job's life once it has ended
    Name model;
    SimTime submit;
    SimTime first_start = kNever;
    SimTime end = kNever;  ///< of finish, cancellation or rejection
    SimTime held;          ///< time with GPUs, up to the last change
    double alone_s = 0;
    double isolated_s = 0;
    double nominal_gpus = 1;
    double deadline_s = 0;          ///< 0 = none
    double cost_usd = 0;            ///< of types with a price
    float queue_at_submission = 0;  ///< GPUs that waiting jobs wanted
    WaitingJobs::ClassId needs = 0;
    std::uint32_t resizes = 0;
    std::uint32_t preemptions = 0;
    std::uint32_t holding = ~std::uint32_t{0};  ///< place among the jobs that hold GPUs
    JobOutcome state = JobOutcome::kWaiting;
    bool held_back = false;      ///< by a dependency: waits, but not for GPUs
    bool without_price = false;  ///< has used a type that has no price
};

/// Over the counted jobs.
struct CountedTotals {
    std::vector<GpuTime> gpu_time;  ///< by type
    std::uint64_t migrations = 0;
    std::uint64_t evictions = 0;
};

/// Requires records in order of time, jobs in order of submission from 0 on. Cost: O(1) a record. Thread rule: one thread.
class JobAccounts {
 public:
    explicit JobAccounts(const HeaderRecord& header);

    /// Also books the ledger over time. Call it before the first record; the series must outlive the accounts.
    void watch(LedgerSeries& series) {
        series_ = &series;
        keeper_.watch(series);
    }

    void advance(SimTime now);
    void on(const SubmitRecord& record);
    void on(const ReleaseRecord& record);
    void on(const RejectRecord& record);
    void on(const LaunchRecord& record);
    void on(const ResizeRecord& record);
    void on(const RunRecord& record);
    void on(const CheckpointRecord& record);
    void on(const StopRecord& record);
    void on(const FinishRecord& record);
    void on(const CapacityRecord& record);
    /// Books what running jobs hold up to the end.
    void on(const EndRecord& record);

    const std::vector<JobAccount>& jobs() const { return jobs_; }
    std::string_view id(std::size_t job) const;
    const LedgerKeeper& keeper() const { return keeper_; }
    std::int64_t waiting_jobs() const { return waiting_; }
    std::int64_t holding_jobs() const { return present_ - waiting_; }
    /// The counted jobs are `first` to `last` - 1; all unless said otherwise.
    void count(std::size_t first, std::size_t last) {
        counted_first_ = first;
        counted_last_ = last;
    }
    const CountedTotals& counted() const { return counted_; }

 private:
    struct WorkedSpan {
        LedgerSeries::Span span;
        double useful_gpus = 0;
        double waiting_gpus = 0;
    };
    /// A job that holds GPUs. All of them are in `bin`, except in a resize: then only those in `kept`.
    struct Holding {
        JobId job;
        LedgerBin bin = LedgerBin::kStartup;
        bool resizing = false;
        bool has_run = false;
        int working_gpus = 0;
        SimTime since;
        double communication_fraction = 0;
        double work_at_launch = 0;
        GpuTime worked = 0;  ///< since launch, communication included
        GpuTime waited = 0;  ///< of this, communication
        Grants held, kept;
        std::vector<WorkedSpan> worked_spans;  ///< since launch; only where the ledger is kept over time
    };

    bool counts(JobId job) const { return counted_first_ <= job.index() && job.index() < counted_last_; }
    JobAccount& account(JobId job);
    Holding& holding(JobId job);
    Holding& add_holding(JobId job);
    void drop_holding(JobId job);
    void settle(Holding& holding);
    void follow_work(Holding& holding, SimTime since);
    void lose_over_time(const Holding& holding, double fraction);
    void bill(JobAccount& account, const Holding& holding, std::int64_t span);
    static int working_gpus(const Holding& holding, const Grant& grant);
    void enter_ledger(Holding& holding, int sign);
    void stop_waiting(JobAccount& job);
    void start_waiting(const JobAccount& account, int sign);
    void lose(const Holding& holding, const StopRecord& record);
    void leave(JobId job, JobOutcome outcome);

    LedgerKeeper keeper_;
    LedgerSeries* series_ = nullptr;
    std::vector<HeaderRecord::Type> types_;
    std::vector<JobAccount> jobs_;
    std::string ids_;
    std::vector<std::size_t> id_ends_;
    std::vector<Holding> holdings_;
    std::vector<std::uint32_t> free_holdings_;
    CountedTotals counted_;
    std::size_t counted_first_ = 0;
    std::size_t counted_last_ = ~std::size_t{0};
    SimTime now_ = kNever;
    GpuTime present_integral_ = 0;
    double queue_gpus_ = 0;
    std::int64_t present_ = 0;
    std::int64_t waiting_ = 0;
};

}  // namespace medley
