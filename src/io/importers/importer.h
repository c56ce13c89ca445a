#pragma once
/// The seam for public trace formats: one file each, one row in the table of table.cc.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/cluster.h"
#include "core/job.h"
#include "core/name.h"
#include "io/availability_file.h"
#include "io/importers/import_options.h"
#include "io/importers/import_source.h"

namespace medley::io {

using RowCounts = std::map<std::string, std::size_t, std::less<>>;

/// Nothing is dropped or changed in silence: jobs = rows - dropped + added.
struct ImportReport {
    std::size_t rows = 0;            ///< records read from the source that could be a job each
    RowCounts dropped;               ///< records left out, by reason
    RowCounts changed;               ///< records altered, by reason
    RowCounts added;                 ///< jobs more than records, by reason
    std::string duration_meaning;    ///< what `duration_s` is in this source, by the options given
    std::string time_rule;           ///< how its times were placed on the time line
    std::string origin;              ///< the moment that became second 0; empty if the source has no dates
    std::vector<std::string> files;  ///< that were read
    std::vector<std::string> notes;  ///< what else a user should know of the source, one line each
};

struct Import {
    Trace trace;  ///< ordered and validated; recorded starts and ends, states, tenants and users where the source has them
    std::vector<CapacityRow> capacity;  ///< capacity that comes and goes, ordered by time; empty = constant, or not known
    std::optional<Cluster> cluster;     ///< the fleet, if the source tells it
    ImportReport report;
};

/// What a source holds besides, or instead of, jobs.
enum class SourceKind { kJobs, kCapacity };

class Importer {
 public:
    virtual ~Importer() = default;
    virtual std::string_view name() const = 0;
    virtual std::string_view description() const = 0;  ///< one line
    virtual SourceKind kind() const { return SourceKind::kJobs; }
    /// Throws medley::Error naming file, line and column for a source that is not of this format. Thread rule: const calls may run in
    /// parallel. Memory: that of the jobs kept, not of the file.
    virtual Import import(const ImportSource& source, const ImportOptions& options) const = 0;
};

/// Every importer, in the order of the table.
const std::vector<const Importer*>& importers();
/// Throws medley::Error naming the known formats.
const Importer& find_importer(std::string_view name);

}  // namespace medley::io
