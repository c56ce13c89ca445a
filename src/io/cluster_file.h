#pragma once
/// Cluster files (YAML): GPU types, nodes, levels of the network. The fields stand in docs/formats.md.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/cluster.h"

namespace medley::io {

/// Reads and validates a cluster. Throws medley::Error naming file, line and path inside it, value and expectation.
Cluster load_cluster(const std::filesystem::path& path);
Cluster parse_cluster(std::string_view text, const std::string& file);

/// A catalogue: a file with `gpu_types:` (and an optional `source:`) alone, each type with the fields it has in a cluster file.
std::vector<GpuType> load_gpu_types(const std::filesystem::path& path);
std::vector<GpuType> parse_gpu_types(std::string_view text, const std::string& file);

}  // namespace medley::io
