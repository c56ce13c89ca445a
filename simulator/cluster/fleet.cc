#include "simulator/cluster/fleet.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "sched/transitions.h"

namespace medley::simulator {
namespace {

constexpr double kRelativeTolerance = 1e-9;

// Integer time ends a stretch up to a nanosecond late, and sums of doubles round.
bool close(double work, double expected, double work_per_s) {
    return std::abs(work - expected) <= kRelativeTolerance * std::max(1.0, expected) + 2e-9 * work_per_s;
}

}  // namespace

Fleet::Fleet(const Cluster& cluster, const World& world, std::size_t jobs, FleetOptions options)
    : world_(world),
      options_(std::move(options)),
      checkpoint_interval_(to_sim_time(options_.checkpoint_interval)),
      capacity_(cluster.capacity()),
      used_(capacity_.size(), 0),
      slots_(jobs, kNoSlot),
      work_done_(jobs, 0) {}

// ---- Actions ------------------------------------------------------------------------------------------------------------------

void Fleet::carry_out(const Launch& launch, SimTime now) {
    Running& run = add(launch.job, launch.allocation, now);
    const SimTime overhead = to_sim_time(launch.overhead);
    if (overhead.value == 0) { return complete_transition(run, now); }
    run.transition = schedule(run, later(now, overhead), Happening::kRun);
}

void Fleet::carry_out(const Resize& resize, SimTime now) {
    Running& run = running(resize.job);
    MEDLEY_ASSERT(run.phase == Phase::kRunning && run.transition == kNoTicket);
    const Allocation kept = common_part(run.held, resize.allocation);
    const bool gave_up = !kept.same_gpus(run.held);
    use(run.held, resize.allocation);
    run.held = resize.allocation;
    const SimTime overhead = to_sim_time(resize.overhead);
    if (overhead.value == 0) { return complete_transition(run, now); }
    run.transition = schedule(run, later(now, overhead), Happening::kRun);
    if (!gave_up) { return; }
    run_at(run, world_.interim_speed(run.job, kept, run.speed), now);
    report(run, true);
}

void Fleet::carry_out(const Stop& stop, SimTime now) {
    Running& run = running(stop.job);
    settle(run, now);
    if (stop.reason == StopReason::kCapacityLost) {
        const bool loses = checkpoint_interval_.value > 0 && !options_.virtualflow_logs;
        return this->stop(run, loses ? run.work_done - run.work_saved : 0);
    }
    const SimTime overhead = to_sim_time(stop.overhead);
    if (overhead.value == 0) { return this->stop(run, 0); }
    pause(run, now);
    run.transition = schedule(run, later(now, overhead), Happening::kStop);
}

// ---- Events -------------------------------------------------------------------------------------------------------------------

void Fleet::prune() {
    constexpr std::size_t kFewest = 1024;
    if (cancelled_ < kFewest || 2 * cancelled_ < queue_.size()) { return; }
    queue_.prune([this](const QueuedEvent& event) { return !alive(event); });
    cancelled_ = 0;
}

SimTime Fleet::next_time() {
    prune();
    while (!queue_.empty() && !alive(queue_.top())) {
        queue_.pop();
        --cancelled_;
    }
    return queue_.empty() ? kNever : queue_.top().time;
}

void Fleet::advance(SimTime now) {
    while (next_time() == now) {
        const QueuedEvent event = queue_.top();
        queue_.pop();
        Running& run = jobs_[event.owner];
        switch (event.happening()) {
            case Happening::kFinish:
                run.finish = kNoTicket;
                finish_or_credit(run, now);
                break;
            case Happening::kStop:
                run.transition = kNoTicket;
                stop(run, 0);
                break;
            case Happening::kRun:
                run.transition = kNoTicket;
                complete_transition(run, now);
                break;
        }
    }
}

void Fleet::take(std::vector<Event>& events) {
    for (std::vector<Event>& kind : happened_) {
        events.insert(events.end(), kind.begin(), kind.end());
        kind.clear();
    }
}

void Fleet::end_moment(SimTime now) {
    for (std::size_t type = 0; type < used_.size(); ++type) { MEDLEY_ASSERT(used_[type] <= capacity_[type]); }
    for (const JobId job : credited_) {
        if (slots_[job.index()] == kNoSlot) { continue; }
        Running& run = running(job);
        if (run.phase == Phase::kRunning && run.finish == kNoTicket) { schedule_finish(run, now); }
    }
    credited_.clear();
}

void Fleet::finish_or_credit(Running& run, SimTime now) {
    const double before = run.work_done;
    settle(run, now);
    fruitless_credits_ = run.work_done > before ? 0 : fruitless_credits_ + 1;
    if (!run.credit_is_due) { return finish(run); }
    if (run.work_done >= run.total_work) { return finish(run); }
    credited_.push_back(run.job);
}

// ---- Jobs that hold GPUs ------------------------------------------------------------------------------------------------------

Fleet::Running& Fleet::add(JobId job, const Allocation& held, SimTime now) {
    MEDLEY_ASSERT(slots_[job.index()] == kNoSlot && !held.empty());
    use({}, held);
    if (free_slots_.empty()) {
        free_slots_.push_back(static_cast<std::uint32_t>(jobs_.size()));
        jobs_.emplace_back();
    }
    const std::uint32_t slot = free_slots_.back();
    free_slots_.pop_back();
    slots_[job.index()] = slot;
    Running& run = jobs_[slot];
    run.job = job;
    run.slot = slot;
    run.total_work = medley::total_work(world_.job(job));
    run.held = held;
    run.settled = now;
    run.progress_since = now;
    run.work_done = work_done_[job.index()];
    run.work_saved = run.work_done;
    if (options_.virtualflow_logs) { options_.virtualflow_logs->meet(job, world_.job(job).submit); }
    return run;
}

void Fleet::remove(Running& run) {
    cancelled_ += (run.finish != kNoTicket) + (run.transition != kNoTicket);
    use(run.held, {});
    free_slots_.push_back(run.slot);
    slots_[run.job.index()] = kNoSlot;
    set_speed(run, {});
    run = Running{};
}

void Fleet::use(const Allocation& before, const Allocation& after) {
    for (const Grant& grant : before.grants) { used_[grant.type.index()] -= grant.gpus; }
    for (const Grant& grant : after.grants) { used_[grant.type.index()] += grant.gpus; }
}

void Fleet::set_speed(Running& run, JobSpeed speed) {
    progressing_ -= run.speed.work_per_s > 0;
    progressing_ += speed.work_per_s > 0;
    run.speed = speed;
}

// Progress is made here and nowhere else.
void Fleet::settle(Running& run, SimTime now) {
    save_automatically(run, now);
    if (options_.virtualflow_logs) {
        if (run.phase == Phase::kRunning && now > run.settled) {
            run.work_done = options_.virtualflow_logs->credit(run.job, run.speed.work_per_s, now);
        }
    } else {
        const double work = run.speed.work_per_s * to_seconds(now - run.settled).value;
        MEDLEY_ASSERT(work >= 0 && (work == 0 || run.held.gpus() > 0));
        run.work_done += work;
        work_by_gpus_ += work;
    }
    run.settled = now;
}

void Fleet::save_automatically(Running& run, SimTime now) {
    if (checkpoint_interval_.value == 0 || run.phase != Phase::kRunning) { return; }
    const std::int64_t age = (now - run.progress_since).value;
    const SimTime last = run.progress_since + SimTime{age - age % checkpoint_interval_.value};
    if (last < run.settled || last == run.progress_since) { return; }
    run.work_saved = run.work_done + run.speed.work_per_s * to_seconds(last - run.settled).value;
}

void Fleet::run_at(Running& run, JobSpeed speed, SimTime now) {
    settle(run, now);
    if (run.phase == Phase::kStarting) { run.progress_since = now; }
    run.phase = Phase::kRunning;
    set_speed(run, speed);
    schedule_finish(run, now);
}

void Fleet::schedule_finish(Running& run, SimTime now) {
    cancelled_ += run.finish != kNoTicket;
    run.finish = kNoTicket;
    run.credit_is_due = false;
    if (run.speed.work_per_s <= 0) { return; }
    SimTime time;
    if (options_.virtualflow_logs) {
        const auto check = options_.virtualflow_logs->next_check(run.job, run.total_work, run.speed.work_per_s, now);
        time = check.time;
        run.credit_is_due = !check.finishes;
    } else {
        time = later(now, to_sim_time_up(Seconds{std::max(0.0, run.total_work - run.work_done) / run.speed.work_per_s}));
    }
    if (time < kNever) { run.finish = schedule(run, time, Happening::kFinish); }
}

void Fleet::complete_transition(Running& run, SimTime now) {
    run_at(run, world_.speed(run.job, run.held), now);
    report(run, false);
}

void Fleet::pause(Running& run, SimTime now) {
    settle(run, now);
    run.phase = Phase::kCheckpointing;
    set_speed(run, {});
    cancelled_ += (run.finish != kNoTicket) + (run.transition != kNoTicket);
    run.finish = kNoTicket;
    run.transition = kNoTicket;
}

void Fleet::report(const Running& run, bool resizing) {
    happened_[static_cast<std::size_t>(Happening::kRun)].push_back(JobRunning{.job = run.job,
                                                                              .work_per_s = run.speed.work_per_s,
                                                                              .communication_fraction = run.speed.communication_fraction,
                                                                              .work_done = run.work_done,
                                                                              .resizing = resizing});
}

void Fleet::finish(Running& run) {
    const double total = run.total_work;
    if (!options_.virtualflow_logs) { MEDLEY_ASSERT(close(run.work_done, total, run.speed.work_per_s)); }
    work_of_gone_ += total - work_done_[run.job.index()];
    work_done_[run.job.index()] = total;
    happened_[static_cast<std::size_t>(Happening::kFinish)].push_back(JobFinished{.job = run.job, .work_done = total});
    remove(run);
}

void Fleet::stop(Running& run, double work_lost) {
    work_of_gone_ += run.work_done - work_done_[run.job.index()];
    const double valid = run.work_done - work_lost;
    work_done_[run.job.index()] = valid;
    happened_[static_cast<std::size_t>(Happening::kStop)].push_back(JobStopped{.job = run.job, .work_done = valid, .work_lost = work_lost});
    remove(run);
}

void Fleet::assert_conservation(SimTime now) {
    if (options_.virtualflow_logs) { return; }
    double work = work_of_gone_;
    double fastest = 0;
    for (Running& run : jobs_) {
        if (!run.job.valid()) { continue; }
        settle(run, now);
        work += run.work_done - work_done_[run.job.index()];
        fastest = std::max(fastest, run.speed.work_per_s);
    }
    MEDLEY_ASSERT(std::abs(work - work_by_gpus_) <= 1e-6 * std::max(1.0, work_by_gpus_) + fastest);
}

}  // namespace medley::simulator
