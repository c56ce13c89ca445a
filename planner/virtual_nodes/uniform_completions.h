#pragma once
/// Exact lower bounds for the rule power-of-two: what it takes at least to reach the rest of a batch exactly with the types left.
///
/// Backward over the types, for every rest x: least(d, x) = min over batches b and GPUs n of type d of least(d + 1, x - n b) + n w, a
/// minimum over a window of n up to the GPUs offered, kept in a queue for each residue of x modulo b. Cost: O(types x batches x batch).

#include <cstdint>
#include <limits>
#include <vector>

namespace medley::planner {

/// One type: the batches its GPUs may take, how many GPUs, and what each weighs.
struct UniformItem {
    std::vector<std::int64_t> batches;
    int most = 0;
    double weight = 1;
};

class UniformCompletions {
 public:
    static constexpr double kNone = std::numeric_limits<double>::infinity();

    /// `every_type`: at least one GPU of each.
    UniformCompletions(const std::vector<UniformItem>& items, std::int64_t batch, bool every_type);

    /// Least weight (and fewest GPUs, each on its own) with types from `depth` on; kNone if they cannot reach it.
    double least_weight(std::size_t depth, std::int64_t rest) const { return weight_[depth][static_cast<std::size_t>(rest)]; }
    double fewest_gpus(std::size_t depth, std::int64_t rest) const { return gpus_[depth][static_cast<std::size_t>(rest)]; }

 private:
    std::vector<std::vector<double>> weight_;
    std::vector<std::vector<double>> gpus_;
};

}  // namespace medley::planner
