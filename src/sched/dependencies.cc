#include "sched/dependencies.h"

#include <algorithm>

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

std::vector<JobId> Dependencies::reject(JobId id) {
    rejected_.insert(id);
    open_.erase(id);
    std::vector<JobId> hopeless;
    const auto found = dependents_.find(id);
    if (found == dependents_.end()) { return hopeless; }
    for (const JobId dependent : found->second) {
        if (open_.erase(dependent) > 0) { hopeless.push_back(dependent); }
    }
    dependents_.erase(found);
    return hopeless;
}

bool Dependencies::hopeless(JobId id) {
    const Job& job = jobs_[id.index()];
    if (rejected_.empty() || !job.extras) { return false; }
    const auto& needed = job.extras->depends_on;
    return std::any_of(needed.begin(), needed.end(), [this](const std::string& other) { return rejected_.count(find(other)) > 0; });
}

JobId Dependencies::find(const std::string& id) {
    for (; indexed_ < jobs_.size(); ++indexed_) { index_.emplace(jobs_[indexed_].id, JobId(indexed_)); }
    const auto found = index_.find(id);
    return found == index_.end() ? JobId() : found->second;
}

}  // namespace medley
