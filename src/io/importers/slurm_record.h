#pragma once
/// One row of Slurm's accounting as a job of the trace.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/civil_time.h"
#include "io/importers/job_collector.h"
#include "io/slurm/accounting_table.h"
#include "io/slurm/host_types.h"

namespace medley::io::slurm {

/// An attempt of a job, with what only the whole file can decide.
struct AccountingRecord {
    RecordedJob recorded;  ///< `gpus` 0 where the row does not tell them
    std::optional<SimTime> start, end;
    std::optional<SimTime> eligible;  ///< when it could first have started
    bool gpus_stated = false;         ///< a resource list with GPUs was there
    bool several_types = false;       ///< it ran on GPUs of several types
    bool het_component = false;       ///< `12+1`
    bool never_started = false;
    Name asked_type;
    std::string nodes;  ///< kept where GPUs are not stated
};

/// The job's id of a row: `12`, `12_3`, `12+1`; of a step (`12_3.batch`) that of its job.
std::string_view job_of(std::string_view id);

/// Reads rows. Throws medley::Error naming line, column, value and expectation.
class RecordReader {
 public:
    RecordReader(const AccountingTable& table, const ZoneRule& zone, const HostTypes& hosts);

    AccountingRecord read() const;
    /// What a step's row adds to its job.
    void complete(AccountingRecord& record) const;

 private:
    std::optional<SimTime> moment(Column column) const;
    Seconds duration(const AccountingRecord& record) const;
    std::optional<Seconds> time_limit() const;
    int count(Column column) const;
    Name state() const;
    void read_times(AccountingRecord& record) const;
    void read_gpus(AccountingRecord& record) const;
    void read_types(AccountingRecord& record) const;
    void read_extras(AccountingRecord& record) const;
    void read_submission(AccountingRecord& record) const;

    const AccountingTable& table_;
    const ZoneRule& zone_;
    const HostTypes& hosts_;
};

}  // namespace medley::io::slurm
