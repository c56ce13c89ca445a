#pragma once
/// The scheduler: a pure state machine. Events in, actions out; no clock, no I/O, no threads.
///
/// It keeps every job's life (waiting, starting, running, stopping, done), asks the policy when something happened (or at each
/// round), works out the transitions its decision needs (launch, resize, stop, migrate), charges their cost once, and writes the event
/// log. The cluster simulator drives it with virtual time, the executor with real events.
///
/// Cost of `handle`: O(events + changes) beyond what the policy itself takes; O(jobs present) when capacity is lost.
/// Thread rule: one thread at a time.

#include <memory>
#include <span>
#include <vector>

#include "core/cluster.h"
#include "core/job.h"
#include "core/job_speed.h"
#include "sched/event.h"
#include "sched/event_log.h"
#include "sched/policy.h"

namespace medley {

/// What transitions cost, charged in this one place.
struct TransitionCosts {
    Seconds startup{0};     ///< from a first launch to the first progress
    Seconds restart{0};     ///< from a launch after a stop to further progress (also after a migration between types)
    Seconds resize{0};      ///< from gaining GPUs to using them; the job goes on meanwhile. Giving GPUs up is immediate.
    Seconds checkpoint{0};  ///< GPUs held without progress before a voluntary stop
};

struct SchedulerOptions {
    Seconds round{0};  ///< 0 = ask the policy at every event; else only at multiples of this
    TransitionCosts costs;
    Seconds policy_latency{0};  ///< a decision takes effect this much later; the policy is not asked meanwhile
    std::uint64_t seed = 0;     ///< for the log's header only
    std::string compat;         ///< for the log's header only
};

class SchedulerState;

class Scheduler {
 public:
    /// `jobs` may grow while the scheduler lives (a live cluster); ids are positions in it. All references must outlive it.
    Scheduler(const Cluster& cluster, const std::vector<Job>& jobs, const CostModel& believed, Policy& policy, EventSink& log,
              SchedulerOptions options);
    ~Scheduler();
    Scheduler(const Scheduler&) = delete;
    Scheduler& operator=(const Scheduler&) = delete;

    /// All events of one moment. Requires `now` never to decrease. The returned actions are valid until the next call.
    std::span<const Action> handle(std::span<const Event> events, SimTime now);
    std::span<const Action> handle(const Event& event, SimTime now) { return handle(std::span(&event, 1), now); }

    /// Writes the end of the log. No call after it.
    void finish(SimTime now);

    /// Jobs that are not done yet (waiting for dependencies included).
    std::size_t unfinished() const;
    JobPhase phase(JobId job) const;
    const Allocation& held(JobId job) const;
    /// How often the policy was asked.
    std::uint64_t decisions() const;
    ClusterView view(SimTime now) const;

 private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace medley
