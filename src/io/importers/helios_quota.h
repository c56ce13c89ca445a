#pragma once
/// Reads Helios's daily quota, for the two importers that do.

#include "io/byte_source.h"
#include "io/civil_time.h"
#include "io/importers/capacity_timeline.h"

namespace medley::io {

struct HeliosQuota {
    Cluster cluster;                ///< as large as each virtual cluster ever was
    std::vector<CapacityRow> rows;  ///< times since 1970
    std::size_t days = 0;
};

/// Throws medley::Error without a file name for what is no such table.
HeliosQuota read_helios_quota(ByteSource& source, const ZoneRule& zone);

}  // namespace medley::io
