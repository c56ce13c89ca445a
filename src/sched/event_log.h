#pragma once
/// The log of what happened: the truth of a run, simulated or real. Every metric is computed from it alone.
///
/// Record by record it says who holds what GPUs when, at what speed each job makes progress, and why it stopped. The JSON Lines form
/// is in src/io; the field-by-field description in docs/formats.md.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/ids.h"
#include "core/name.h"
#include "core/units.h"
#include "sched/allocation.h"
#include "sched/belief.h"
#include "sched/event.h"

namespace medley {

struct HeaderRecord {
    struct Type {
        Name name;
        int gpus = 0;
        std::optional<double> price_usd_per_hour;
        std::optional<double> power_w;
    };
    std::string policy;
    std::vector<std::pair<std::string, std::string>> policy_options;
    InformationClass information = InformationClass::kLearned;
    std::uint64_t seed = 0;
    Seconds round;
    std::string compat;  ///< empty = correct accounting
    std::string cluster;
    std::vector<Type> gpu_types;
};
struct SubmitRecord {
    SimTime time;
    JobId job;
    std::string_view id;  ///< valid during the call
    Name model;
    int gpus = 1;      ///< requested gang, or kWholePool
    int min_gpus = 0;  ///< the least with which it would start; 0 = gpus
    GpuTypeMask allowed = ~GpuTypeMask{0};
    double priority = 1;
    double weight = 1;
    std::optional<Seconds> deadline;
    double total_work = 0;
    /// Run time alone on the requested GPUs of the fastest allowed type, from submission to finish, start-up included.
    Seconds alone;
    /// The same at the speed averaged over all GPUs of the cluster: the run time on a 1/n share is
    /// isolated x max(1, n x nominal_gpus / total GPUs).
    Seconds isolated;
    double nominal_gpus = 1;  ///< the gang, or the mean size of a pool for a pool job
    bool held_back = false;   ///< waits for other jobs, not for GPUs, until its ReleaseRecord
};
/// The jobs it depends on are done: from now on it waits for GPUs.
struct ReleaseRecord {
    SimTime time;
    JobId job;
};
struct RejectRecord {
    SimTime time;
    JobId job;
    std::string reason;
};
/// From now on the job holds these GPUs and starts up.
struct LaunchRecord {
    SimTime time;
    JobId job;
    Grants grants;
    bool restart = false;
};
/// From now on the job holds these GPUs. Those it already had go on working until the next RunRecord.
struct ResizeRecord {
    SimTime time;
    JobId job;
    Grants grants;
};
/// From now on the job progresses at this speed with the GPUs it holds (`grants` of them working, all once a resize is complete).
struct RunRecord {
    SimTime time;
    JobId job;
    double work_per_s = 0;
    double communication_fraction = 0;
    double work_done = 0;
    bool resizing = false;  ///< the interim speed of a resize under way: gained GPUs do not work yet
};
/// The job checkpoints with its GPUs held.
struct CheckpointRecord {
    SimTime time;
    JobId job;
    double work_done = 0;
};
struct StopRecord {
    SimTime time;
    JobId job;
    StopReason reason = StopReason::kPreempted;
    double work_done = 0;  ///< still valid
    double work_lost = 0;
};
struct FinishRecord {
    SimTime time;
    JobId job;
    double work_done = 0;
    bool cancelled = false;
};
struct CapacityRecord {
    SimTime time;
    GpuTypeId type;
    int gpus = 0;  ///< of this type from now on
};
struct ReservationRecord {
    SimTime time;
    JobId job;
    SimTime start;
    Grants grants;
};
/// Why the policy treats the job as it does, in its own words; only where they change.
struct ReasonRecord {
    SimTime time;
    JobId job;
    std::string text;
};
struct EndRecord {
    SimTime time;
    std::uint64_t events = 0;     ///< handled by the scheduler
    std::uint64_t decisions = 0;  ///< times the policy was asked
};

using LogRecord = std::variant<HeaderRecord, SubmitRecord, ReleaseRecord, RejectRecord, LaunchRecord, ResizeRecord, RunRecord,
                               CheckpointRecord, StopRecord, FinishRecord, CapacityRecord, ReservationRecord, ReasonRecord, EndRecord>;

const char* to_string(StopReason reason);

/// Seam: where the log goes (a file, metrics, a live view). Records come in order of time; the first is the header, the last the end.
class EventSink {
 public:
    virtual ~EventSink() = default;
    virtual void record(const LogRecord& record) = 0;
};

/// Seam: where a log comes from. `read_into` delivers every record in order; throws medley::Error on a malformed log.
class EventSource {
 public:
    virtual ~EventSource() = default;
    virtual void read_into(EventSink& sink) = 0;
};

}  // namespace medley
