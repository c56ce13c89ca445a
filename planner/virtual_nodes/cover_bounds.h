#pragma once
/// Lower bounds on the value of counts that are decided for some types and open for the rest.
///
/// Types stand in the order of their capacity for their weight. Weight: the fractional (Dantzig) cover of what is left. GPUs: the fewest
/// that can cover it. Both hold for any way to reach the batch, exact or not.

#include <cstdint>
#include <span>
#include <vector>

#include "planner/virtual_nodes/problem.h"

namespace medley::planner {

class CoverBounds {
 public:
    struct Item {
        std::size_t type;
        std::int64_t capacity;  ///< of one GPU, in units, above 0
        double weight;
        int most;
    };
    /// What is decided so far.
    struct Partial {
        std::int64_t left;  ///< units not yet covered; may be negative
        int gpus = 0;
        double weight = 0;
    };

    /// `largest`: the most units of one GPU, by type. `threshold` is the T that counts in the value.
    CoverBounds(const Problem& problem, const Region& region, double threshold, std::span<const std::int64_t> largest);

    std::size_t size() const { return items_.size(); }
    const Item& item(std::size_t depth) const { return items_[depth]; }
    /// Units that the types from this depth on can take.
    std::int64_t capacity_from(std::size_t depth) const { return capacity_from_[depth]; }
    /// With fewer of the next type, does the bound never fall?
    bool grows_with_fewer() const { return constant_ || !problem_.weighted; }

    /// No completion by types from `depth` on has a smaller value. Requires enough capacity there.
    double value(std::size_t depth, const Partial& partial) const;
    /// Nor uses fewer GPUs.
    int fewest_gpus(std::size_t depth, const Partial& partial) const;
    /// Of a finished choice.
    double value_of(const Partial& partial) const { return problem_.value(region_, threshold_, partial.gpus, partial.weight); }

 private:
    double least_weight(std::size_t depth, const Partial& partial) const;

    const Problem& problem_;
    const Region& region_;
    double threshold_;
    bool constant_;
    std::vector<Item> items_;
    std::vector<std::int64_t> capacity_from_;
    std::vector<std::int64_t> largest_from_;  ///< of one GPU
};

}  // namespace medley::planner
