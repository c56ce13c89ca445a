#include "planner/policies/slurm/usage_limits.h"

#include <initializer_list>
#include <optional>

namespace medley::planner {
namespace {

using Limit = std::optional<std::int64_t>;

bool exceeds(const Limit& limit, std::int64_t use) { return limit && use > *limit; }

template <class Map>
auto found_or_empty(const Map& map, Name name) {
    const auto found = map.find(name);
    return found != map.end() ? found->second : typename Map::mapped_type{};
}

/// A limit of two QOS: the partition's, where it states one, else the job's.
template <class Field>
const QosRule* binding(const LimitSubject& job, Field field) {
    if (job.partition_qos != nullptr && field(*job.partition_qos)) { return job.partition_qos; }
    return job.qos != nullptr && field(*job.qos) ? job.qos : nullptr;
}

}  // namespace

const UsageLimits::QosUse& UsageLimits::use_of(const QosRule* qos) const {
    static const QosUse kNothing;
    const auto found = qos_.find(qos);
    return found != qos_.end() ? found->second : kNothing;
}

template <class Change>
void UsageLimits::change(const LimitSubject& job, Change change) {
    if (associations_.size() < tree_.size()) { associations_.resize(tree_.size()); }
    for (AssociationId id = job.association; id.valid(); id = tree_.parent(id)) { change(associations_[id.index()]); }
    for (const QosRule* qos : {job.qos, job.partition_qos == job.qos ? nullptr : job.partition_qos}) {
        if (qos == nullptr) { continue; }
        QosUse& use = qos_[qos];
        change(use.all);
        change(use.by_user[job.user]);
        change(use.by_account[job.account]);
    }
}

void UsageLimits::count(const LimitSubject& job, int sign) {
    change(job, [&](Use& use) {
        use.gpus += sign * job.gpus;
        use.jobs += sign;
    });
}

void UsageLimits::count_submitted(const LimitSubject& job, int sign) {
    change(job, [sign](Use& use) { use.submitted += sign; });
}

const char* UsageLimits::blocked_by(const LimitSubject& job) const {
    const char* reason = blocked_by_qos(job);
    return reason != nullptr ? reason : blocked_by_association(job);
}

const char* UsageLimits::blocked_by_qos(const LimitSubject& job) const {
    if (job.qos == nullptr && job.partition_qos == nullptr) { return nullptr; }
    const auto over = [&job](auto field, auto use) {
        const QosRule* qos = binding(job, field);
        return qos != nullptr && exceeds(field(*qos), use(qos));
    };
    const auto all = [this](const QosRule* qos) { return use_of(qos).all; };
    const auto of_user = [this, &job](const QosRule* qos) { return found_or_empty(use_of(qos).by_user, job.user); };
    const auto of_account = [this, &job](const QosRule* qos) { return found_or_empty(use_of(qos).by_account, job.account); };
    const auto gpus = [&job](auto use) { return [use, &job](const QosRule* qos) { return use(qos).gpus + job.gpus; }; };
    const auto jobs = [](auto use) { return [use](const QosRule* qos) { return use(qos).jobs + 1; }; };
    if (over([](const QosRule& qos) { return qos.max_gpus_per_job; }, [&job](const QosRule*) { return job.gpus; })) {
        return "QOS limit: GPUs a job";
    }
    if (over([](const QosRule& qos) { return qos.group.gpus; }, gpus(all))) { return "QOS limit: GPUs in all"; }
    if (over([](const QosRule& qos) { return qos.group.jobs; }, jobs(all))) { return "QOS limit: jobs in all"; }
    if (over([](const QosRule& qos) { return qos.max_gpus_per_user; }, gpus(of_user))) { return "QOS limit: GPUs a user"; }
    if (over([](const QosRule& qos) { return qos.max_jobs_per_user; }, jobs(of_user))) { return "QOS limit: jobs a user"; }
    if (over([](const QosRule& qos) { return qos.max_gpus_per_account; }, gpus(of_account))) { return "QOS limit: GPUs an account"; }
    if (over([](const QosRule& qos) { return qos.max_jobs_per_account; }, jobs(of_account))) { return "QOS limit: jobs an account"; }
    return nullptr;
}

const char* UsageLimits::blocked_by_association(const LimitSubject& job) const {
    const auto use = [this](AssociationId id) { return id.index() < associations_.size() ? associations_[id.index()] : Use{}; };
    if (const UserRule* user = tree_.user_rule(job.association)) {
        if (exceeds(user->max_gpus_per_job, job.gpus)) { return "association limit: GPUs a job"; }
        if (exceeds(user->max_jobs, use(job.association).jobs + 1)) { return "association limit: jobs"; }
    }
    for (AssociationId id = job.association; id.valid(); id = tree_.parent(id)) {
        const GroupLimits& limits = tree_.limits(id);
        if (exceeds(limits.gpus, use(id).gpus + job.gpus)) { return "association limit: GPUs in all"; }
        if (exceeds(limits.jobs, use(id).jobs + 1)) { return "association limit: jobs in all"; }
    }
    return nullptr;
}

bool UsageLimits::never_allowed(const LimitSubject& job) const { return UsageLimits(tree_).blocked_by(job) != nullptr; }

bool UsageLimits::may_be_submitted(const LimitSubject& job) const {
    for (const QosRule* qos : {job.partition_qos, job.qos}) {
        if (qos == nullptr) { continue; }
        const QosUse& use = use_of(qos);
        if (exceeds(qos->group.submitted_jobs, use.all.submitted + 1)) { return false; }
        if (exceeds(qos->max_submitted_per_user, found_or_empty(use.by_user, job.user).submitted + 1)) { return false; }
    }
    for (AssociationId id = job.association; id.valid(); id = tree_.parent(id)) {
        const std::int64_t submitted = id.index() < associations_.size() ? associations_[id.index()].submitted : 0;
        if (exceeds(tree_.limits(id).submitted_jobs, submitted + 1)) { return false; }
    }
    return true;
}

}  // namespace medley::planner
