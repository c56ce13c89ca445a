#pragma once
/// Logs of one row a job with submission, start and end, as Helios and ACME are published: what they share.

#include <vector>

#include "io/csv_table.h"
#include "io/importers/job_collector.h"
#include "io/importers/record_fields.h"

namespace medley::io {

struct JobLogFormat {
    const char* zone;              ///< of times without one
    const char* tenant = nullptr;  ///< column of the virtual cluster, which is tenant and partition
    struct Kept {
        const char* column;
        const char* name;  ///< in our trace
    };
    std::vector<Kept> kept;  ///< columns without a place in a job, kept as texts where they are there
};

/// Columns `job_id,gpu_num,state,submit_time,start_time,end_time` are needed; `user,cpu_num,node_num,duration` and
/// those of the format may be there. Duration is
/// end - start, recomputed from the times; a column `duration` that says otherwise is reported. Rows in state RUNNING or SUSPENDED, or
/// with a start and no end, still ran.
class JobLogReader {
 public:
    JobLogReader(ByteSource& source, const ImportOptions& options, const JobLogFormat& format);

    void read();
    JobCollector& jobs() { return jobs_; }
    const ZoneRule& zone() const { return zone_; }

 private:
    struct KeptColumn {
        std::size_t column;
        Name name;
    };

    void read_row();
    void set_duration(RecordedJob& record);

    CsvTable table_;
    ZoneRule zone_;
    JobCollector jobs_;
    std::size_t id_ = 0, gpus_ = 0, state_ = 0, submit_ = 0, start_ = 0, end_ = 0;
    MaybeColumn user_, tenant_, duration_, cpus_, nodes_;
    std::vector<KeptColumn> kept_;
    Name running_{"RUNNING"}, suspended_{"SUSPENDED"};
};

}  // namespace medley::io
