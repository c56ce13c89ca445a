#include "sched/cluster_view.h"

#include <algorithm>

#include "sched/scheduler.h"
#include "sched/scheduler_state.h"
#include "sched/transitions.h"

namespace medley {

std::uint64_t ClusterView::version() const { return state_.version(); }
const Cluster& ClusterView::cluster() const { return state_.cluster(); }
int ClusterView::capacity(GpuTypeId type) const { return state_.capacity(type); }
int ClusterView::free(GpuTypeId type) const { return std::max(0, state_.capacity(type) - state_.committed(type)); }
std::span<const JobId> ClusterView::arrived() const { return state_.arrived; }
std::span<const JobId> ClusterView::departed() const { return state_.departed; }
std::span<const JobId> ClusterView::evicted() const { return state_.evicted; }
std::vector<JobId> ClusterView::present() const { return state_.present(); }
std::size_t ClusterView::present_count() const { return state_.present_count(); }

std::vector<JobId> ClusterView::waiting() const {
    std::vector<JobId> ids = state_.present();
    std::erase_if(ids, [this](JobId id) { return !held(id).empty(); });
    return ids;
}

std::vector<JobId> ClusterView::holding() const {
    std::vector<JobId> ids = state_.present();
    std::erase_if(ids, [this](JobId id) { return held(id).empty(); });
    return ids;
}

const JobBelief& ClusterView::job(JobId id) const { return state_.belief(id); }
JobPhase ClusterView::phase(JobId id) const { return state_.record(id).phase; }
const Allocation& ClusterView::held(JobId id) const { return state_.record(id).target; }

int ClusterView::demand(JobId id, GpuTypeId type) const {
    const int gang = state_.belief(id).gpus;
    return gang == kWholePool ? capacity(type) : gang;
}

bool ClusterView::could_run_on(JobId id, GpuTypeId type) const {
    const int wanted = demand(id, type);
    return state_.belief(id).allows(type) && wanted > 0 && wanted <= capacity(type);
}

SimTime ClusterView::last_launch(JobId id) const { return state_.record(id).last_launch; }
double ClusterView::work_done(JobId id) const { return state_.work_done(id, now_); }
Seconds ClusterView::held_seconds(JobId id) const { return state_.held_seconds(id, now_); }
double ClusterView::held_gpu_seconds(JobId id) const { return state_.held_gpu_seconds(id, now_); }
Seconds ClusterView::remaining(JobId id) const { return state_.remaining(id, now_); }

JobSpeed ClusterView::speed(JobId id, GpuTypeId type, int gpus) const {
    if (!state_.belief(id).allows(type)) { return {}; }
    return state_.believed().speed(state_.job(id), type, gpus);
}

JobSpeed ClusterView::speed(JobId id, const Plan& plan) const { return state_.believed().speed(state_.job(id), plan); }
const Profile* ClusterView::profile(JobId id) const { return state_.believed().profile(state_.belief(id).model); }
bool ClusterView::transition_pending() const { return state_.transitions_in_flight > 0; }

Seconds ClusterView::transition_cost(JobId id, const Allocation& target) const {
    return medley::transition_cost(state_.record(id), target, state_.costs());
}

}  // namespace medley
