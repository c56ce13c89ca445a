#include "planner/policies/slurm/slurm_multifactor.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "planner/policies/declared_time.h"
#include "planner/policies/free_gpus.h"
#include "planner/policies/slurm/pass_times.h"
#include "planner/policies/slurm/preemption.h"
#include "planner/policies/slurm/slurm_policy.h"

namespace medley::planner {
namespace {

constexpr const char* kForPriority = "priority: others of its partition go first";
constexpr const char* kForResources = "resources: no nodes with room";
constexpr const char* kForReservation = "resources: its reservation has no room, or has not begun";
constexpr const char* kHeldReason = "held: asks for more than a limit or its partition can ever give";
constexpr const char* kNotTakenInReason = "limit of submitted jobs";
constexpr const char* kPreemptedReason = "preempted";

}  // namespace

Decision SlurmMultifactor::decide(const ClusterView& view) {
    now_ = view.now();
    decision_ = {};
    set_up(view);
    take_news(view);
    pass_boundaries();
    if (books_->calculate_until(now_)) { mark_changed(); }
    while (!wakes_.empty() && *wakes_.begin() <= now_) {
        wakes_.erase(wakes_.begin());
        mark_changed();
    }
    try_arrivals(view);
    run_main_if_due(view);
    run_backfill_if_due(view);
    decision_.ask_again = next_look();
    return std::move(decision_);
}

void SlurmMultifactor::set_up(const ClusterView& view) {
    if (books_) { return; }
    std::size_t nodes = 0;
    for (const NodeGroup& group : view.cluster().nodes) { nodes += static_cast<std::size_t>(group.count); }
    map_.emplace(view.cluster(), static_cast<int>(rules_.priority.cluster_cpus / static_cast<std::int64_t>(nodes)));
    books_.emplace(view.cluster(), rules_, *map_, now_);
    all_nodes_.assign(map_->size(), true);
    free_ = {.gpus = std::vector<int>(map_->size(), 0), .load = std::vector<int>(map_->size(), 0)};
}

// ---- News -----------------------------------------------------------------------------------------------------------------------

void SlurmMultifactor::take_news(const ClusterView& view) {
    const bool news = !view.departed().empty() || !view.arrived().empty() || !view.evicted().empty();
    for (const JobId id : view.departed()) {
        map_->remove(id);
        books_->forget(id, now_);
        main_pass_at_ = std::min(main_pass_at_, after(now_, rules_.scheduling.start_delay));
    }
    changed_.insert(changed_.end(), view.evicted().begin(), view.evicted().end());
    reconcile(view);
    if (const std::vector<int> capacity = capacities(view); capacity != capacity_) {
        capacity_ = capacity;
        mark_changed();
        main_pass_at_ = now_;
    }
    for (const GpuTypeId type : books_->site().types()) { map_->set_capacity(type, view.capacity(type)); }
    arrivals_.assign(view.arrived().begin(), view.arrived().end());
    if (news) { mark_changed(); }
}

// A decision that took effect late may have been dropped, and lost capacity stops jobs. First what lost its GPUs, then what kept them.
void SlurmMultifactor::reconcile(const ClusterView& view) {
    std::sort(changed_.begin(), changed_.end());
    for (const JobId id : changed_) {
        SlurmJob* job = books_->find(id);
        if (job == nullptr || job->state != SlurmJob::State::kRunning || !view.held(id).empty()) { continue; }
        release(*job, SlurmJob::State::kWaiting);
        mark_changed();
    }
    for (const JobId id : changed_) {
        SlurmJob* job = books_->find(id);
        if (job != nullptr && job->state != SlurmJob::State::kRunning && !view.held(id).empty()) { adopt(view, *job); }
    }
    changed_.clear();
}

// It was to be stopped and was not: it runs on, on whatever nodes have its GPUs free.
void SlurmMultifactor::adopt(const ClusterView& view, SlurmJob& job) {
    const Grant grant = view.held(job.id).grants.front();
    const auto placement = choose_nodes(*map_, grant.type, {.spread = grant.gpus}, map_->free_now());
    if (!placement) { return; }
    map_->place(job.id, *placement, after(now_, to_seconds(job.limit)), job.cpus);
    job.type = grant.type;
    books_->start(job, now_);
}

void SlurmMultifactor::release(SlurmJob& job, SlurmJob::State state) {
    map_->remove(job.id);
    books_->stop(job, now_, state);
}

// Reservations begin and end.
void SlurmMultifactor::pass_boundaries() {
    const std::vector<SimTime>& boundaries = books_->site().boundaries();
    while (boundaries_passed_ < boundaries.size() && boundaries[boundaries_passed_] <= now_) {
        ++boundaries_passed_;
        mark_changed();
        main_pass_at_ = now_;
    }
}

// ---- The main scheduler -----------------------------------------------------------------------------------------------------------

void SlurmMultifactor::try_arrivals(const ClusterView& view) {
    for (const JobId id : arrivals_) {
        SlurmJob& job = books_->add(view, id);
        if (job.state == SlurmJob::State::kHeld) { note(job, kHeldReason); }
        if (job.state == SlurmJob::State::kNotTakenIn) { note(job, kNotTakenInReason); }
        if (job.state != SlurmJob::State::kWaiting) { continue; }
        main_pass_at_ = std::min(main_pass_at_, after(now_, rules_.scheduling.batch_delay));
        if (!rules_.scheduling.on_submit || !goes_first(job) || books_->blocked_by(job, now_) != nullptr) { continue; }
        if (!try_start(view, job, all_nodes_)) { try_preempting(view, job, all_nodes_); }
    }
}

// Does no job that waits, and that no limit holds back, go before it in its partition, or on nodes that both partitions have?
bool SlurmMultifactor::goes_first(const SlurmJob& job) const {
    const std::vector<SlurmPartition>& partitions = books_->site().partitions();
    for (const SlurmJob* other : books_->queue()) {
        if (other == &job) { return true; }
        const bool equals = books_->has_priorities() && other->tier == job.tier && other->priority == job.priority;
        if (equals || (other->reservation != nullptr && job.reservation == nullptr)) { continue; }
        const auto& own = partitions[job.partition].nodes;
        const auto& its = partitions[other->partition].nodes;
        bool shared = other->partition == job.partition;
        for (std::size_t node = 0; node < own.size() && !shared; ++node) { shared = own[node] && its[node]; }
        if (shared && books_->blocked_by(*other, now_) == nullptr) { return false; }
    }
    return true;
}

void SlurmMultifactor::run_main_if_due(const ClusterView& view) {
    const SchedulingRules& rules = rules_.scheduling;
    const bool full = main_is_due_ && is_multiple(now_, rules.main_offset, rules.main_interval);
    if (!full && main_pass_at_ > now_) { return; }
    main_pass_at_ = kNever;
    main_pass(view, full ? std::numeric_limits<std::int64_t>::max() : rules.main_depth);
}

void SlurmMultifactor::main_pass(const ClusterView& view, std::int64_t depth) {
    resume_suspended(view);
    Usable available = all_nodes_;
    const std::vector<SlurmPartition>& partitions = books_->site().partitions();
    std::vector<bool> blocked(partitions.size(), false);
    const std::vector<SlurmJob*> queue = books_->queue();
    bool looked_at_all = true;
    for (SlurmJob* job : queue) {
        if (job->state != SlurmJob::State::kWaiting) { continue; }
        if (depth-- <= 0) {
            looked_at_all = false;
            break;
        }
        if (blocked[job->partition]) {
            note(*job, kForPriority);
            continue;
        }
        if (const char* reason = books_->blocked_by(*job, now_)) {
            note(*job, reason);
            continue;
        }
        if (try_start(view, *job, available) || try_preempting(view, *job, available)) { continue; }
        note(*job, job->reservation != nullptr ? kForReservation : kForResources);
        if (job->reservation != nullptr) { continue; }
        blocked[job->partition] = true;
        for (std::size_t node = 0; node < available.size(); ++node) {
            if (partitions[job->partition].nodes[node]) { available[node] = false; }
        }
        if (std::none_of(available.begin(), available.end(), [](bool open) { return open; })) { break; }
    }
    if (looked_at_all) { main_is_due_ = false; }
}

void SlurmMultifactor::resume_suspended(const ClusterView& view) {
    const std::vector<SlurmJob*> suspended = books_->suspended();
    for (SlurmJob* job : suspended) {
        const bool room = std::all_of(job->suspended_on.begin(), job->suspended_on.end(),
                                      [&](const NodeShare& share) { return map_->node(share.node).free >= share.gpus; });
        if (room && job->start < now_ && books_->blocked_by(*job, now_) == nullptr) { start(view, *job, job->type, job->suspended_on); }
    }
}

bool SlurmMultifactor::could_run_on(const ClusterView& view, const SlurmJob& job, GpuTypeId type) const {
    return view.could_run_on(job.id, type);
}

GangShape SlurmMultifactor::shape_of(const ClusterView& view, const SlurmJob& job, GpuTypeId type) const {
    const int gpus = view.demand(job.id, type);
    return view.job(job.id).gpus == kWholePool ? GangShape{.spread = gpus} : map_->shape(gpus, job.stated_nodes, type);
}

bool SlurmMultifactor::node_is_open(const SlurmJob& job, std::size_t node) const {
    const SiteReservation* inside = nullptr;
    if (job.reservation != nullptr) {
        inside = job.reservation->rule;
        const bool lasts = inside->start <= now_ && (inside->end == kNever || inside->end - now_ >= job.limit);
        if (inside->end > now_ && (!lasts || !job.reservation->nodes[node])) { return false; }
    }
    const SimTime end = after(now_, to_seconds(job.limit));
    return open_between(books_->site().windows()[node], now_, end, inside);
}

// Nodes that the job may not use show `closed` GPUs.
void SlurmMultifactor::fill_free(const SlurmJob& job, GpuTypeId type, const Usable& available, int closed) {
    const Usable& partition = books_->site().partitions()[job.partition].nodes;
    const auto [first, last] = map_->range(type);
    for (std::size_t node = first; node < last; ++node) {
        const bool open = available[node] && partition[node] && node_is_open(job, node);
        free_.gpus[node] = open ? map_->node(NodeId(node)).free : closed;
        free_.load[node] = map_->node(NodeId(node)).cpus_used;
    }
}

bool SlurmMultifactor::try_start(const ClusterView& view, SlurmJob& job, const Usable& available) {
    for (const GpuTypeId type : books_->site().types()) {
        if (!could_run_on(view, job, type)) { continue; }
        fill_free(job, type, available, 0);
        const auto placement = choose_nodes(*map_, type, shape_of(view, job, type), free_);
        if (!placement) { continue; }
        start(view, job, type, *placement);
        return true;
    }
    return false;
}

bool SlurmMultifactor::try_preempting(const ClusterView& view, SlurmJob& job, const Usable& available) {
    if (rules_.preemption.by == PreemptionCriterion::kNone) { return false; }
    std::vector<SlurmJob*> candidates;
    for (SlurmJob* victim : books_->running()) {
        if (may_preempt(job, *victim, rules_.preemption, now_)) { candidates.push_back(victim); }
    }
    if (candidates.empty()) { return false; }
    for (const GpuTypeId type : books_->site().types()) {
        if (!could_run_on(view, job, type)) { continue; }
        fill_free(job, type, available, -1);
        const auto room = preempt_for(*map_, type, shape_of(view, job, type), free_, candidates);
        if (!room) { continue; }
        for (SlurmJob* victim : room->victims) { preempt(*victim); }
        start(view, job, type, room->placement);
        return true;
    }
    return false;
}

void SlurmMultifactor::preempt(SlurmJob& victim) {
    const QosRule* qos = victim.subject.qos;
    const PreemptionMode mode = qos != nullptr && qos->mode ? *qos->mode : rules_.preemption.mode;
    const bool suspends = mode == PreemptionMode::kSuspend;
    if (suspends) {
        victim.suspended_on = *map_->placement(victim.id);
        victim.limit = std::max(SimTime{0}, victim.limit - (now_ - victim.start));
    } else {
        victim.not_before = after(now_, rules_.preemption.requeue_delay);
        wakes_.insert(victim.not_before);
    }
    release(victim, suspends ? SlurmJob::State::kSuspended : SlurmJob::State::kWaiting);
    victim.start = now_;  // not to be resumed in this very moment
    note(victim, kPreemptedReason);
    changed_.push_back(victim.id);
    decision_.changes.push_back({.job = victim.id, .target = {}});
    mark_changed();
}

void SlurmMultifactor::start(const ClusterView& view, SlurmJob& job, GpuTypeId type, const Placement& placement) {
    job.type = type;
    map_->place(job.id, placement, after(now_, to_seconds(job.limit)), job.cpus);
    books_->start(job, now_);
    const QosRule* qos = job.subject.qos;
    const Seconds exempt = std::max(rules_.preemption.exempt, qos != nullptr ? qos->exempt : Seconds{0});
    if (rules_.preemption.by != PreemptionCriterion::kNone && exempt.value > 0) { wakes_.insert(after(now_, exempt)); }
    changed_.push_back(job.id);
    decision_.changes.push_back({.job = job.id, .target = Allocation::of(type, view.demand(job.id, type))});
}

void SlurmMultifactor::note(SlurmJob& job, const char* reason) {
    if (job.reason == reason) { return; }
    job.reason = reason;
    decision_.reasons.push_back({.job = job.id, .text = reason});
}

SimTime SlurmMultifactor::next_look() const {
    const SchedulingRules& rules = rules_.scheduling;
    SimTime next = main_pass_at_ > now_ ? main_pass_at_ : kNever;
    const std::vector<SlurmJob*>& queue = books_->queue();
    if (queue.empty() && books_->suspended().empty()) { return next; }
    if (main_is_due_) { next = std::min(next, next_multiple(now_, rules.main_offset, rules.main_interval)); }
    if (backfill_is_due_ && rules.backfill.enabled) {
        next = std::min(next, next_multiple(now_, rules.backfill.offset, rules.backfill.interval));
    }
    if (!books_->running().empty()) { next = std::min(next, books_->next_calculation()); }
    const std::vector<SimTime>& boundaries = books_->site().boundaries();
    if (boundaries_passed_ < boundaries.size()) { next = std::min(next, boundaries[boundaries_passed_]); }
    return wakes_.empty() ? next : std::min(next, *wakes_.begin());
}

std::unique_ptr<Policy> make_slurm_multifactor(PolicyTraits traits, const PolicyOptions& options, const SiteRules& rules) {
    return std::make_unique<SlurmMultifactor>(std::move(traits), options, rules);
}

}  // namespace medley::planner
