#pragma once
/// At one threshold T: can given numbers of GPUs reach the batch exactly, and with which batch each?
///
/// A GPU of type i can take R_i = {b > 0 : c_i(b) <= T}, at most m_i. Counts n reach B iff the surplus D = sum n_i m_i - B is a sum of
/// n_i deficits m_i - b, b in R_i, of each type: a question about sets of integers up to D only, and D is small wherever
/// the counts are tight.

#include <cstdint>
#include <span>
#include <vector>

#include "planner/virtual_nodes/integer_set.h"
#include "planner/virtual_nodes/problem.h"

namespace medley::planner {

class ExactSum {
 public:
    /// Requires tables that cover the threshold.
    ExactSum(const Problem& problem, double threshold);

    /// m_i, by type; 0 where a type can take nothing.
    std::span<const std::int64_t> largest() const { return largest_; }

    /// Exactly these counts, each GPU with a batch above 0. O(types x log counts) sums of sets up to D.
    bool reachable(std::span<const int> counts) const;
    /// At most these counts.
    bool reachable_within(std::span<const int> most) const;
    /// What the sums of sets would cost, roughly, in steps.
    double work(std::span<const int> counts) const;

    /// A batch for each GPU, by type, descending. Types that come first keep the largest batch as far as possible, and within a type the
    /// batches are equal if they can be, else few differ. Requires reachable(counts).
    std::vector<std::vector<std::int64_t>> batches(std::span<const int> counts) const;
    /// Counts (of at most `most`) that reach the batch. Requires reachable_within(most).
    std::vector<int> counts_within(std::span<const int> most) const;

 private:
    struct Term {
        std::size_t type;
        int count;
        IntegerSet deficits;
    };
    std::int64_t surplus(std::span<const int> counts) const;
    std::vector<Term> terms(std::span<const int> counts, std::int64_t surplus, bool idle_allowed) const;
    static std::vector<std::int64_t> shares(const std::vector<Term>& terms, std::int64_t surplus);
    bool divides(std::span<const int> counts) const;
    static bool few_sum_to(const std::vector<Term>& terms, std::int64_t surplus);
    static bool sums_to(const std::vector<Term>& terms, std::int64_t surplus);

    const Problem& problem_;
    double threshold_;
    std::vector<std::int64_t> largest_;
};

}  // namespace medley::planner
