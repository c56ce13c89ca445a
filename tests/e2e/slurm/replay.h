#pragma once
/// An operator's afternoon: what Slurm printed into a folder, imported, replayed under slurm-multifactor, compared with what happened.

#include <string>

#include <nlohmann/json.hpp>

#include "tests/e2e/cli/program.h"

namespace medley::test {

/// Slurm's outputs of a folder that `cluster import` reads, and its accounting beside them.
Arguments site_files(const std::string& folder);

struct Replay {
    nlohmann::json import;      ///< of `trace import --json`
    nlohmann::json comparison;  ///< of `compare --recorded --json`
    std::string table;          ///< the same for people
};

/// Writes its files to `work`. Every command must succeed. Errors of at most `within` seconds count as small.
Replay replay(const std::string& recorded, const TemporaryFolder& work, const std::string& within);

}  // namespace medley::test
