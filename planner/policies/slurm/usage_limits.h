#pragma once
/// How much of what QOS and associations allow is in use, and which limit stands in a job's way.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/site_rules.h"
#include "planner/policies/slurm/fair_share.h"

namespace medley::planner {

/// Whom a job counts for.
struct LimitSubject {
    AssociationId association;
    Name user;
    Name account;
    const QosRule* qos = nullptr;            ///< null = none named
    const QosRule* partition_qos = nullptr;  ///< null = none; what it limits, it limits instead of the job's own
    std::int64_t gpus = 0;
};

/// Slurm's resource limits of running jobs. An association's limits hold at every level up to the root. Cost: O(levels) a call.
/// Thread rule: one thread.
class UsageLimits {
 public:
    explicit UsageLimits(const FairShareTree& tree) : tree_(tree) {}

    void start(const LimitSubject& job) { count(job, 1); }
    void end(const LimitSubject& job) { count(job, -1); }
    /// What keeps the job from starting now, as a text for users; null = nothing.
    const char* blocked_by(const LimitSubject& job) const;
    /// Does it ask for more than it may ever get?
    bool never_allowed(const LimitSubject& job) const;

    void submit(const LimitSubject& job) { count_submitted(job, 1); }
    void withdraw(const LimitSubject& job) { count_submitted(job, -1); }
    /// May it be taken in beside what its user and account have waiting and running?
    bool may_be_submitted(const LimitSubject& job) const;

 private:
    struct Use {
        std::int64_t gpus = 0;
        std::int64_t jobs = 0;
        std::int64_t submitted = 0;
    };
    struct QosUse {
        Use all;
        std::unordered_map<Name, Use> by_user, by_account;
    };

    void count(const LimitSubject& job, int sign);
    void count_submitted(const LimitSubject& job, int sign);
    template <class Change>
    void change(const LimitSubject& job, Change change);
    const char* blocked_by_qos(const LimitSubject& job) const;
    const char* blocked_by_association(const LimitSubject& job) const;
    const QosUse& use_of(const QosRule* qos) const;

    const FairShareTree& tree_;
    std::unordered_map<const QosRule*, QosUse> qos_;
    std::vector<Use> associations_;
};

}  // namespace medley::planner
