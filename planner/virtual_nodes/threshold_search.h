#pragma once
/// The best plan under the rule "any": best-first branch and bound over the threshold T.
///
/// T is one of the times c_i(b). An interval of such times is bounded from below by its least time together with the cheapest counts
/// that cover the batch at its greatest time, in each region of the communication; a single time is settled by counts that reach
/// the batch exactly. The README of this folder proves that the answer is optimal whenever `bound` equals `value`.

#include "planner/virtual_nodes/problem.h"

namespace medley::planner {

/// The best choice of counts with a value of at most `limit`; ties: smaller T, fewer GPUs, then types in order. Batches are left
/// empty (see `assign_batches`). Nothing found and `bound` = kNoValue: there is none. Cost: a few dozen covers as a rule, one for
/// each possible time at worst.
Solution search_thresholds(const Problem& problem, double limit = kNoValue);

/// Fills in the batch of each GPU of a solution that was found, where sizes are free.
void assign_batches(const Problem& problem, Solution& solution);

/// Can the batch be composed at all, of sizes of any usable type?
bool composable(const Problem& problem);

}  // namespace medley::planner
