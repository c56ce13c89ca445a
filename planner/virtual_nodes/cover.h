#pragma once
/// Which GPUs to use, given the most that one GPU of each type can take: the counts of least value whose capacity covers the batch.
///
/// Depth-first branch and bound over counts by type, best capacity for the weight first, pruned by `CoverBounds`. With a test it
/// accepts only counts that reach the batch exactly.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "planner/virtual_nodes/cover_bounds.h"
#include "planner/virtual_nodes/problem.h"

namespace medley::planner {

/// Do these counts (by type) reach the batch exactly?
using CountsTest = std::function<Verdict(std::span<const int>)>;

struct CoverLimits {
    std::int64_t nodes = 100'000;
    std::int64_t tests = 1'000;
};

struct CoverResult {
    double value = kNoValue;
    int gpus = 0;
    std::vector<int> counts;  ///< by type of the problem; empty = none found
    bool complete = true;     ///< false: stopped at a limit, there may be better ones
    double bound = kNoValue;  ///< no counts are better; equals `value` if complete
};

class Cover {
 public:
    /// `largest`: the most units of one GPU, by type. `threshold` is the T that counts in the value.
    Cover(const Problem& problem, const Region& region, double threshold, std::span<const std::int64_t> largest)
        : problem_(problem), bounds_(problem, region, threshold, largest) {}

    /// The least value below `limit` of counts that cover the batch.
    CoverResult least(double limit, CoverLimits limits) { return run(nullptr, limit, limits); }
    /// The least value of at most `limit`, then the fewest GPUs, of counts that pass the test.
    CoverResult least_exact(const CountsTest& test, double limit, CoverLimits limits) { return run(&test, limit, limits); }

 private:
    struct Partial : CoverBounds::Partial {
        std::int64_t floor = 0;  ///< the least that the GPUs chosen so far can take together
    };

    CoverResult run(const CountsTest* test, double limit, CoverLimits limits);
    void descend(std::size_t depth, const Partial& partial);
    void try_fewer(std::size_t depth, const Partial& partial, int from);
    void try_more(std::size_t depth, const Partial& partial, int from);
    Partial with(std::size_t depth, const Partial& partial, int count) const;
    void enter(std::size_t depth, const Partial& next, int count);
    void consider(const Partial& partial);
    bool promising(std::size_t depth, const Partial& partial) const;

    const Problem& problem_;
    CoverBounds bounds_;
    const CountsTest* test_ = nullptr;
    bool unknown_ = false;  ///< some counts could not be decided
    CoverLimits left_;
    std::vector<int> counts_;
    CoverResult best_;
};

}  // namespace medley::planner
