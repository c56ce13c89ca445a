#pragma once
/// The best plan under the rule "power-of-two": one per-GPU batch for each type, any number of types and of their GPUs.
///
/// T is one of the times of the allowed batches, of which there are a few dozen. They are tried in the order of their cover bound, each
/// with a few thousand steps of depth-first search; where that does not settle one, best-first search over intervals of T takes over, with
/// exact bounds by dynamic programming.

#include "planner/virtual_nodes/problem.h"

namespace medley::planner {

/// The best choice with a value of at most `limit`, batches included; ties: smaller T, fewer GPUs, then types in order. Cost: up to
/// 1e4 steps for two types of a dozen GPUs; with exact bounds O(log T x types x batches x global batch) as a rule.
Solution search_uniform(const Problem& problem, double limit = kNoValue);

}  // namespace medley::planner
