#include "sched/scheduler_state.h"

#include <algorithm>

#include "core/error.h"
#include "sched/scheduler.h"

namespace medley {
namespace {

void add(std::vector<int>& counts, const Allocation& allocation, int sign) {
    for (const Grant& grant : allocation.grants) { counts[grant.type.index()] += sign * grant.gpus; }
}

}  // namespace

SchedulerState::SchedulerState(const Cluster& cluster, const std::vector<Job>& jobs, const CostModel& believed,
                               InformationClass information, const TransitionCosts& costs)
    : cluster_(cluster),
      jobs_(jobs),
      believed_(believed),
      costs_(costs),
      maker_(cluster, believed, information),
      capacity_(cluster.capacity()),
      nominal_(capacity_),
      used_(capacity_.size(), 0),
      committed_(capacity_.size(), 0) {
    slots_.reserve(jobs.size());
    beliefs_.emplace_back();
    records_.emplace_back().phase = JobPhase::kDone;
}

void SchedulerState::admit(JobId id) {
    if (slots_.size() <= id.index()) { slots_.resize(id.index() + 1, kGone); }
    if (free_slots_.empty()) {
        free_slots_.push_back(static_cast<Slot>(records_.size()));
        beliefs_.emplace_back();
        records_.emplace_back();
    }
    const Slot slot = free_slots_.back();
    free_slots_.pop_back();
    slots_[id.index()] = slot;
    beliefs_[slot] = maker_.believe(jobs_[id.index()], id);
    records_[slot] = JobRecord{};
}

void SchedulerState::forget(JobId id) {
    free_slots_.push_back(slots_[id.index()]);
    slots_[id.index()] = kGone;
}

void SchedulerState::news_told() {
    for (const JobId id : departed) { forget(id); }
    arrived.clear();
    departed.clear();
    evicted.clear();
}

void SchedulerState::enter(JobId id) {
    record(id).present = true;
    order_.push_back(id);
    arrived.push_back(id);
    ++present_count_;
    touch();
}

void SchedulerState::depart(JobId id) {
    JobRecord& job = record(id);
    MEDLEY_ASSERT(job.held.empty() && job.target.empty());
    job.phase = JobPhase::kDone;
    touch();
    if (!job.present) { return forget(id); }
    job.present = false;
    --present_count_;
    const bool seen_by_policy = job.launched_before || std::erase(arrived, id) == 0;
    std::erase(evicted, id);
    if (seen_by_policy) {
        departed.push_back(id);
    } else {
        forget(id);
    }
    compact_present();
}

void SchedulerState::compact_present() {
    constexpr std::size_t kFewest = 64;
    if (order_.size() < kFewest || order_.size() < 2 * present_count_) { return; }
    std::erase_if(order_, [this](JobId id) { return !record(id).present; });
}

std::vector<JobId> SchedulerState::present() const {
    std::vector<JobId> ids;
    ids.reserve(present_count_);
    for (const JobId id : order_) {
        if (record(id).present) { ids.push_back(id); }
    }
    return ids;
}

void SchedulerState::change_capacity(GpuTypeId type, int delta) {
    capacity_[type.index()] += delta;
    touch();
}

bool SchedulerState::available(const Allocation& wanted, const Allocation& kept) const {
    return std::all_of(wanted.grants.begin(), wanted.grants.end(), [&](const Grant& grant) {
        return used(grant.type) + grant.gpus - kept.gpus_of(grant.type) <= capacity(grant.type);
    });
}

void SchedulerState::set_target(JobId id, Allocation target) {
    JobRecord& job = record(id);
    add(committed_, job.target, -1);
    job.target = std::move(target);
    add(committed_, job.target, +1);
    touch();
}

void SchedulerState::set_held(JobId id, Allocation held, SimTime now) {
    JobRecord& job = record(id);
    job.held_seconds = held_seconds(id, now).value;
    job.held_gpu_seconds = held_gpu_seconds(id, now);
    job.held_since = now;
    add(used_, job.held, -1);
    job.held = std::move(held);
    add(used_, job.held, +1);
    touch();
}

void SchedulerState::set_progress(JobId id, double work_done, double work_per_s, SimTime now) {
    JobRecord& job = record(id);
    job.work_done = work_done;
    job.work_per_s = work_per_s;
    job.reported = now;
}

double SchedulerState::work_done(JobId id, SimTime now) const {
    const JobRecord& job = record(id);
    if (job.work_per_s == 0) { return job.work_done; }
    const double done = job.work_done + job.work_per_s * to_seconds(now - job.reported).value;
    return std::min(done, total_work(this->job(id)));
}

Seconds SchedulerState::held_seconds(JobId id, SimTime now) const {
    const JobRecord& job = record(id);
    return Seconds{job.held_seconds + (job.held.empty() ? 0 : to_seconds(now - job.held_since).value)};
}

double SchedulerState::held_gpu_seconds(JobId id, SimTime now) const {
    const JobRecord& job = record(id);
    return job.held_gpu_seconds + job.held.gpus() * to_seconds(now - job.held_since).value;
}

Seconds SchedulerState::remaining(JobId id, SimTime now) const {
    const JobBelief& belief = this->belief(id);
    MEDLEY_ASSERT(belief.run_time.has_value());
    if (!belief.total_work) { return Seconds{std::max(0.0, belief.run_time->value - held_seconds(id, now).value)}; }
    const JobRecord& job = record(id);
    const double left = *belief.total_work - work_done(id, now);
    if (job.work_per_s > 0) { return Seconds{left / job.work_per_s}; }
    const double wait = job.held.empty() ? 0 : std::max(0.0, to_seconds(job.progress_from - now).value);
    return Seconds{wait + belief.run_time->value * left / *belief.total_work};
}

}  // namespace medley
