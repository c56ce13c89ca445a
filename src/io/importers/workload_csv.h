#pragma once
/// Workloads of schedulers' artifacts, one row a job, seconds or milliseconds after the start: what Chronus, Muri and Tiresias share.

#include "io/csv_table.h"
#include "io/importers/job_collector.h"
#include "io/importers/record_fields.h"

namespace medley::io {

/// Columns `job_id,num_gpu,submit_time,duration` are needed; `model_name,batch_size,iterations` may be there, the last kept as a text.
class WorkloadCsv {
 public:
    /// So many units of the file's times are one second.
    WorkloadCsv(ByteSource& source, const ImportOptions& options, double units_per_second);

    CsvTable& table() { return table_; }
    JobCollector& jobs() { return jobs_; }
    /// False at the end.
    bool next() { return table_.next(); }
    /// The current row.
    RecordedJob record() const;
    /// A cell that is a time in the file's unit, in seconds.
    std::optional<Seconds> seconds(MaybeColumn column) const;

 private:
    CsvTable table_;
    JobCollector jobs_;
    double units_per_second_;
    std::size_t id_, gpus_, submit_, duration_;
    MaybeColumn model_, batch_size_, iterations_;
    Name iterations_name_{"iterations"};
};

}  // namespace medley::io
