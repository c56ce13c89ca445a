#pragma once
/// How the cluster commands show a cluster.

#include <string>

#include "cli/command.h"
#include "core/cluster.h"
#include "io/results/json_writer.h"

namespace medley::cli {

/// A row for each GPU type.
std::string cluster_table(const Cluster& cluster);
/// The fields `name`, `gpus`, `gpu_types` and `network_levels` of the object that is open.
void add_cluster_fields(io::JsonWriter& json, const Cluster& cluster);

/// Fills figures that the cluster's types lack from the catalogue's types of the same name.
void add_catalogue_figures(Cluster& cluster);

}  // namespace medley::cli
