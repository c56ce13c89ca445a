#pragma once
/// The rule power-of-two at one threshold, in one region: which batch and how many GPUs of each type.
///
/// Depth-first over (batch, GPUs) by type, pruned by `CoverBounds`, by what the types left can take and by their common divisor; with
/// `UniformCompletions` also by what it takes exactly to finish, which leaves next to nothing to try.

#include <cstdint>
#include <memory>
#include <vector>

#include "planner/virtual_nodes/cover_bounds.h"
#include "planner/virtual_nodes/uniform_completions.h"

namespace medley::planner {

class UniformCover {
 public:
    UniformCover(const Problem& problem, const Region& region, double threshold);

    /// Below every choice, by cover alone; kNoValue if the batch cannot be covered.
    double bound() const;
    /// From now on prunes by exact completions; the return value is a bound on the value of every choice whose time counts as
    /// `threshold`, kNoValue if there is none. Cost: see UniformCompletions.
    double complete_exactly();
    /// The value with this T, the completions' least weight and fewest GPUs. Requires `complete_exactly`.
    double bound_at(double threshold) const;

    /// The least value of at most `limit`, then the fewest GPUs. Returns false if it stopped after `steps` tries.
    bool search(double limit, std::int64_t steps);

    bool found() const { return !best_.empty(); }
    double value() const { return value_; }
    /// Writes counts and batches. Requires found().
    void write(Solution& solution) const;

 private:
    using Partial = CoverBounds::Partial;
    struct Choice {
        std::int64_t batch = 0;
        int gpus = 0;
    };

    bool missing_type() const { return problem_.every_type && bounds_.size() < problem_.types.size(); }
    void descend(std::size_t depth, const Partial& partial);
    void try_last(std::size_t depth, const Partial& partial, std::int64_t batch);
    void try_counts(std::size_t depth, const Partial& partial, std::int64_t batch);
    void try_choice(std::size_t depth, const Partial& partial, Choice choice);
    bool promising(std::size_t depth, const Partial& partial) const;
    void keep(const Partial& partial);

    const Problem& problem_;
    const Region& region_;
    double threshold_;
    CoverBounds bounds_;
    std::vector<UniformItem> items_;          ///< in the order of the bounds; batches descending
    std::vector<std::int64_t> divisor_from_;  ///< of all batches from this depth on
    std::unique_ptr<UniformCompletions> completions_;
    std::int64_t steps_left_ = 0;
    std::vector<Choice> chosen_;
    double value_ = kNoValue;
    int gpus_ = 0;
    std::vector<Choice> best_;
};

}  // namespace medley::planner
