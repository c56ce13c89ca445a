#pragma once
/// The seam for public trace formats: one file each, one row in the table of table.cc.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/job.h"
#include "core/name.h"

namespace medley::io {

/// A model that jobs of a trace without models may be given.
struct ModelChoice {
    Name model;
    std::int64_t batch_size = 0;  ///< 0 = not stated
};

/// "resnet50=256,bert-base-sst2": names with an optional global batch, commas between. Throws medley::Error.
std::vector<ModelChoice> parse_model_choices(std::string_view text);

/// Models are assigned job by job: uniformly among `models`, by a stream of random numbers that depends on the seed and the job's id
/// alone, so that neither the order of rows nor a dropped row changes another job's model. Durations stay as recorded: the recorded
/// GPUs give back the recorded run time whatever the model.
struct ImportOptions {
    std::uint64_t seed = 0;
    std::vector<ModelChoice> models;  ///< empty: jobs are given no model
    Name reference_gpu_type;          ///< the type the durations are taken to be measured on; empty = not stated
};

/// Nothing is dropped or changed in silence.
struct ImportReport {
    std::size_t rows = 0;                        ///< read from the source
    std::map<std::string, std::size_t> dropped;  ///< rows left out, by reason
    std::map<std::string, std::size_t> changed;  ///< rows altered, by reason
    std::string duration_meaning;                ///< what `duration_s` is in this source
};

struct Import {
    Trace trace;  ///< ordered and validated
    ImportReport report;
};

class Importer {
 public:
    virtual ~Importer() = default;
    virtual std::string_view name() const = 0;
    virtual std::string_view description() const = 0;  ///< one line
    /// Throws medley::Error naming file, line and column for a source that is not of this format. Thread rule: const calls may run in
    /// parallel.
    virtual Import import(const std::filesystem::path& source, const ImportOptions& options) const = 0;
};

/// Every importer, in the order of the table.
const std::vector<const Importer*>& importers();
/// Throws medley::Error naming the known formats.
const Importer& find_importer(std::string_view name);

}  // namespace medley::io
