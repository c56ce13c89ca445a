#pragma once
/// The Slurm policy's books: its jobs, their priorities, fair shares, limits in use, and the queue in order.

#include <map>
#include <unordered_map>
#include <vector>

#include "planner/policies/slurm/slurm_jobs.h"
#include "sched/cluster_view.h"

namespace medley::planner {

/// A job gets its priority when it is taken in; all waiting jobs' are worked out anew at each calculation (PriorityCalcPeriod), with the
/// usage and fair shares of that moment. Addresses of jobs are stable. Thread rule: one thread.
class SlurmBooks {
 public:
    /// All references must outlive the books.
    SlurmBooks(const Cluster& cluster, const SiteRules& rules, const NodeMap& map, SimTime now);
    SlurmBooks(const SlurmBooks&) = delete;
    SlurmBooks& operator=(const SlurmBooks&) = delete;

    const SlurmSite& site() const { return site_; }
    SlurmJob* find(JobId id);
    /// Takes a job in. It then waits, or is kept out by a limit.
    SlurmJob& add(const ClusterView& view, JobId id);
    /// The job is gone. Others may be taken in for it.
    void forget(JobId id, SimTime now);

    void start(SlurmJob& job, SimTime now);
    /// Back to waiting (or suspended).
    void stop(SlurmJob& job, SimTime now, SlurmJob::State state);

    /// Does all calculations due. True if the order of the queue has changed.
    bool calculate_until(SimTime now);
    SimTime next_calculation() const { return next_calculation_; }

    /// False where all jobs have one priority: without weights they go in order of submission (priority/basic).
    bool has_priorities() const { return has_priorities_; }
    /// Waiting jobs in Slurm's order, and those suspended.
    const std::vector<SlurmJob*>& queue() const { return queue_; }
    const std::vector<SlurmJob*>& suspended() const { return suspended_; }
    const std::vector<SlurmJob*>& running() const { return running_; }
    /// What keeps the job from starting whatever is free; null = nothing.
    const char* blocked_by(const SlurmJob& job, SimTime now) const;

 private:
    void fill(SlurmJob& job, const ClusterView& view);
    void fill_figures(SlurmJob& job, const ClusterView& view) const;
    double resource_share(const std::string& resource, const SlurmJob& job, const JobBelief& belief) const;
    double billing(const SlurmJob& job, const JobBelief& belief) const;
    double amount(const std::string& resource, const SlurmJob& job, const JobBelief& belief) const;
    SimTime wall_time(const SlurmJob& job, const JobBelief& belief) const;
    int nodes_needed(const SlurmJob& job, const JobBelief& belief) const;
    bool fits_empty_cluster(const SlurmJob& job, const JobBelief& belief) const;
    void take_in(SlurmJob& job, SimTime now);
    void admit_those_kept_out(SimTime now);
    void enqueue(SlurmJob& job);
    void dequeue(SlurmJob& job);
    void set_priority(SlurmJob& job, SimTime now);
    void calculate(SimTime at);
    void charge(SlurmJob& job, SimTime until);

    const Cluster& cluster_;
    const SiteRules& rules_;
    const NodeMap& map_;
    SlurmSite site_;
    FairShareTree tree_;
    UsageLimits limits_;
    std::unordered_map<JobId, SlurmJob> jobs_;
    std::vector<SlurmJob*> queue_, suspended_, running_, kept_out_;
    std::map<Name, std::int64_t> running_of_array_;
    SimTime period_;
    SimTime next_calculation_;
    SimTime last_calculation_;
    double cluster_cpus_ = 0;
    bool has_priorities_ = false;
};

}  // namespace medley::planner
