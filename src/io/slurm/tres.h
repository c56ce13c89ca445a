#pragma once
/// Slurm's trackable resources: what a job asked for and got (`billing=8,cpu=8,gres/gpu:a100=1,gres/gpu=1,mem=64G,node=1`), what a node has
/// (`gpu:a100:4(S:0-1)`), and weights or limits written the same way (`gres/gpu=8`).

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/name.h"

namespace medley::io::slurm {

/// Entry by entry, `key=value`; entries without a value are skipped.
class TresReader {
 public:
    explicit TresReader(std::string_view text) : rest_(text) {}
    /// False at the end.
    bool next();
    std::string_view key() const { return key_; }
    std::string_view value() const { return value_; }

 private:
    std::string_view rest_, key_, value_;
};

/// The GPUs of a job's TRES. Slurm may write the typed and the untyped figure at once: the untyped is the total, else the sum of the typed.
struct TresGpus {
    std::optional<std::int64_t> total;  ///< none = the text says nothing of GPUs (they may not be accounted)
    std::string_view type;              ///< the one type named, inside the text; empty if none or several
    bool several_types = false;
};

TresGpus tres_gpus(std::string_view tres);

/// The figure of one key (`cpu`, `node`, `gres/gpu`); none if it is absent or no whole number.
std::optional<std::int64_t> tres_count(std::string_view tres, std::string_view key);

/// GPUs of one type in a node. An empty type = Slurm was told none.
struct NodeGpus {
    Name type;
    int count = 0;
    bool operator==(const NodeGpus&) const = default;
};

/// From `Gres=` of a node: `gpu:a100:4(S:0-1),gpu:4,mps:400`, also `gpu:a100:no_consume:4`. What is no GPU is passed over. Ascending by
/// type. Throws medley::Error (found, expected) for GPUs without a count.
std::vector<NodeGpus> node_gpus(std::string_view gres);

}  // namespace medley::io::slurm
