#pragma once
/// The best places for a given list of virtual nodes of several sizes.
///
/// Free choice among the list's sizes gives a lower bound on the value and the counts to aim at; greedy packing on those counts mostly
/// meets it. Where it does not, thresholds are searched as for free sizes, with packing as the test of counts. Packing is hard
/// in general (it contains bin packing): the search has a budget, and `bound` says what is left open.

#include "planner/virtual_nodes/problem.h"

namespace medley::planner {

/// Loads included. Requires a problem with a list that every class of some usable type can run.
Solution search_list(const Problem& problem, double limit = kNoValue);

}  // namespace medley::planner
