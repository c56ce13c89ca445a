#pragma once
/// What a site's administrators have laid down: priorities, limits, partitions, accounts, reservations and quotas. The incumbent policies
/// (`slurm-multifactor`, `conservative-backfill`, `kueue`) follow them; a rule that a policy has no use for is ignored by it.
///
/// Names and meanings are those of the systems that the rules come from: Slurm's slurm.conf and sacctmgr, Kueue's ClusterQueue. Field by
/// field they stand in docs/site-rules.md. An empty optional means "no limit" or "as the original's default". Thread rule: plain data.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/cluster.h"
#include "core/name.h"
#include "core/units.h"

namespace medley {

/// A figure by resource: `gpu`, `cpu`, `node`, or `gpu:TYPE`.
struct ResourceWeight {
    std::string resource;
    double weight = 0;
    bool operator==(const ResourceWeight&) const = default;
};

/// Slurm's PriorityWeight*: each factor lies in [0, 1] and is multiplied by its weight; the sum, rounded down, is the priority.
struct PriorityWeights {
    double age = 0;
    double fair_share = 0;
    double job_size = 0;
    double partition = 0;
    double qos = 0;
    double association = 0;
    std::vector<ResourceWeight> resources;  ///< PriorityWeightTRES: share of the partition's GPUs (CPUs, nodes) that the job asks for
    bool operator==(const PriorityWeights&) const = default;
};

enum class FairShareRule {
    kTree,     ///< Slurm's Fair Tree (the default since 19.05)
    kClassic,  ///< 2^(-usage / shares), Slurm's PriorityFlags=NO_FAIR_TREE
};

struct PriorityRules {
    bool multifactor = true;  ///< false = PriorityType=priority/basic: order of submission
    PriorityWeights weights;
    Seconds max_age{7 * 86400.0};          ///< PriorityMaxAge: from then on the age factor is 1
    Seconds decay_half_life{7 * 86400.0};  ///< PriorityDecayHalfLife of recorded usage; 0 = usage never decays
    Seconds usage_reset{0};                ///< PriorityUsageResetPeriod: usage is forgotten at its multiples; 0 = never
    Seconds calc_period{300};  ///< PriorityCalcPeriod: usage, fair shares and waiting jobs' priorities are worked out this often
    Seconds calc_offset{0};    ///< the trace's time at which one of these calculations falls
    bool favor_small = false;  ///< PriorityFavorSmall: turns the job size factor round
    FairShareRule fair_share = FairShareRule::kTree;
    double damping = 1;                   ///< FairShareDampeningFactor, of the classic rule
    std::vector<ResourceWeight> billing;  ///< TRESBillingWeights: usage per second; empty = GPUs count 1 each
    std::int64_t cluster_cpus = 0;        ///< the job size factor's 100 %; 0 = unknown: GPUs stand for CPUs
    bool operator==(const PriorityRules&) const = default;
};

/// Slurm's backfill scheduler (SchedulerParameters bf_*).
struct BackfillRules {
    bool enabled = true;
    Seconds interval{30};                     ///< bf_interval
    Seconds offset{0};                        ///< the trace's time at which one of its cycles falls
    Seconds window{86400};                    ///< bf_window: nothing is planned further ahead
    Seconds resolution{60};                   ///< bf_resolution: reservations are rounded to it
    std::int64_t max_jobs = 500;              ///< bf_max_job_test
    std::int64_t max_jobs_per_user = 0;       ///< bf_max_job_user; 0 = no limit
    std::int64_t max_jobs_per_partition = 0;  ///< bf_max_job_part; 0 = no limit
    std::int64_t max_starts = 0;              ///< bf_max_job_start a cycle; 0 = no limit
    bool operator==(const BackfillRules&) const = default;
};

/// Slurm's main scheduler (SchedulerParameters).
struct SchedulingRules {
    Seconds main_interval{60};      ///< sched_interval: a pass over the whole queue this often
    Seconds main_offset{0};         ///< the trace's time at which one of these passes falls
    bool on_submit = true;          ///< false = `defer`: a new job is not tried at once
    Seconds batch_delay{3};         ///< batch_sched_delay: a submission is followed by a short pass at latest this much later
    Seconds start_delay{0};         ///< from an end to GPUs that can be given away again (epilog, completing)
    std::int64_t main_depth = 100;  ///< default_queue_depth: jobs looked at in the passes that events cause
    Seconds walltime_unit{60};      ///< wall times are rounded up to it (Slurm keeps minutes); 0 = as declared
    BackfillRules backfill;
    bool operator==(const SchedulingRules&) const = default;
};

enum class PreemptionCriterion { kNone, kQos, kPartition };  ///< PreemptType
enum class PreemptionMode { kCancel, kRequeue, kSuspend };   ///< PreemptMode

struct PreemptionRules {
    PreemptionCriterion by = PreemptionCriterion::kNone;
    PreemptionMode mode = PreemptionMode::kRequeue;
    Seconds exempt{0};           ///< PreemptExemptTime: a job may not be stopped before it has run so long
    Seconds requeue_delay{121};  ///< a requeued job is not considered for so long (Slurm: credential's expiry, 120 s, and 1 s)
    bool operator==(const PreemptionRules&) const = default;
};

/// A queue of Slurm: where its jobs may run, how long, and what it is worth.
struct PartitionRule {
    Name name;
    double priority_factor = 1;      ///< PriorityJobFactor
    std::int64_t priority_tier = 1;  ///< PriorityTier: all jobs of a higher tier are considered first, and may preempt
    std::vector<std::string> nodes;  ///< names of node groups of the cluster file; empty (with no types) = all
    std::vector<Name> gpu_types;     ///< instead of nodes: all nodes with these types
    std::optional<Seconds> max_walltime;
    std::optional<Seconds> default_walltime;  ///< of jobs that declare none
    bool is_default = false;                  ///< of jobs that name no partition; where none is, the first
    Name qos;                                 ///< partition QOS: its limits hold beside those of the job's own
    bool operator==(const PartitionRule&) const = default;
};

/// Limits of a group of running jobs; an empty one does not limit.
struct GroupLimits {
    std::optional<std::int64_t> gpus;            ///< GrpTRES gres/gpu
    std::optional<std::int64_t> jobs;            ///< GrpJobs
    std::optional<std::int64_t> submitted_jobs;  ///< GrpSubmitJobs: further ones are not taken in until one ends
    bool operator==(const GroupLimits&) const = default;
};

/// A quality of service.
struct QosRule {
    Name name;
    double priority = 0;
    std::vector<Name> preempts;
    std::optional<PreemptionMode> mode;  ///< how its jobs are preempted; empty = the cluster's
    Seconds exempt{0};                   ///< GraceTime and PreemptExemptTime of its jobs
    double usage_factor = 1;             ///< its jobs' usage counts so often
    std::optional<Seconds> max_walltime;
    GroupLimits group;                                   ///< of all its jobs together
    std::optional<std::int64_t> max_gpus_per_job;        ///< MaxTRES
    std::optional<std::int64_t> max_gpus_per_user;       ///< MaxTRESPU
    std::optional<std::int64_t> max_jobs_per_user;       ///< MaxJobsPU
    std::optional<std::int64_t> max_submitted_per_user;  ///< MaxSubmitPU
    std::optional<std::int64_t> max_gpus_per_account;    ///< MaxTRESPA
    std::optional<std::int64_t> max_jobs_per_account;    ///< MaxJobsPA
    bool operator==(const QosRule&) const = default;
};

/// A user's place in one account.
struct UserRule {
    Name name;
    double shares = 1;    ///< fairshare: raw shares among siblings
    double priority = 0;  ///< association factor
    double usage = 0;     ///< recorded usage at the trace's start, in billed seconds
    GroupLimits group;
    std::optional<std::int64_t> max_gpus_per_job;  ///< MaxTRES
    std::optional<std::int64_t> max_jobs;          ///< MaxJobs: running at a time
    bool operator==(const UserRule&) const = default;
};

/// An account of the association tree. A job's account is its `tenant`.
struct AccountRule {
    Name name;
    Name parent;  ///< empty = directly below the root
    double shares = 1;
    double priority = 0;
    GroupLimits group;  ///< of all jobs in it and below
    std::vector<UserRule> users;
    bool operator==(const AccountRule&) const = default;
};

/// GPUs set aside for a while: maintenance, a course, an urgent user.
struct SiteReservation {
    Name name;
    SimTime start;
    SimTime end = kNever;
    std::vector<std::string> nodes;    ///< names of node groups: all their GPUs
    std::vector<ResourceWeight> gpus;  ///< or so many GPUs by type, the last nodes of the cluster file first
    bool maintenance = false;          ///< nobody runs there meanwhile
    std::vector<Name> users;           ///< who may use it (with those of `accounts`), naming it in `reservation`
    std::vector<Name> accounts;
    bool operator==(const SiteReservation&) const = default;
};

/// A cluster queue's share of one GPU type (Kueue's flavor).
struct QueueQuota {
    Name gpu_type;
    std::int64_t nominal = 0;
    std::optional<std::int64_t> borrowing_limit;  ///< at most so much beyond nominal, of what others in the cohort leave unused
    std::optional<std::int64_t> lending_limit;    ///< at most so much of nominal is lent
    bool operator==(const QueueQuota&) const = default;
};

enum class QueueOrder { kBestEffortFifo, kStrictFifo };
enum class QueuePreemption { kNobody, kLowerPriority, kLowerOrNewerEqualPriority, kAny };

/// A ClusterQueue of Kueue. A job's queue is its `tenant`.
struct QueueRule {
    Name name;
    Name cohort;  ///< empty = it neither borrows nor lends
    QueueOrder order = QueueOrder::kBestEffortFifo;
    std::vector<QueueQuota> quotas;                      ///< in the order in which flavors are tried
    QueuePreemption within = QueuePreemption::kNobody;   ///< withinClusterQueue; never, lower-priority or lower-or-newer-equal-priority
    QueuePreemption reclaim = QueuePreemption::kNobody;  ///< reclaimWithinCohort; never, lower-priority or any
    QueuePreemption borrow = QueuePreemption::kNobody;   ///< borrowWithinCohort; never or lower-priority
    std::optional<double> borrow_max_priority;           ///< its maxPriorityThreshold
    bool borrow_before_next = true;                      ///< whenCanBorrow: borrow on a flavor before the next is tried
    bool preempt_before_next = false;                    ///< whenCanPreempt: preempt on a flavor before the next is tried
    bool operator==(const QueueRule&) const = default;
};

struct SiteRules {
    PriorityRules priority;
    SchedulingRules scheduling;
    PreemptionRules preemption;
    std::vector<PartitionRule> partitions;  ///< none = one that holds everything
    std::vector<QosRule> qos;
    std::vector<AccountRule> accounts;
    std::vector<SiteReservation> reservations;
    std::optional<std::int64_t> max_running_per_array;  ///< of arrays that declare no limit of their own
    std::vector<QueueRule> queues;
    bool operator==(const SiteRules&) const = default;

    /// Throws medley::Error naming the place ("qos[1].preempts[0]"), the value and what was expected: names given twice, references to
    /// what does not exist, accounts in a circle, figures out of range.
    void validate() const;
    /// Throws medley::Error where a GPU type or a node group is named that the cluster does not have.
    void require_fit(const Cluster& cluster) const;

    const PartitionRule* find_partition(Name name) const;
    const QosRule* find_qos(Name name) const;
};

}  // namespace medley
