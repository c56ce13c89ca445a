#pragma once
/// Gavel's traces and measured throughputs, read from the shared data folder where a checkout has one beside it.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "core/cluster.h"
#include "core/job.h"
#include "core/job_speed.h"

namespace medley::test {

/// MEDLEY_SHARED_DATA, else ../shared/data beside the sources; empty if there is no gavel/ in it.
std::optional<std::filesystem::path> gavel_data();

/// Ten tab-separated columns: type, ..., total steps (6th), gang (7th), weight (8th), ..., arrival (10th).
Trace read_gavel_trace(const std::filesystem::path& file);

/// Steps a second of a whole gang, summed over its workers, as measured; 0 where it does not fit or was not measured.
class GavelThroughputs : public CostModel {
 public:
    /// A table with the columns job type, scale factor, and one for each worker type.
    GavelThroughputs(const std::filesystem::path& table, const Cluster& cluster);

    JobSpeed speed(const Job& job, GpuTypeId type, int gpus) const override;
    JobSpeed speed(const Job&, const Plan&) const override { return {}; }
    const Profile* profile(Name) const override { return nullptr; }

 private:
    std::map<std::tuple<std::string, int, std::size_t>, double> steps_per_s_;
};

}  // namespace medley::test
