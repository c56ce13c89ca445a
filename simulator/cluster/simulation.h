#pragma once
/// The cluster simulator: plays a trace against a scheduling policy in virtual time.
///
/// It owns time, not decisions: sched/scheduler.h decides, exactly as in a real run. The simulator feeds it events, carries out its
/// actions in the World (true speeds, noise, lost capacity) and lets jobs progress. Conservation of work is asserted in every run: a
/// job progresses only with GPUs, at its true speed, and a finished job did all its work.
///
/// Everything that happens in one moment reaches the scheduler in one call, in the order finishes, stops, starts, capacity,
/// submissions, timer. Time is integer nanoseconds and all ties are ordered, so equal inputs and seeds give equal bytes.
/// Cost: O(log running jobs) per event beyond what scheduler, policy and log take; two heap operations for a plain job.

#include <cstdint>
#include <functional>
#include <vector>

#include "core/cluster.h"
#include "core/job.h"
#include "core/job_speed.h"
#include "core/units.h"
#include "sched/event_log.h"
#include "sched/policy.h"
#include "sched/scheduler.h"
#include "simulator/cluster/availability.h"

namespace medley::simulator {

enum class Accounting {
    kCorrect,
    /// The published VirtualFlow simulator logs' mistake: time spent waiting counts as progress. Needs rounds; for comparison only.
    kVirtualFlowLogs,
};

struct SimulationProgress {
    std::size_t jobs_done = 0;
    std::size_t jobs_total = 0;
    SimTime now;
};

struct SimulationOptions {
    SchedulerOptions scheduler;                ///< rounds, transition costs, policy latency; its seed and compat go into the log's header
    std::vector<CapacityChange> availability;  ///< any order
    /// Running jobs save their state this often, at no cost; work since then is lost with the GPUs. 0 = nothing is ever lost.
    Seconds checkpoint_interval{0};
    /// True speeds differ from `world`'s by a log-normal factor with this sigma, drawn once per job and GPU type from the seed.
    double speed_noise = 0;
    std::uint64_t seed = 0;
    Accounting accounting = Accounting::kCorrect;
    /// Called now and then (at most about a thousand times a run); may be empty. Must not change results.
    std::function<void(const SimulationProgress&)> progress;
};

struct SimulationResult {
    SimTime end;                      ///< when the last thing happened
    std::size_t jobs_unfinished = 0;  ///< no event could help them any more
    std::uint64_t events = 0;         ///< handed to the scheduler
    std::uint64_t decisions = 0;      ///< times the policy was asked
};

/// Runs until every job is done, or nothing is left that could change anything: nothing runs and the policy does nothing, or it has
/// restarted jobs ten thousand times without any of them getting to work. Requires `trace` ordered (Trace::order_jobs) and valid
/// for the cluster. Throws medley::Error for options that make no sense (negative times, capacity below zero, log-compatible
/// accounting without rounds). `world` moves the jobs, `believed` is what the policy sees; they may be the same object.
SimulationResult simulate(const Cluster& cluster, const Trace& trace, const CostModel& world, const CostModel& believed, Policy& policy,
                          EventSink& log, const SimulationOptions& options);

}  // namespace medley::simulator
