#pragma once
/// JABAS's profiles (EuroSys 2025): JSON files below one folder.

#include <string>
#include <string_view>

#include "io/profile_formats/profile_collection.h"

namespace medley::io {

/// One `..._comp_profile.json`: times (ms) of a step with `num_models` concurrent workers of local batch `lbs` on one GPU. One worker
/// gives a point of fwd_time + bwd_time, and its update_time. Several share the GPU as concurrent streams, which virtual nodes do not:
/// dropped.
void add_jabas_step(std::string_view text, const std::string& file, ProfileCollection& collection);
/// One `..._bucket_size_profile.json`: sizes (MiB) of the gradient's buckets, which add up to `gradient_bytes`.
void add_jabas_buckets(std::string_view text, const std::string& file, ProfileCollection& collection);

/// The row of the table: a folder with such files anywhere below. Numbers of workers that fit (`max_memory_profile_info.json`, no bytes)
/// and communication times (`..._comm_profile_data.txt`, whose meaning the source does not state) are dropped row by row.
const ProfileFormat& jabas_profiles();

}  // namespace medley::io
