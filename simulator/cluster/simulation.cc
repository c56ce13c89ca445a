#include "simulator/cluster/simulation.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/error.h"
#include "simulator/cluster/fleet.h"
#include "simulator/cluster/world.h"

namespace medley::simulator {
namespace {

void require_span(Seconds span, const char* place) {
    if (!(span.value >= 0) || !std::isfinite(span.value)) {
        refuse_value(place, fmt::format("{}", span.value), "a number of seconds of at least 0");
    }
}

void validate(const SimulationOptions& options) {
    const SchedulerOptions& scheduler = options.scheduler;
    require_span(scheduler.round, "round");
    require_span(scheduler.policy_latency, "policy latency");
    require_span(scheduler.costs.startup, "start-up overhead");
    require_span(scheduler.costs.restart, "restart overhead");
    require_span(scheduler.costs.resize, "resize overhead");
    require_span(scheduler.costs.checkpoint, "checkpoint overhead");
    require_span(options.checkpoint_interval, "checkpoint interval");
    if (!(options.speed_noise >= 0) || !std::isfinite(options.speed_noise)) {
        refuse_value("speed noise", fmt::format("{}", options.speed_noise), "a number of at least 0");
    }
    if (options.accounting == Accounting::kVirtualFlowLogs && to_sim_time(scheduler.round).value <= 0) {
        refuse_value("compat virtualflow-logs", "", "a policy with rounds, or a round above 0 s");
    }
}

FleetOptions fleet_options(const SimulationOptions& options) {
    FleetOptions fleet{.checkpoint_interval = options.checkpoint_interval, .virtualflow_logs = {}};
    if (options.accounting == Accounting::kVirtualFlowLogs) { fleet.virtualflow_logs.emplace(to_sim_time(options.scheduler.round)); }
    return fleet;
}

class Simulation {
 public:
    Simulation(const Cluster& cluster, const Trace& trace, const CostModel& world, const CostModel& believed, Policy& policy,
               EventSink& log, const SimulationOptions& options)
        : trace_(trace),
          options_(options),
          availability_(in_order(options.availability, cluster)),
          world_(trace.jobs, world, {.speed_noise = options.speed_noise, .seed = options.seed}),
          fleet_(cluster, world_, trace.jobs.size(), fleet_options(options)),
          scheduler_(cluster, trace.jobs, believed, policy, log, options.scheduler) {}

    SimulationResult run();

 private:
    bool hopeless() const;
    SimTime next_time();
    void play(SimTime now);
    void gather(SimTime now);
    bool act(std::span<const Action> actions, SimTime now);
    void show_progress(SimTime now);
    std::size_t jobs_done() const { return next_job_ - scheduler_.unfinished(); }

    const Trace& trace_;
    const SimulationOptions& options_;
    std::vector<CapacityChange> availability_;
    World world_;
    Fleet fleet_;
    Scheduler scheduler_;

