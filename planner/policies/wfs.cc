#include "planner/policies/wfs.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/error.h"
#include "planner/policies/fair_shares.h"

namespace medley::planner {
namespace {

/// One job in a pool, running or about to be admitted.
struct Member {
    JobId job;
    double priority = 1;
    bool running = false;
};

bool goes_before(const Member& a, const Member& b) { return a.priority != b.priority ? a.priority > b.priority : a.job < b.job; }

std::optional<ShareClaim> claim_of(const ClusterView& view, JobId id, GpuTypeId type) {
    const JobBelief& job = view.job(id);
    const int capacity = view.capacity(type);
    const int wanted = job.gpus == kWholePool ? capacity : job.max_gpus > 0 ? job.max_gpus : job.gpus;
    const ShareClaim claim{.demand = std::min(wanted, capacity), .least = std::max(job.min_gpus, 1), .weight = job.weight};
    if (!job.allows(type) || claim.demand < claim.least) { return std::nullopt; }
    return claim;
}

/// The jobs that share one type, in decreasing order of priority, with their present shares.
class Pool {
 public:
    Pool(GpuTypeId type, int gpus) : type_(type), gpus_(gpus) {}

    struct Trial {
        int share = 0;              ///< of the candidate
        bool harms_higher = false;  ///< a running job of strictly higher priority would lose GPUs
        bool harms_any = false;
    };

    GpuTypeId type() const { return type_; }
    bool has_room_for_another() const { return static_cast<int>(members_.size()) < gpus_; }

    void add(const Member& member, const ShareClaim& claim) {
        const auto place = std::lower_bound(members_.begin(), members_.end(), member, goes_before) - members_.begin();
        members_.insert(members_.begin() + place, member);
        claims_.insert(claims_.begin() + place, claim);
        shares_.clear();
    }

    /// What would happen if the candidate were admitted; empty if not all could keep their least.
    std::optional<Trial> try_out(const Member& candidate, const ShareClaim& claim) {
        const std::vector<int> before = shares();
        Pool with = *this;
        with.add(candidate, claim);
        const std::vector<int>& after = with.shares();
        int used = 0;
        for (const int share : after) { used += share; }
        if (used > gpus_) { return std::nullopt; }
        Trial trial;
        for (std::size_t old = 0, now = 0; now < after.size(); ++now) {
            if (with.members_[now].job == candidate.job) {
                trial.share = after[now];
                continue;
            }
            const bool harmed = after[now] < before[old++];
            trial.harms_any = trial.harms_any || harmed;
            trial.harms_higher =
                trial.harms_higher || (harmed && with.members_[now].running && with.members_[now].priority > candidate.priority);
        }
        return trial;
    }

    const std::vector<int>& shares() {
        if (shares_.empty()) { shares_ = fair_shares(claims_, gpus_); }
        return shares_;
    }
    const std::vector<Member>& members() const { return members_; }

 private:
    GpuTypeId type_;
    int gpus_;
    std::vector<Member> members_;
    std::vector<ShareClaim> claims_;
    std::vector<int> shares_;  ///< empty = to be computed
};

class WeightedFairSharing final : public Policy {
 public:
    explicit WeightedFairSharing(PolicyTraits traits) : traits_(std::move(traits)) {}
    const PolicyTraits& traits() const override { return traits_; }

    Decision decide(const ClusterView& view) override {
        take_news(view);
        if (view.transition_pending()) { return {}; }
        fill_pools(view);
        const Member* refused = nullptr;
        for (const Member& candidate : waiting_) {
            if (admit(view, candidate)) { continue; }
            refused = &candidate;
            break;
        }
        Decision decision = changes(view);
        if (refused != nullptr) {
            decision.reasons.push_back({.job = refused->job, .text = "refused: no room, or a job of higher priority would shrink"});
        }
        return decision;
    }

 private:
    void take_news(const ClusterView& view) {
        for (const JobId id : view.arrived()) { place(view, id); }
        for (const JobId id : view.evicted()) { place(view, id); }
        for (const JobId id : view.departed()) { remove(view, id); }
        for (const JobId id : std::exchange(changed_, {})) {
            const bool present = holding_.count(id) > 0 || waiting_.count(member(view, id)) > 0;
            if (present) { place(view, id); }  // a late decision may have been dropped
        }
    }

    static Member member(const ClusterView& view, JobId id) { return {.job = id, .priority = view.job(id).priority}; }

    void remove(const ClusterView& view, JobId id) {
        if (holding_.erase(id) == 0) { waiting_.erase(member(view, id)); }
    }

    void place(const ClusterView& view, JobId id) {
        remove(view, id);
        if (view.held(id).empty()) {
            waiting_.insert(member(view, id));
        } else {
            holding_.insert(id);
        }
    }

    /// Each running job is in the pool of its type.
    void fill_pools(const ClusterView& view) {
        pools_.clear();
        for (std::size_t index = 0; index < view.type_count(); ++index) {
            pools_.emplace_back(GpuTypeId(index), view.capacity(GpuTypeId(index)));
        }
        for (const JobId id : holding_) {
            const GpuTypeId type = view.held(id).grants.front().type;
            const auto claim = claim_of(view, id, type);
            MEDLEY_ASSERT(claim.has_value());
            pools_[type.index()].add({.job = id, .priority = view.job(id).priority, .running = true}, *claim);
        }
    }

    /// False ends the pass.
    bool admit(const ClusterView& view, const Member& candidate) {
        Pool* admitting = nullptr;
        bool fits_some_pool = false;
        for (Pool& pool : pools_) {
            const auto claim = claim_of(view, candidate.job, pool.type());
            fits_some_pool = fits_some_pool || claim;
            if (!claim || !pool.has_room_for_another()) { continue; }
            const auto trial = pool.try_out(candidate, *claim);
            if (!trial || trial->harms_higher) { continue; }
            if (admitting == nullptr) { admitting = &pool; }
            if (trial->harms_any || trial->share < claim->demand) { continue; }
            admitting = &pool;
            break;
        }
        if (!fits_some_pool) { return true; }  // its pool is too small at present: no reason to hold up the others
        if (admitting == nullptr) { return false; }
        admitting->add(candidate, *claim_of(view, candidate.job, admitting->type()));
        return true;
    }

    Decision changes(const ClusterView& view) {
        Decision decision;
        for (Pool& pool : pools_) {
            const std::vector<int>& shares = pool.shares();
            for (std::size_t index = 0; index < shares.size(); ++index) {
                const JobId job = pool.members()[index].job;
                Allocation target = Allocation::of(pool.type(), shares[index]);
                if (target.same_gpus(view.held(job))) { continue; }
                decision.changes.push_back({.job = job, .target = std::move(target)});
                changed_.push_back(job);
            }
        }
        return decision;
    }

    struct Before {
        bool operator()(const Member& a, const Member& b) const { return goes_before(a, b); }
    };

    PolicyTraits traits_;
    std::set<Member, Before> waiting_;
    std::set<JobId> holding_;
    std::vector<JobId> changed_;  ///< by the last decision
    std::vector<Pool> pools_;
};

}  // namespace

std::unique_ptr<Policy> make_wfs(PolicyTraits traits, const PolicyOptions&) {
    return std::make_unique<WeightedFairSharing>(std::move(traits));
}

}  // namespace medley::planner
