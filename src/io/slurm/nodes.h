#pragma once
/// Nodes as `scontrol show nodes` or `sinfo` list them.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/slurm/files.h"
#include "io/slurm/tres.h"

namespace medley::io::slurm {

struct Node {
    std::string name;
    std::vector<NodeGpus> gpus;
    std::string state;       ///< as printed: `IDLE+DRAIN`, `mix-`; empty = not stated
    std::string partitions;  ///< with commas, ordered; empty = not stated
    std::int64_t cpus = 0;   ///< 0 = not stated
    std::int64_t weight = 1;
};

/// In the order of the output, each once. Throws medley::Error naming file, line and key.
std::vector<Node> read_nodes(const SiteFiles& files);

/// Can jobs run there, now or when their turn comes? Not where a part of the state, whatever its marks (`down*`, `idle~`), is down,
/// drained or draining, failed or failing, future, unknown, invalid, or in error.
bool is_available(std::string_view state);

}  // namespace medley::io::slurm
