#pragma once
/// The policy `slurm-multifactor` itself: its passes. The main pass stands in slurm_multifactor.cc, the backfill pass in backfill_pass.cc.

#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "planner/policies/slurm/backfill_plan.h"
#include "planner/policies/slurm/slurm_books.h"
#include "planner/policies/slurm/slurm_multifactor.h"

namespace medley::planner {

class SlurmMultifactor final : public Policy {
 public:
    SlurmMultifactor(PolicyTraits traits, const PolicyOptions& options, SiteRules rules)
        : traits_(std::move(traits)), rules_(std::move(rules)) {
        rules_.scheduling.backfill.enabled = rules_.scheduling.backfill.enabled && options.is_true("backfill");
    }
    const PolicyTraits& traits() const override { return traits_; }
    Decision decide(const ClusterView& view) override;

 private:
    /// What stands open to one job in one pass: by node.
    using Usable = std::vector<bool>;

    void set_up(const ClusterView& view);
    void take_news(const ClusterView& view);
    void reconcile(const ClusterView& view);
    void adopt(const ClusterView& view, SlurmJob& job);
    void release(SlurmJob& job, SlurmJob::State state);
    void pass_boundaries();
    void mark_changed() { main_is_due_ = backfill_is_due_ = true; }

    void try_arrivals(const ClusterView& view);
    bool goes_first(const SlurmJob& job) const;
    void run_main_if_due(const ClusterView& view);
    void main_pass(const ClusterView& view, std::int64_t depth);
    void resume_suspended(const ClusterView& view);

    bool try_start(const ClusterView& view, SlurmJob& job, const Usable& available);
    bool try_preempting(const ClusterView& view, SlurmJob& job, const Usable& available);
    void fill_free(const SlurmJob& job, GpuTypeId type, const Usable& available, int closed);
    bool node_is_open(const SlurmJob& job, std::size_t node) const;
    bool could_run_on(const ClusterView& view, const SlurmJob& job, GpuTypeId type) const;
    GangShape shape_of(const ClusterView& view, const SlurmJob& job, GpuTypeId type) const;
    void start(const ClusterView& view, SlurmJob& job, GpuTypeId type, const Placement& placement);
    void preempt(SlurmJob& victim);

    void run_backfill_if_due(const ClusterView& view);
    void backfill_pass(const ClusterView& view);
    std::size_t count_worth_planning(const ClusterView& view);
    bool backfill_considers(const SlurmJob& job);
    bool plan_job(const ClusterView& view, SlurmJob& job, BackfillPlan& plan);
    void announce(const ClusterView& view, SlurmJob& job, GpuTypeId type, const PlannedStart& planned);

    void note(SlurmJob& job, const char* reason);
    SimTime next_look() const;

    PolicyTraits traits_;
    SiteRules rules_;
    std::optional<NodeMap> map_;
    std::optional<SlurmBooks> books_;
    Usable all_nodes_;
    FreeNodes free_;  ///< scratch: by node
    std::vector<int> capacity_;

    SimTime now_;
    Decision decision_;
    std::vector<JobId> arrivals_;
    std::vector<JobId> changed_;     ///< by the last decision; verified at the next, since a late decision may have been dropped
    SimTime main_pass_at_ = kNever;  ///< caused by an event
    bool main_is_due_ = false;       ///< something changed since the last pass over the whole queue
    bool backfill_is_due_ = false;   ///< something changed since the last backfill cycle
    std::size_t boundaries_passed_ = 0;
    std::set<SimTime> wakes_;  ///< when the requeued may be looked at again, and the exempt may be stopped
    std::unordered_map<Name, std::int64_t> looked_at_by_user_;
    std::vector<std::int64_t> looked_at_by_partition_;
};

}  // namespace medley::planner
