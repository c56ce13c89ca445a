#pragma once
/// Availability files (CSV `time_s,gpu_type_or_node,delta`): capacity that comes and goes.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/cluster.h"
#include "core/ids.h"
#include "core/name.h"
#include "core/units.h"

namespace medley::io {

/// `delta` GPUs of one type come (+) or go (-).
struct CapacityStep {
    SimTime time;
    GpuTypeId type;
    int delta = 0;
};

/// A row of the file: `delta` GPUs of a type, or nodes of a named group, come (+) or go (-).
struct CapacityRow {
    SimTime time;
    Name target;
    std::int64_t delta = 0;
};

/// Reads the steps of one cluster, ordered by time and type, with equal moments of one type added up. A row that names a GPU type
/// counts GPUs; one that names a group of nodes counts whole nodes (a name that is both is the type). Throws medley::Error naming
/// file, line, value and expectation, also where a type's capacity would fall below 0.
std::vector<CapacityStep> load_availability(const std::filesystem::path& path, const Cluster& cluster);
std::vector<CapacityStep> parse_availability(std::string_view text, const std::string& file, const Cluster& cluster);

/// The file's text. Requires times of at least 0.
std::string format_availability(const std::vector<CapacityRow>& rows);

}  // namespace medley::io
