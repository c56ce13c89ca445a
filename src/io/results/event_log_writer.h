#pragma once
/// Writes an event log as JSON Lines (events.jsonl; the fields stand in docs/formats.md).
///
/// Numbers are the shortest text that reads back as the same double, so the same run gives the same bytes. Thread rule: one thread.
/// Cost: about 0.15 us a record, no memory beyond the ids of the jobs.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/results/output_file.h"
#include "sched/event_log.h"

namespace medley::io {

class EventLogWriter : public EventSink {
 public:
    /// `file` must outlive the writer and is committed by its owner.
    explicit EventLogWriter(OutputFile& file) : file_(file) {}

    /// Throws medley::Error when the file cannot be written.
    void record(const LogRecord& record) override;

 private:
    struct Slice {
        std::uint64_t begin = 0;
        std::uint32_t size = 0;
    };

    void append(const HeaderRecord& record);
    void append(const SubmitRecord& record);
    void append(const ReleaseRecord& record);
    void append(const RejectRecord& record);
    void append(const LaunchRecord& record);
    void append(const ResizeRecord& record);
    void append(const RunRecord& record);
    void append(const CheckpointRecord& record);
    void append(const StopRecord& record);
    void append(const FinishRecord& record);
    void append(const CapacityRecord& record);
    void append(const ReservationRecord& record);
    void append(const ReasonRecord& record);
    void append(const EndRecord& record);

    void remember(JobId job, std::string_view id);
    std::string_view quoted_id(JobId job) const;
    void append_type(const HeaderRecord::Type& type);
    void append_grants(const Grants& grants);
    void append_allowed(GpuTypeMask allowed);

    OutputFile& file_;
    std::vector<std::string> quoted_types_;
    std::string quoted_ids_;  ///< all jobs' ids one after another, as JSON texts
    std::vector<Slice> slices_;
};

}  // namespace medley::io
