#pragma once
/// What the name of a published availability file says of the instances in it.

#include <string_view>

#include "io/importers/capacity_timeline.h"
#include "io/importers/importer.h"

namespace medley::io {

/// By AWS's family names, one GPU an instance: g4dn T4, p2 K80, p3 V100. `otherwise` for any other name.
CapacityGroup group_by_family(std::string_view file, std::string_view otherwise);

/// The group's name in cluster and rows: the file's, without folders and endings.
Name group_name(std::string_view file);

/// An import of capacity alone, of one group. Throws medley::Error without a file name if nothing was ever there.
Import capacity_import(const CapacityTimeline& timeline, const std::map<Name, CapacityGroup>& groups, const std::string& cluster_name,
                       ImportReport report);

}  // namespace medley::io
