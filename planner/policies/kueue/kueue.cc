#include "planner/policies/kueue/kueue.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "planner/policies/free_gpus.h"
#include "planner/policies/kueue/quota_preemption.h"

namespace medley::planner {
namespace {

constexpr const char* kNoQueue = "no cluster queue of its tenant's name";
constexpr const char* kNoQuota = "quota: neither its queue nor its cohort has enough unused";
constexpr const char* kNoGpus = "resources: there is quota, but too few GPUs are free";
constexpr const char* kEvicted = "evicted: another has a better claim to its quota";

constexpr SimTime kRequeueDelay{1'000'000'000};

/// Higher priority first, then older.
struct Place {
    double priority = 0;
    JobId job;
    bool operator<(const Place& other) const { return priority != other.priority ? priority > other.priority : job < other.job; }
};

/// How a head could be admitted.
struct Assignment {
    enum class Mode : std::uint8_t { kNone, kPreempt, kFit };
    Mode mode = Mode::kNone;
    GpuTypeId type;
    bool borrows = false;
    std::vector<Workload> victims;
    const char* reason = kNoQuota;
};

class Kueue final : public Policy {
 public:
    Kueue(PolicyTraits traits, SiteRules rules) : traits_(std::move(traits)), rules_(std::move(rules)) {}
    const PolicyTraits& traits() const override { return traits_; }
    Decision decide(const ClusterView& view) override;

 private:
    /// Jobs that are alike for admission: what holds for one holds for all.
    using Likeness = std::tuple<std::uint32_t, double>;
    struct Queue {
        std::set<Place> waiting;
        std::set<Place> aside;        ///< found no room since something last ended
        std::set<Likeness> hopeless;  ///< likewise, by likeness
        bool blocked = false;
    };
    struct Standing {
        QueueId queue;
        Place place;
    };
    struct Entry {
        QueueId queue;
        Place place;
        Assignment assignment;
    };

    void take_news(const ClusterView& view);
    void reconcile(const ClusterView& view, JobId job);
    void enqueue(const ClusterView& view, JobId job);
    void forget(JobId job);
    void reconsider_all();

    std::vector<Entry> heads(const ClusterView& view);
    bool cycle(const ClusterView& view);
    void settle(const ClusterView& view, Entry& entry, bool others_admitted, std::vector<Workload>& reserved);
    Assignment assign(const ClusterView& view, const Entry& entry);
    Assignment assign_on(const ClusterView& view, const Workload& workload, GpuTypeId type);
    bool room_after(const std::vector<Workload>& victims, GpuTypeId type, std::int64_t gpus) const;
    Workload workload_of(const ClusterView& view, const Entry& entry, GpuTypeId type) const;
    void admit(const ClusterView& view, const Entry& entry);
    void evict(const ClusterView& view, const Workload& victim);
    void step_aside(const ClusterView& view, const Entry& entry);
    void note(JobId job, const char* reason);

    PolicyTraits traits_;
    SiteRules rules_;
    std::optional<CohortQuotas> quotas_;
    std::vector<Queue> queues_;
    std::map<JobId, Standing> standing_;  ///< of waiting jobs
    std::map<JobId, Workload> admitted_;
    std::map<JobId, const char*> reasons_;  ///< last given, of waiting jobs
    std::vector<JobId> changed_;
    std::vector<int> capacity_;
    FreeGpus free_;
    bool evicted_ = false;  ///< by the last decision: whole gangs were, so there may be quota left over
    Decision decision_;
};

Decision Kueue::decide(const ClusterView& view) {
    decision_ = {};
    if (!quotas_) {
        quotas_.emplace(view.cluster(), rules_);
        queues_.resize(quotas_->size());
    }
    take_news(view);
    free_.reset(view);
    while (cycle(view)) {}
    if (evicted_) { decision_.ask_again = view.now() + kRequeueDelay; }
    return std::move(decision_);
}

void Kueue::take_news(const ClusterView& view) {
    const std::vector<int> capacity = capacities(view);
    if (evicted_ || !view.departed().empty() || !view.evicted().empty() || capacity != capacity_) { reconsider_all(); }
    evicted_ = false;
    capacity_ = capacity;
    for (const JobId job : view.departed()) { forget(job); }
    for (const JobId job : view.arrived()) { enqueue(view, job); }
    for (const JobId job : view.evicted()) { reconcile(view, job); }
    for (const JobId job : changed_) { reconcile(view, job); }
    changed_.clear();
}

void Kueue::reconsider_all() {
    for (Queue& queue : queues_) {
        queue.waiting.merge(queue.aside);
        queue.aside.clear();
        queue.hopeless.clear();
        queue.blocked = false;
    }
}

// A decision that took effect late may have been dropped, and lost capacity stops jobs.
void Kueue::reconcile(const ClusterView& view, JobId job) {
    const bool holds = !view.held(job).empty();
    if (holds == admitted_.contains(job) || (!holds && standing_.contains(job))) { return; }
    if (!holds) {
        forget(job);
        return enqueue(view, job);
    }
    const auto standing = standing_.find(job);
    if (standing == standing_.end()) { return; }
    const Grant grant = view.held(job).grants.front();
    const Entry entry{.queue = standing->second.queue, .place = standing->second.place, .assignment = {}};
    const Workload workload = workload_of(view, entry, grant.type);
    forget(job);
    quotas_->add(workload.queue, grant.type, workload.gpus);
    admitted_[job] = workload;
}

void Kueue::enqueue(const ClusterView& view, JobId job) {
    const JobBelief& belief = view.job(job);
    const auto queue = quotas_->find(belief.extras ? belief.extras->tenant : Name());
    if (!queue) { return note(job, kNoQueue); }
    const Place place{.priority = belief.priority, .job = job};
    standing_[job] = {.queue = *queue, .place = place};
    queues_[queue->index()].waiting.insert(place);
}

void Kueue::forget(JobId job) {
    reasons_.erase(job);
    if (const auto standing = standing_.find(job); standing != standing_.end()) {
        Queue& queue = queues_[standing->second.queue.index()];
        queue.waiting.erase(standing->second.place);
        queue.aside.erase(standing->second.place);
        standing_.erase(standing);
    }
    const auto admitted = admitted_.find(job);
    if (admitted == admitted_.end()) { return; }
    quotas_->add(admitted->second.queue, admitted->second.type, -admitted->second.gpus);
    admitted_.erase(admitted);
}

// ---- Admission --------------------------------------------------------------------------------------------------------------------

std::vector<Kueue::Entry> Kueue::heads(const ClusterView& view) {
    std::vector<Entry> entries;
    for (std::size_t index = 0; index < queues_.size(); ++index) {
        Queue& queue = queues_[index];
        while (!queue.blocked && !queue.waiting.empty()) {
            const Place head = *queue.waiting.begin();
            if (!queue.hopeless.contains({view.job(head.job).kind, head.priority})) {
                entries.push_back({.queue = QueueId(index), .place = head, .assignment = {}});
                break;
            }
            queue.waiting.erase(queue.waiting.begin());
            queue.aside.insert(head);
        }
    }
    for (Entry& entry : entries) { entry.assignment = assign(view, entry); }
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        if (a.assignment.borrows != b.assignment.borrows) { return b.assignment.borrows; }
        return a.place < b.place;
    });
    return entries;
}

// False when no queue has a head left.
bool Kueue::cycle(const ClusterView& view) {
    std::vector<Entry> entries = heads(view);
    std::vector<Workload> reserved;
    const std::size_t changes_before = decision_.changes.size();
    for (Entry& entry : entries) { settle(view, entry, decision_.changes.size() > changes_before, reserved); }
    for (const Workload& workload : reserved) { quotas_->add(workload.queue, workload.type, -workload.gpus); }
    return !entries.empty();
}

void Kueue::settle(const ClusterView& view, Entry& entry, bool others_admitted, std::vector<Workload>& reserved) {
    using Mode = Assignment::Mode;
    const Mode before = entry.assignment.mode;
    if (others_admitted || !reserved.empty()) { entry.assignment = assign(view, entry); }
    const Assignment& assignment = entry.assignment;
    if (assignment.mode == Mode::kFit) { return admit(view, entry); }
    if (assignment.mode == Mode::kPreempt && !assignment.victims.empty()) {
        for (const Workload& victim : assignment.victims) { evict(view, victim); }
        return admit(view, entry);
    }
    if (others_admitted && before == Mode::kFit) { return; }  // its turn comes in the next cycle
    if (assignment.mode == Mode::kPreempt) {
        // Nobody may be evicted for it yet; within this cycle others do not take what it could have.
        Workload claim = workload_of(view, entry, assignment.type);
        const std::int64_t unused = quotas_->nominal(claim.queue, claim.type) - quotas_->used(claim.queue, claim.type);
        if (!assignment.borrows) { claim.gpus = std::clamp<std::int64_t>(unused, 0, claim.gpus); }
        quotas_->add(claim.queue, claim.type, claim.gpus);
        reserved.push_back(claim);
    }
    note(entry.place.job, assignment.reason);
    step_aside(view, entry);
}

// The first flavor that fits, by the queue's rules for going on to the next; else the first on which others may be evicted.
Assignment Kueue::assign(const ClusterView& view, const Entry& entry) {
    const QueueRule& rule = quotas_->rule(entry.queue);
    Assignment best;
    for (const GpuTypeId type : quotas_->flavors(entry.queue)) {
        if (!view.could_run_on(entry.place.job, type)) { continue; }
        Assignment found = assign_on(view, workload_of(view, entry, type), type);
        const bool better = found.mode > best.mode || (found.mode == best.mode && best.borrows && !found.borrows) ||
                            (best.mode == Assignment::Mode::kNone && found.reason == kNoGpus);
        if (better) { best = std::move(found); }
        const bool settled = best.mode == Assignment::Mode::kFit && (!best.borrows || rule.borrow_before_next);
        const bool preempts = best.mode == Assignment::Mode::kPreempt && rule.preempt_before_next;
        if (settled || preempts) { break; }
    }
    return best;
}

Assignment Kueue::assign_on(const ClusterView& view, const Workload& workload, GpuTypeId type) {
    using Mode = Assignment::Mode;
    const QueueRule& rule = quotas_->rule(workload.queue);
    Assignment assignment{.type = type, .borrows = quotas_->would_borrow(workload.queue, type, workload.gpus)};
    const bool has_quota = quotas_->fits(workload.queue, type, workload.gpus, true);
    if (has_quota) {
        assignment.mode = free_.of(type) >= workload.gpus ? Mode::kFit : Mode::kNone;
        assignment.reason = kNoGpus;
        return assignment;
    }
    const bool any_rule = rule.within != QueuePreemption::kNobody || rule.reclaim != QueuePreemption::kNobody;
    const bool within_nominal = workload.gpus <= quotas_->nominal(workload.queue, type);
    const bool by_borrowing = (rule.borrow != QueuePreemption::kNobody || rule.within != QueuePreemption::kNobody) &&
                              quotas_->within_reach(workload.queue, type, workload.gpus);
    if (!any_rule || !(within_nominal || by_borrowing)) { return assignment; }
    assignment.mode = Mode::kPreempt;
    std::vector<Workload> running;
    for (const auto& [job, other] : admitted_) {
        if (other.admitted < view.now()) { running.push_back(other); }
    }
    assignment.victims = workloads_to_evict(*quotas_, workload, type, std::move(running));
    if (!room_after(assignment.victims, type, workload.gpus)) { assignment.victims.clear(); }
    return assignment;
}

bool Kueue::room_after(const std::vector<Workload>& victims, GpuTypeId type, std::int64_t gpus) const {
    std::int64_t free = free_.of(type);
    for (const Workload& victim : victims) { free += victim.gpus; }
    return free >= gpus;
}

Workload Kueue::workload_of(const ClusterView& view, const Entry& entry, GpuTypeId type) const {
    return {.job = entry.place.job,
            .queue = entry.queue,
            .priority = entry.place.priority,
            .created = view.job(entry.place.job).submit,
            .type = type,
            .gpus = view.demand(entry.place.job, type),
            .admitted = view.now()};
}

void Kueue::admit(const ClusterView& view, const Entry& entry) {
    const Workload workload = workload_of(view, entry, entry.assignment.type);
    forget(workload.job);
    quotas_->add(workload.queue, workload.type, workload.gpus);
    admitted_[workload.job] = workload;
    free_.take(workload.type, static_cast<int>(workload.gpus));
    changed_.push_back(workload.job);
    decision_.changes.push_back({.job = workload.job, .target = Allocation::of(workload.type, static_cast<int>(workload.gpus))});
}

// The evicted wait in their queue again, but are not looked at before the next decision: their quota is spoken for.
void Kueue::evict(const ClusterView& view, const Workload& victim) {
    forget(victim.job);
    const Place place{.priority = view.job(victim.job).priority, .job = victim.job};
    standing_[victim.job] = {.queue = victim.queue, .place = place};
    queues_[victim.queue.index()].aside.insert(place);
    evicted_ = true;
    free_.give_back(victim.type, static_cast<int>(victim.gpus));
    changed_.push_back(victim.job);
    decision_.changes.push_back({.job = victim.job, .target = {}});
    note(victim.job, kEvicted);
}

void Kueue::step_aside(const ClusterView& view, const Entry& entry) {
    Queue& queue = queues_[entry.queue.index()];
    if (quotas_->rule(entry.queue).order == QueueOrder::kStrictFifo) {
        queue.blocked = true;
        return;
    }
    queue.waiting.erase(entry.place);
    queue.aside.insert(entry.place);
    queue.hopeless.insert({view.job(entry.place.job).kind, entry.place.priority});
}

void Kueue::note(JobId job, const char* reason) {
    const char*& last = reasons_[job];
    if (last == reason) { return; }
    last = reason;
    decision_.reasons.push_back({.job = job, .text = reason});
}

}  // namespace

std::unique_ptr<Policy> make_kueue(PolicyTraits traits, const PolicyOptions&, const SiteRules& rules) {
    return std::make_unique<Kueue>(std::move(traits), rules);
}

}  // namespace medley::planner
