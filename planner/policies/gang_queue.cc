#include "planner/policies/gang_queue.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/error.h"

namespace medley::planner {

Rank rank_of(double number) {
    // The bits of positive doubles order like integers; those of negative ones in reverse. Adding zero merges -0 into +0.
    const Rank bits = std::bit_cast<Rank>(number + 0.0);
    return bits >= 0 ? bits : bits ^ std::numeric_limits<Rank>::max();
}

Decision GangQueue::decide(const ClusterView& view) {
    take_news(view);
    free_.reset(view);
    while (Class* next = first_class()) {
        const JobId job = next->waiting.begin()->second;
        if (place(view, job)) { continue; }
        if (rules_.blocking) { break; }
        next->stuck = true;
    }
    return changes(view);
}

void GangQueue::take_news(const ClusterView& view) {
    running_.resize(view.type_count());
    for (const JobId job : view.departed()) { forget(view, job); }
    for (const JobId job : view.arrived()) { enqueue(view, job); }
    for (const JobId job : view.evicted()) { reconcile(view, job); }
    for (const JobId job : changed_) { reconcile(view, job); }
    changed_.clear();
}

void GangQueue::reconcile(const ClusterView& view, JobId job) {
    const Entry& books = entry(job);
    if (books.status == Status::kAbsent) { return; }
    const Allocation& held = view.held(job);
    const bool agrees =
        held.empty() ? books.status == Status::kWaiting : books.status == Status::kRunning && held.gpus_of(books.type) == books.gpus;
    if (agrees) { return; }
    forget(view, job);
    if (held.empty()) { return enqueue(view, job); }
    record_running(view, job, held.grants.front().type, held.grants.front().gpus);
}

void GangQueue::forget(const ClusterView& view, JobId job) {
    Entry& books = entry(job);
    if (books.status == Status::kWaiting) { dequeue(view, job); }
    if (books.status == Status::kRunning) { drop_running(job); }
    books.status = Status::kAbsent;
}

void GangQueue::enqueue(const ClusterView& view, JobId job) {
    Entry& books = entry(job);
    books.rank = rules_.rank(view, job);
    books.status = Status::kWaiting;
    Order& waiting = class_of(view, job).waiting;
    waiting.emplace_hint(waiting.end(), books.rank, job);
}

void GangQueue::dequeue(const ClusterView& view, JobId job) { class_of(view, job).waiting.erase({entry(job).rank, job}); }

void GangQueue::record_running(const ClusterView& view, JobId job, GpuTypeId type, int gpus) {
    Entry& books = entry(job);
    books.type = type;
    books.gpus = gpus;
    books.status = Status::kRunning;
    if (rules_.rank_on == nullptr) { return; }
    books.rank = running_rank(view, job, type);
    books.indexed = false;
    fresh_.push_back(job);
}

void GangQueue::drop_running(JobId job) {
    Entry& books = entry(job);
    if (books.indexed) { running_[books.type.index()].erase({books.rank, job}); }
    books.indexed = false;
}

void GangQueue::index_fresh() {
    for (const JobId job : fresh_) {
        Entry& books = entry(job);
        if (books.status != Status::kRunning || books.indexed) { continue; }
        running_[books.type.index()].emplace(books.rank, job);
        books.indexed = true;
    }
    fresh_.clear();
}

Rank GangQueue::running_rank(const ClusterView& view, JobId job, GpuTypeId type) const {
    if (!rules_.ranks_age) { return rules_.rank_on(view, job, type); }
    constexpr Rank kLongest = std::numeric_limits<Rank>::max() / 2;
    return view.now().value + std::min(rules_.rank_on(view, job, type), kLongest);
}

GangQueue::Class* GangQueue::first_class() {
    Class* first = nullptr;
    for (Class& each : classes_) {
        if (each.stuck || each.waiting.empty()) { continue; }
        if (first == nullptr || *each.waiting.begin() < *first->waiting.begin()) { first = &each; }
    }
    return first;
}

bool GangQueue::place(const ClusterView& view, JobId job) {
    if (const auto type = free_.first_with_room(view, job)) {
        start(view, job, *type);
        return true;
    }
    if (rules_.rank_on == nullptr || entry(job).displaced) { return false; }
    for (std::size_t index = 0; index < view.type_count(); ++index) {
        const GpuTypeId type(index);
        if (!view.could_run_on(job, type) || !make_room(view, job, type)) { continue; }
        start(view, job, type);
        return true;
    }
    return false;
}

// Stops the fewest of the last-ranked jobs on the type, all of which must rank strictly behind this one; or none at all.
bool GangQueue::make_room(const ClusterView& view, JobId job, GpuTypeId type) {
    index_fresh();
    Order& running = running_[type.index()];
    const Rank rank = running_rank(view, job, type);
    int missing = view.demand(job, type) - free_.of(type);
    std::vector<JobId> victims;
    for (auto last = running.rbegin(); missing > 0 && last != running.rend() && last->first > rank; ++last) {
        victims.push_back(last->second);
        missing -= entry(last->second).gpus;
    }
    if (missing > 0) { return false; }
    for (const JobId victim : victims) {
        free_.give_back(type, entry(victim).gpus);
        drop_running(victim);
        touch(victim);
        enqueue(view, victim);
        entry(victim).displaced = true;
    }
    for (Class& each : classes_) { each.stuck = false; }  // whole gangs were stopped, so there may be room to spare
    return true;
}

void GangQueue::start(const ClusterView& view, JobId job, GpuTypeId type) {
    const int gpus = view.demand(job, type);
    free_.take(type, gpus);
    dequeue(view, job);
    touch(job);
    record_running(view, job, type, gpus);
}

void GangQueue::touch(JobId job) {
    Entry& books = entry(job);
    if (books.touched) { return; }
    books.touched = true;
    touched_.push_back(job);
}

Decision GangQueue::changes(const ClusterView& view) {
    Decision decision;
    for (const JobId job : touched_) {
        Entry& books = entry(job);
        books.touched = books.displaced = false;
        Allocation target = books.status == Status::kRunning ? Allocation::of(books.type, books.gpus) : Allocation{};
        if (target.same_gpus(view.held(job))) { continue; }
        decision.changes.push_back({.job = job, .target = std::move(target)});
    }
    for (Class& each : classes_) { each.stuck = false; }
    changed_.swap(touched_);
    touched_.clear();
    return decision;
}

GangQueue::Entry& GangQueue::entry(JobId job) {
    if (job.index() >= entries_.size()) { entries_.resize(job.index() + 1); }
    return entries_[job.index()];
}

GangQueue::Class& GangQueue::class_of(const ClusterView& view, JobId job) {
    const std::size_t index = rules_.blocking ? 0 : view.job(job).kind;
    if (index >= classes_.size()) { classes_.resize(index + 1); }
    return classes_[index];
}

}  // namespace medley::planner
