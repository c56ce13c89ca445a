#pragma once
/// The exchange of blobs among processes of one machine, through files of a folder.

#include <chrono>
#include <filesystem>

#include "executor/collectives/collective.h"

namespace medley::test {

/// Each round of exchanges writes one file per rank and waits until all are there; empty if that takes too long.
executor::ExchangeBlobs exchange_through(const std::filesystem::path& folder, int rank, int size,
                                         std::chrono::milliseconds deadline = std::chrono::seconds(60));

}  // namespace medley::test
