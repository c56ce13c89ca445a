#pragma once
/// Sia's (SOSP 2023) and Pollux's (OSDI 2021) application profiles: a folder for each application, CSV files by GPU type.

#include <string>
#include <string_view>

#include "io/profile_formats/profile_collection.h"

namespace medley::io {

/// `placements-TYPE.csv` (`local_bsz,step_time,sync_time,placement`) and `scalability-TYPE.csv` (`num_nodes,num_replicas` in place of
/// `placement`). A step without its synchronisation is a virtual node's time: one replica gives a point of step_time - sync_time
/// seconds; every row gives the rate of its replicas, synchronisation included, at a global batch of replicas x local_bsz. Of placements of
/// equally many replicas the one on the fewest nodes is kept. Rows whose synchronisation is not shorter than the step are dropped.
void add_sia_rows(std::string_view text, const std::string& file, const MeasuredOn& on, ProfileCollection& collection);

/// The row of the table: the folder of all applications, or one application's. GPU types are the files' suffixes (`aws`, `dgx-ext`).
/// `validation-*.csv` (gradient statistics) and `gpt_pmp` (pipeline stages) are dropped row by row.
const ProfileFormat& sia_profiles();

}  // namespace medley::io
