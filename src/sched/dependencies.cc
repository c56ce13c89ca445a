#include "sched/dependencies.h"

namespace medley {

std::vector<JobId> Dependencies::release(JobId ended) {
    std::vector<JobId> freed;
    const auto found = dependents_.find(ended);
    if (found == dependents_.end()) { return freed; }
    for (const JobId id : found->second) {
        const auto open = open_.find(id);
        if (open == open_.end() || --open->second > 0) { continue; }
        open_.erase(open);
        freed.push_back(id);
    }
    dependents_.erase(found);
    return freed;
}

JobId Dependencies::find(const std::string& id) {
    for (; indexed_ < jobs_.size(); ++indexed_) { index_.emplace(jobs_[indexed_].id, JobId(indexed_)); }
    const auto found = index_.find(id);
    return found == index_.end() ? JobId() : found->second;
}

}  // namespace medley
