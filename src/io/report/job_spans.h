#pragma once
/// Who was where when: the stretches of time over which a job held the same GPUs in the same phase, kept from the log for pictures.

#include <cstdint>
#include <string>
#include <vector>

#include "core/ids.h"
#include "core/units.h"
#include "io/report/gpu_lanes.h"
#include "sched/event_log.h"

namespace medley::io {

enum class SpanPhase : std::uint8_t { kStartup, kRunning, kResizing, kCheckpoint };
enum class SpanEnding : std::uint8_t { kContinues, kFinished, kCancelled, kPreempted, kMigrating, kCapacityLost, kLogEnds };
/// "startup", "running", "resizing", "checkpoint".
const char* to_string(SpanPhase phase);
/// "continues", "finished", "cancelled", "preempted", "migrating", "capacity-lost", "log-ends".
const char* to_string(SpanEnding ending);

/// One run of lanes. A job that holds GPUs of several types, or lanes apart from each other, has several at a time.
struct JobSpan {
    SimTime begin, end;
    JobId job;
    LaneRun lanes;
    GpuTypeId type;
    SpanPhase phase = SpanPhase::kStartup;
    SpanEnding ending = SpanEnding::kContinues;
};

/// What the timeline shows of a job beside its row in jobs.csv.
struct SpanJob {
    std::int32_t requested_gpus = 1;  ///< kWholePool = a pool
    std::int32_t first_type = -1;     ///< of its first launch; -1 = never launched
};

/// Cost: O(1) a record beyond GpuLanes; 40 bytes a span. Thread rule: one thread.
class JobSpans : public EventSink {
 public:
    void record(const LogRecord& record) override;

    const HeaderRecord& header() const { return header_; }
    /// In order of their ends. Requires that the end of the log was recorded, here and below.
    const std::vector<JobSpan>& spans() const { return spans_; }
    /// In order of submission.
    const std::vector<SpanJob>& jobs() const { return jobs_; }
    /// Lanes of a type, by GpuTypeId.
    std::uint32_t lanes(GpuTypeId type) const { return lanes_[type.index()].lanes(); }
    SimTime begin() const { return begin_; }
    SimTime end() const { return end_; }

 private:
    struct Held {
        GpuTypeId type;
        LaneRun lanes;
    };
    /// What a job holds now.
    struct Open {
        SimTime since;
        SpanPhase phase = SpanPhase::kStartup;
        std::vector<Held> held;
    };

    void on(const HeaderRecord& record);
    void on(const SubmitRecord& record);
    void on(const LaunchRecord& record);
    void on(const ResizeRecord& record);
    void on(const RunRecord& record);
    void on(const CheckpointRecord& record);
    void on(const StopRecord& record);
    void on(const FinishRecord& record);
    void on(const CapacityRecord& record);
    void on(const EndRecord& record);
    template <class Other>
    void on(const Other&) {}

    void close(JobId job, SimTime now, SpanEnding ending);
    void enter(JobId job, SimTime now, SpanPhase phase);
    void release(JobId job, SimTime now, SpanEnding ending);
    void shrink(Open& open, GpuTypeId type, std::uint32_t lanes);
    void take(Open& open, GpuTypeId type, std::uint32_t lanes);

    HeaderRecord header_;
    std::vector<GpuLanes> lanes_;
    std::vector<SpanJob> jobs_;
    std::vector<Open> open_;  ///< by job
    std::vector<JobSpan> spans_;
    SimTime begin_ = kNever;
    SimTime end_;
};

}  // namespace medley::io
