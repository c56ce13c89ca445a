#include "planner/policies/easy_backfill.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "planner/policies/declared_time.h"
#include "planner/policies/free_gpus.h"

namespace medley::planner {
namespace {

/// The promise to the first job without room.
struct Shadow {
    GpuTypeId type;
    SimTime time;
    int spare = 0;  ///< GPUs of the type that will be free then and that the job will not need
};

class EasyBackfill final : public Policy {
 public:
    explicit EasyBackfill(PolicyTraits traits) : traits_(std::move(traits)) {}
    const PolicyTraits& traits() const override { return traits_; }
    Decision decide(const ClusterView& view) override;

 private:
    struct Running {
        SimTime end;
        GpuTypeId type;
        int gpus = 0;
    };

    void take_news(const ClusterView& view);
    void reconcile(const ClusterView& view, JobId job);
    void forget(JobId job);
    void start(const ClusterView& view, JobId job, GpuTypeId type, Decision& decision);
    std::optional<Shadow> shadow_of(const ClusterView& view, JobId job) const;
    std::optional<Shadow> shadow_on(const ClusterView& view, JobId job, GpuTypeId type) const;
    void backfill(const ClusterView& view, std::optional<Shadow> shadow, Decision& decision);
    std::optional<GpuTypeId> harmless_type(const ClusterView& view, JobId job, const std::optional<Shadow>& shadow) const;

    PolicyTraits traits_;
    FreeGpus free_;
    std::set<JobId> waiting_;
    std::unordered_map<JobId, Running> running_;
    std::vector<std::set<std::pair<SimTime, JobId>>> ends_;  ///< by type
    std::vector<JobId> changed_;
};

Decision EasyBackfill::decide(const ClusterView& view) {
    take_news(view);
    free_.reset(view);
    Decision decision;
    while (!waiting_.empty()) {
        const JobId first = *waiting_.begin();
        const auto type = free_.first_with_room(view, first);
        if (!type) { break; }
        start(view, first, *type, decision);
    }
    if (waiting_.empty()) { return decision; }
    const JobId first = *waiting_.begin();
    const std::optional<Shadow> shadow = shadow_of(view, first);
    if (shadow) {
        decision.reservations.push_back(
            {.job = first, .start = shadow->time, .allocation = Allocation::of(shadow->type, view.demand(first, shadow->type))});
        decision.reasons.push_back({.job = first, .text = "first in the queue without room: GPUs are reserved"});
    }
    backfill(view, shadow, decision);
    return decision;
}

void EasyBackfill::take_news(const ClusterView& view) {
    ends_.resize(view.type_count());
    for (const JobId job : view.departed()) { forget(job); }
    waiting_.insert(view.arrived().begin(), view.arrived().end());
    for (const JobId job : view.evicted()) { reconcile(view, job); }
    for (const JobId job : changed_) { reconcile(view, job); }
    changed_.clear();
}

// A decision that took effect late may have been dropped, and lost capacity stops jobs.
void EasyBackfill::reconcile(const ClusterView& view, JobId job) {
    if (!running_.contains(job) || !view.held(job).empty()) { return; }
    forget(job);
    waiting_.insert(job);
}

void EasyBackfill::forget(JobId job) {
    waiting_.erase(job);
    const auto running = running_.find(job);
    if (running == running_.end()) { return; }
    ends_[running->second.type.index()].erase({running->second.end, job});
    running_.erase(running);
}

void EasyBackfill::start(const ClusterView& view, JobId job, GpuTypeId type, Decision& decision) {
    const int gpus = view.demand(job, type);
    const Allocation target = Allocation::of(type, gpus);
    const SimTime end = after(view.now(), view.transition_cost(job, target) + view.remaining(job));
    free_.take(type, gpus);
    waiting_.erase(job);
    running_[job] = {.end = end, .type = type, .gpus = gpus};
    ends_[type.index()].emplace(end, job);
    changed_.push_back(job);
    decision.changes.push_back({.job = job, .target = target});
}

std::optional<Shadow> EasyBackfill::shadow_of(const ClusterView& view, JobId job) const {
    std::optional<Shadow> earliest;
    for (std::size_t index = 0; index < view.type_count(); ++index) {
        const std::optional<Shadow> shadow = shadow_on(view, job, GpuTypeId(index));
        if (shadow && (!earliest || shadow->time < earliest->time)) { earliest = shadow; }
    }
    return earliest;
}

std::optional<Shadow> EasyBackfill::shadow_on(const ClusterView& view, JobId job, GpuTypeId type) const {
    if (!view.could_run_on(job, type)) { return std::nullopt; }
    const int demand = view.demand(job, type);
    int free = free_.of(type);
    for (const auto& [end, ending] : ends_[type.index()]) {
        free += running_.at(ending).gpus;
        if (free >= demand) { return Shadow{.type = type, .time = std::max(end, view.now()), .spare = free - demand}; }
    }
    return std::nullopt;
}

void EasyBackfill::backfill(const ClusterView& view, std::optional<Shadow> shadow, Decision& decision) {
    if (free_.none()) { return; }
    const std::vector<JobId> behind(std::next(waiting_.begin()), waiting_.end());
    for (const JobId job : behind) {
        const auto type = harmless_type(view, job, shadow);
        if (!type) { continue; }
        const int gpus = view.demand(job, *type);
        start(view, job, *type, decision);
        decision.reasons.push_back({.job = job, .text = "backfilled: does not delay the first in the queue"});
        if (shadow && shadow->type == *type && running_.at(job).end > shadow->time) { shadow->spare -= gpus; }
    }
}

std::optional<GpuTypeId> EasyBackfill::harmless_type(const ClusterView& view, JobId job, const std::optional<Shadow>& shadow) const {
    for (std::size_t index = 0; index < view.type_count(); ++index) {
        const GpuTypeId type(index);
        if (!view.could_run_on(job, type)) { continue; }
        const int gpus = view.demand(job, type);
        if (gpus > free_.of(type)) { continue; }
        if (!shadow || shadow->type != type || gpus <= shadow->spare) { return type; }
        const Seconds span = view.transition_cost(job, Allocation::of(type, gpus)) + view.remaining(job);
        if (after(view.now(), span) <= shadow->time) { return type; }
    }
    return std::nullopt;
}

}  // namespace

std::unique_ptr<Policy> make_easy_backfill(PolicyTraits traits, const PolicyOptions&) {
    return std::make_unique<EasyBackfill>(std::move(traits));
}

}  // namespace medley::planner
