#pragma once
/// Changes of a cluster for `medley compare --what-if`: "+8 H100", "-4 K80", or several with commas between.

#include <string>

#include "core/cluster.h"

namespace medley::cli {

/// The cluster with GPUs added or taken away. New GPUs stand in nodes as large as the type's largest, after all others; a type that the
/// cluster lacks is taken from the catalogue and stands in one node. GPUs go from the last nodes of their type first. An empty change
/// changes nothing. Throws medley::Error for another shape, an unknown type, or more GPUs taken than there are.
Cluster with_change(Cluster cluster, const std::string& change);

}  // namespace medley::cli