    std::vector<Event> events_;
    std::size_t next_job_ = 0;
    std::size_t next_change_ = 0;
    SimTime wake_ = kNever;
    std::size_t idle_timers_ = 0;
    std::size_t fruitless_restarts_ = 0;  ///< since a job last made progress
    std::size_t progress_due_ = 0;
    std::uint64_t handled_ = 0;
};

SimulationResult Simulation::run() {
    SimTime now{0};
    for (SimTime next = next_time(); next < kNever && !hopeless(); next = next_time()) {
        MEDLEY_ASSERT(next >= now);
        now = next;
        play(now);
        show_progress(now);
    }
    fleet_.assert_conservation(now);
    scheduler_.finish(now);
    return {.end = now, .jobs_unfinished = scheduler_.unfinished(), .events = handled_, .decisions = scheduler_.decisions()};
}

// A policy that asks again and again without doing anything, while nothing runs and nothing is to come, would do so for ever; and so
// would one that moves jobs about faster than they can start.
bool Simulation::hopeless() const {
    constexpr std::size_t kMostIdleTimers = 1000;
    constexpr std::size_t kMostFruitless = 10'000;
    return idle_timers_ >= kMostIdleTimers || fruitless_restarts_ >= kMostFruitless || fleet_.fruitless_credits() >= kMostFruitless;
}

SimTime Simulation::next_time() {
    SimTime next = std::min(fleet_.next_time(), wake_);
    if (next_job_ < trace_.jobs.size()) { next = std::min(next, trace_.jobs[next_job_].submit); }
    if (next_change_ < availability_.size() && (next < kNever || scheduler_.unfinished() > 0)) {
        next = std::min(next, availability_[next_change_].time);
    }
    return next;
}

// Answers to actions without overhead belong to the same moment: they go back to the scheduler until it asks for nothing more.
void Simulation::play(SimTime now) {
    constexpr int kMostExchanges = 100'000;
    gather(now);
    const bool only_timer = events_.size() == 1 && std::holds_alternative<TimerFired>(events_[0]);
    bool acted = false;
    for (int exchange = 0; !events_.empty(); ++exchange) {
        MEDLEY_ASSERT(exchange < kMostExchanges);
        handled_ += events_.size();
        acted = act(scheduler_.handle(events_, now), now) || acted;
        events_.clear();
        fleet_.take(events_);
    }
    fleet_.end_moment(now);
    const bool idle =
        only_timer && !acted && fleet_.running() == 0 && next_job_ == trace_.jobs.size() && next_change_ == availability_.size();
    idle_timers_ = idle ? idle_timers_ + 1 : 0;
    if (fleet_.progresses()) { fruitless_restarts_ = 0; }
}

void Simulation::gather(SimTime now) {
    fleet_.advance(now);
    fleet_.take(events_);
    for (; next_change_ < availability_.size() && availability_[next_change_].time == now; ++next_change_) {
        const CapacityChange& change = availability_[next_change_];
        fleet_.change_capacity(change.type, change.delta);
        events_.push_back(CapacityChanged{.type = change.type, .delta = change.delta});
    }
    for (; next_job_ < trace_.jobs.size() && trace_.jobs[next_job_].submit == now; ++next_job_) {
        events_.push_back(JobSubmitted{.job = JobId(next_job_)});
    }
    if (wake_ <= now) {
        wake_ = kNever;
        events_.push_back(TimerFired{});
    }
}

/// Returns whether anything but the timer was set.
bool Simulation::act(std::span<const Action> actions, SimTime now) {
    bool acted = false;
    for (const Action& action : actions) {
        if (const auto* wake = std::get_if<WakeAt>(&action)) {
            wake_ = wake->time;
            continue;
        }
        acted = true;
        if (const auto* launch = std::get_if<Launch>(&action)) { fruitless_restarts_ += launch->restart; }
        std::visit(
            [&](const auto& known) {
                if constexpr (!std::is_same_v<std::decay_t<decltype(known)>, WakeAt>) { fleet_.carry_out(known, now); }
            },
            action);
    }
    return acted;
}

void Simulation::show_progress(SimTime now) {
    constexpr std::size_t kMostCalls = 1000;
    if (!options_.progress || jobs_done() < progress_due_) { return; }
    options_.progress({.jobs_done = jobs_done(), .jobs_total = trace_.jobs.size(), .now = now});
    progress_due_ = jobs_done() + std::max<std::size_t>(1, trace_.jobs.size() / kMostCalls);
}

}  // namespace

SimulationResult simulate(const Cluster& cluster, const Trace& trace, const CostModel& world, const CostModel& believed, Policy& policy,
                          EventSink& log, const SimulationOptions& options) {
    validate(options);
    MEDLEY_ASSERT(std::is_sorted(trace.jobs.begin(), trace.jobs.end(), [](const Job& a, const Job& b) { return a.submit < b.submit; }));
    return Simulation(cluster, trace, world, believed, policy, log, options).run();
}

}  // namespace medley::simulator
