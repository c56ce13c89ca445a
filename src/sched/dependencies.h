#pragma once
/// Holds jobs back until the jobs they depend on are done.

#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/ids.h"
#include "core/job.h"

namespace medley {

/// Costs nothing for traces without dependencies; otherwise O(1) expected per job and dependency. Thread rule: one thread.
class Dependencies {
 public:
    explicit Dependencies(const std::vector<Job>& jobs) : jobs_(jobs) {}

    /// True if the job may run; false if it is now held back. `done(JobId)` tells whether a job has ended.
    template <class Done>
    bool submit(JobId id, Done done);
    /// The jobs that this end sets free, in order of submission.
    std::vector<JobId> release(JobId ended);
    /// Records that this job will never run, and gives the held-back jobs that depend on it: neither will they. They are held back no more.
    std::vector<JobId> reject(JobId id);
    /// Does it depend on a job that was rejected?
    bool hopeless(JobId id);
    /// A job that is withdrawn while held back.
    void forget(JobId id) { open_.erase(id); }
    std::size_t held_back() const { return open_.size(); }

 private:
    JobId find(const std::string& id);

    const std::vector<Job>& jobs_;
    std::unordered_map<std::string_view, JobId> index_;
    std::size_t indexed_ = 0;
    std::unordered_map<JobId, std::vector<JobId>> dependents_;
    std::unordered_map<JobId, int> open_;
    std::unordered_set<JobId> rejected_;
};

template <class Done>
bool Dependencies::submit(JobId id, Done done) {
    const Job& job = jobs_[id.index()];
    if (!job.extras || job.extras->depends_on.empty()) { return true; }
    int open = 0;
    for (const std::string& needed : job.extras->depends_on) {
        const JobId other = find(needed);
        if (!other.valid() || done(other)) { continue; }
        dependents_[other].push_back(id);
        ++open;
    }
    if (open > 0) { open_[id] = open; }
    return open == 0;
}

}  // namespace medley
