#include "sched/waiting_jobs.h"

#include <algorithm>

#include "core/error.h"

namespace medley {
namespace {

std::int64_t free_on(GpuTypeMask allowed, const std::vector<int>& free) {
    std::int64_t total = 0;
    for (std::size_t type = 0; type < free.size(); ++type) {
        if ((allowed >> type) & 1U) { total += free[type]; }
    }
    return total;
}

}  // namespace

WaitingJobs::ClassId WaitingJobs::class_of(GpuTypeMask allowed, int least_gang) {
    auto group = std::find_if(groups_.begin(), groups_.end(), [&](const Group& known) { return known.allowed == allowed; });
    if (group == groups_.end()) { group = groups_.insert(groups_.end(), {.allowed = allowed, .gangs = {}}); }
    std::vector<Gang>& gangs = group->gangs;
    const auto place =
        std::lower_bound(gangs.begin(), gangs.end(), least_gang, [](const Gang& gang, int gpus) { return gang.gpus < gpus; });
    if (place != gangs.end() && place->gpus == least_gang) { return place->id; }
    const auto id = static_cast<ClassId>(jobs_.size());
    jobs_.push_back(0);
    gangs.insert(place, {.gpus = least_gang, .id = id});
    return id;
}

void WaitingJobs::remove(ClassId id) {
    MEDLEY_ASSERT(jobs_[id] > 0);
    --jobs_[id];
}

bool WaitingJobs::any_fits(const Group& group, std::int64_t room) const {
    for (const Gang& gang : group.gangs) {
        if (gang.gpus > room) { return false; }
        if (jobs_[gang.id] > 0) { return true; }
    }
    return false;
}

GpuTypeMask WaitingJobs::wanted(const std::vector<int>& free) const {
    GpuTypeMask types = 0;
    for (const Group& group : groups_) {
        const std::int64_t room = free_on(group.allowed, free);
        if (room > 0 && any_fits(group, room)) { types |= group.allowed; }
    }
    return types;
}

}  // namespace medley
