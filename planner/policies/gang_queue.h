#pragma once
/// The engine of the rigid queue policies: waiting gangs in one order, started one by one on the first type with room.
///
/// Policies differ in the order, in what a job without room does (block those behind it, or let them pass), and in whether it may take
/// the GPUs of running jobs that rank behind it. Works from the view's deltas: a decision costs O(C + s (C + g log n)) with s jobs started
/// or stopped, C kinds of jobs waiting (1 where jobs block), g the size of a gang and n the jobs present.

#include <array>
#include <compare>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "planner/policies/free_gpus.h"
#include "sched/cluster_view.h"
#include "sched/decision.h"

namespace medley::planner {

/// Smaller goes first; equal ranks go in order of submission.
using Rank = std::int64_t;

/// The order of ranks is that of the numbers. Requires a number that is not NaN.
Rank rank_of(double number);

struct GangRules {
    Rank (*rank)(const ClusterView& view, JobId job);  ///< of a waiting job; must not change while it waits
    /// Rank among the jobs that run on a type, were it to run there too. Null = running jobs are never stopped.
    Rank (*rank_on)(const ClusterView& view, JobId job, GpuTypeId type) = nullptr;
    bool ranks_age = false;  ///< a running job's rank falls by one a nanosecond
    bool blocking = true;    ///< a job without room blocks those behind it
};

class GangQueue {
 public:
    explicit GangQueue(GangRules rules) : rules_(rules) {}
    Decision decide(const ClusterView& view);

 private:
    enum class Status : std::uint8_t { kAbsent, kWaiting, kRunning };
    struct Entry {
        Rank rank = 0;  ///< waiting: in the queue; running: see `running_rank`
        GpuTypeId type;
        int gpus = 0;
        Status status = Status::kAbsent;
        bool touched = false;
        bool displaced = false;  ///< stopped by this very decision: may use room, but stops nobody
        bool indexed = false;    ///< running: stands in `running_`, else in `fresh_`
    };
    using Order = std::set<std::pair<Rank, JobId>>;
    struct Class {
        Order waiting;
        bool stuck = false;  ///< its first job found no place in this decision, so neither does any other
    };

    void take_news(const ClusterView& view);
    void reconcile(const ClusterView& view, JobId job);
    void forget(const ClusterView& view, JobId job);
    void enqueue(const ClusterView& view, JobId job);
    void dequeue(const ClusterView& view, JobId job);
    void record_running(const ClusterView& view, JobId job, GpuTypeId type, int gpus);
    void drop_running(JobId job);
    void index_fresh();
    /// Comparable over time: where ranks age, now plus what the rank is now.
    Rank running_rank(const ClusterView& view, JobId job, GpuTypeId type) const;

    Class* first_class();
    bool place(const ClusterView& view, JobId job);
    bool make_room(const ClusterView& view, JobId job, GpuTypeId type);
    void start(const ClusterView& view, JobId job, GpuTypeId type);
    void touch(JobId job);
    Decision changes(const ClusterView& view);

    Entry& entry(JobId job);
    Class& class_of(const ClusterView& view, JobId job);

    GangRules rules_;
    FreeGpus free_;
    std::vector<Entry> entries_;
    std::vector<Class> classes_;  ///< by kind of job; a single one where jobs block
    std::vector<Order> running_;  ///< by type, where running jobs may be stopped
    std::vector<JobId> fresh_;    ///< launched since room was last to be made; most jobs end without ever being compared
    std::vector<JobId> touched_;  ///< by the present decision
    std::vector<JobId> changed_;  ///< by the last decision; verified at the next, since a late decision may have been dropped
};

}  // namespace medley::planner
