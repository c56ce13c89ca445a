#pragma once
/// COIN-OR CLP behind the solver seam (its headers stay in clp_solver.cc).

#include <memory>

#include "planner/solvers/lp_solver.h"

namespace medley::planner {

/// Dual simplex from a cold start, primal simplex from a warm one. Never its barrier, which takes seconds on programs with one dense
/// column such as max-min fairness.
std::unique_ptr<LpSolver> make_clp_solver();

}  // namespace medley::planner
