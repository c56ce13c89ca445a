#pragma once
/// Cluster files, written.

#include <string>

#include "core/cluster.h"

namespace medley::io {

/// YAML that parse_cluster reads back as the same cluster. `source` says where the figures come from; empty = nothing.
std::string format_cluster(const Cluster& cluster, const std::string& source = "");

}  // namespace medley::io
