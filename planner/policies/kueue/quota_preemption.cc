#include "planner/policies/kueue/quota_preemption.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace medley::planner {
namespace {

class Search {
 public:
    Search(CohortQuotas& quotas, const Workload& workload, GpuTypeId type) : quotas_(quotas), own_(workload), type_(type) {}

    std::vector<Workload> run(std::vector<Workload> running) {
        std::erase_if(running, [this](const Workload& other) { return !is_candidate(other); });
        std::sort(running.begin(), running.end(), [this](const Workload& a, const Workload& b) { return goes_first(a, b); });
        std::vector<Workload> same_queue = running;
        std::erase_if(same_queue, [this](const Workload& other) { return other.queue != own_.queue; });
        if (same_queue.size() == running.size()) { return fewest(running, true, std::nullopt); }
        const bool within_nominal = quotas_.used(own_.queue, type_) + own_.gpus <= quotas_.nominal(own_.queue, type_);
        if (rule().borrow != QueuePreemption::kNobody) {
            const double below = borrowing_threshold();
            if (!within_nominal) {
                std::erase_if(running, [&](const Workload& other) { return other.queue != own_.queue && other.priority >= below; });
            }
            return fewest(running, true, below);
        }
        if (within_nominal) {
            std::vector<Workload> victims = fewest(running, false, std::nullopt);
            if (!victims.empty()) { return victims; }
        }
        return fewest(same_queue, true, std::nullopt);
    }

 private:
    const QueueRule& rule() const { return quotas_.rule(own_.queue); }

    bool is_candidate(const Workload& other) const {
        if (other.type != type_) { return false; }
        if (other.queue == own_.queue) {
            if (rule().within == QueuePreemption::kNobody) { return false; }
            if (other.priority < own_.priority) { return true; }
            const bool newer = other.priority == own_.priority && other.created > own_.created;
            return newer && rule().within == QueuePreemption::kLowerOrNewerEqualPriority;
        }
        if (!quotas_.same_cohort(own_.queue, other.queue) || !quotas_.borrows(other.queue, type_)) { return false; }
        if (rule().reclaim == QueuePreemption::kAny) { return true; }
        return rule().reclaim == QueuePreemption::kLowerPriority && other.priority < own_.priority;
    }

    bool goes_first(const Workload& a, const Workload& b) const {
        const bool a_own = a.queue == own_.queue;
        const bool b_own = b.queue == own_.queue;
        if (a_own != b_own) { return b_own; }
        if (a.priority != b.priority) { return a.priority < b.priority; }
        return a.admitted != b.admitted ? a.admitted > b.admitted : a.job > b.job;
    }

    // Others are evicted for a borrower only below this priority.
    double borrowing_threshold() const {
        if (!rule().borrow_max_priority) { return own_.priority; }
        const double above = std::nextafter(*rule().borrow_max_priority, std::numeric_limits<double>::infinity());
        return std::min(own_.priority, above);
    }

    bool fits(bool may_borrow) const { return quotas_.fits(own_.queue, type_, own_.gpus, may_borrow); }

    // Takes candidates in order until there is room, then spares again those, the first taken last, that are not needed.
    std::vector<Workload> fewest(const std::vector<Workload>& candidates, bool may_borrow, std::optional<double> threshold) {
        std::vector<Workload> taken;
        bool found = false;
        for (const Workload& candidate : candidates) {
            const bool own = candidate.queue == own_.queue;
            if (!own && !quotas_.borrows(candidate.queue, type_)) { continue; }
            if (!own && threshold && candidate.priority >= *threshold) { may_borrow = false; }
            quotas_.add(candidate.queue, type_, -candidate.gpus);
            taken.push_back(candidate);
            found = fits(may_borrow);
            if (found) { break; }
        }
        std::vector<Workload> victims;
        for (std::size_t index = taken.size(); index-- > 0;) {
            quotas_.add(taken[index].queue, type_, taken[index].gpus);
            const bool last = index + 1 == taken.size();
            if (!found || (!last && fits(may_borrow))) { continue; }
            quotas_.add(taken[index].queue, type_, -taken[index].gpus);
            victims.push_back(taken[index]);
        }
        for (const Workload& victim : victims) { quotas_.add(victim.queue, type_, victim.gpus); }
        return victims;
    }

    CohortQuotas& quotas_;
    const Workload& own_;
    GpuTypeId type_;
};

}  // namespace

std::vector<Workload> workloads_to_evict(CohortQuotas& quotas, const Workload& workload, GpuTypeId type, std::vector<Workload> running) {
    return Search(quotas, workload, type).run(std::move(running));
}

}  // namespace medley::planner
