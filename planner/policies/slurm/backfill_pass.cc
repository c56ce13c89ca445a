#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "planner/policies/declared_time.h"
#include "planner/policies/slurm/pass_times.h"
#include "planner/policies/slurm/slurm_policy.h"

namespace medley::planner {
namespace {

constexpr const char* kBackfilled = "backfilled: delays nobody who is promised nodes";

}  // namespace

void SlurmMultifactor::run_backfill_if_due(const ClusterView& view) {
    const BackfillRules& rules = rules_.scheduling.backfill;
    if (!rules.enabled || !backfill_is_due_ || !is_multiple(now_, rules.offset, rules.interval)) { return; }
    backfill_is_due_ = false;
    backfill_pass(view);
}

void SlurmMultifactor::backfill_pass(const ClusterView& view) {
    const BackfillRules& rules = rules_.scheduling.backfill;
    const std::size_t count = count_worth_planning(view);
    if (count == 0) { return; }
    BackfillPlan plan(*map_, now_, rules, books_->site().windows());
    looked_at_by_user_.clear();
    looked_at_by_partition_.assign(books_->site().partitions().size(), 0);
    const std::vector<SlurmJob*> queue(books_->queue().begin(), books_->queue().begin() + static_cast<std::ptrdiff_t>(count));
    std::int64_t looked_at = 0;
    std::int64_t starts = 0;
    for (SlurmJob* job : queue) {
        if (job->state != SlurmJob::State::kWaiting || job->reservation != nullptr) { continue; }
        if (const char* reason = books_->blocked_by(*job, now_)) {
            note(*job, reason);
            continue;
        }
        if (!backfill_considers(*job)) { continue; }
        if (looked_at++ >= rules.max_jobs) { break; }
        if (plan_job(view, *job, plan)) { ++starts; }
        if (rules.max_starts > 0 && starts >= rules.max_starts) { break; }
    }
}

// Nobody behind the last job that has room now, were it alone in the queue, can start in this cycle.
std::size_t SlurmMultifactor::count_worth_planning(const ClusterView& view) {
    std::map<std::tuple<std::size_t, GpuTypeMask, int, int>, bool> fits;
    const std::vector<SlurmJob*>& queue = books_->queue();
    std::size_t count = 0;
    for (std::size_t index = 0; index < queue.size(); ++index) {
        const SlurmJob& job = *queue[index];
        const JobBelief& belief = view.job(job.id);
        const auto [known, added] = fits.try_emplace({job.partition, belief.allowed, belief.gpus, job.stated_nodes}, false);
        if (added) {
            const Usable& partition = books_->site().partitions()[job.partition].nodes;
            for (const GpuTypeId type : books_->site().types()) {
                if (!could_run_on(view, job, type)) { continue; }
                const auto [first, last] = map_->range(type);
                for (std::size_t node = first; node < last; ++node) {
                    free_.gpus[node] = partition[node] ? map_->node(NodeId(node)).free : 0;
                }
                known->second = known->second || choose_nodes(*map_, type, shape_of(view, job, type), free_).has_value();
            }
        }
        if (known->second || rules_.preemption.by != PreemptionCriterion::kNone) { count = index + 1; }
    }
    return count;
}

bool SlurmMultifactor::backfill_considers(const SlurmJob& job) {
    const BackfillRules& rules = rules_.scheduling.backfill;
    std::int64_t& of_partition = looked_at_by_partition_[job.partition];
    std::int64_t& of_user = looked_at_by_user_[job.subject.user];
    if (rules.max_jobs_per_partition > 0 && of_partition >= rules.max_jobs_per_partition) { return false; }
    if (rules.max_jobs_per_user > 0 && of_user >= rules.max_jobs_per_user) { return false; }
    ++of_partition;
    ++of_user;
    return true;
}

// True if it starts.
bool SlurmMultifactor::plan_job(const ClusterView& view, SlurmJob& job, BackfillPlan& plan) {
    SimTime latest = after(now_, rules_.scheduling.backfill.window);
    std::optional<PlannedStart> best;
    GpuTypeId best_type;
    for (const GpuTypeId type : books_->site().types()) {
        if (!could_run_on(view, job, type)) { continue; }
        const PlanRequest request{.type = type,
                                  .shape = shape_of(view, job, type),
                                  .span = job.limit,
                                  .usable = &books_->site().partitions()[job.partition].nodes};
        auto found = plan.earliest(request, latest);
        if (!found) { continue; }
        best = std::move(found);
        best_type = type;
        latest = best->start - SimTime{1};
        if (best->start <= now_) { break; }
    }
    if (best && best->start <= now_) {
        start(view, job, best_type, best->placement);
        decision_.reasons.push_back({.job = job.id, .text = kBackfilled});
        return true;
    }
    if (try_preempting(view, job, all_nodes_)) { return true; }
    if (!best) { return false; }
    plan.promise(best->placement, best->start, after(best->start, to_seconds(job.limit)));
    announce(view, job, best_type, *best);
    return false;
}

// Reports a first planned start, a later one, and an earlier one where the wait has halved.
void SlurmMultifactor::announce(const ClusterView& view, SlurmJob& job, GpuTypeId type, const PlannedStart& planned) {
    const bool first = job.announced == kNever || job.announced <= now_;
    const bool worth_it = first || planned.start > job.announced || planned.start - now_ < SimTime{(job.announced - now_).value / 2};
    if (!worth_it) { return; }
    job.announced = planned.start;
    decision_.reservations.push_back(
        {.job = job.id, .start = planned.start, .allocation = Allocation::of(type, view.demand(job.id, type))});
}

}  // namespace medley::planner
