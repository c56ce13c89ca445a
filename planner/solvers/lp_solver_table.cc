#include "planner/solvers/lp_solver_table.h"

#include <array>

#include "planner/solvers/clp_solver.h"

namespace medley::planner {
namespace {

constexpr std::array kSolvers{
    LpSolverInfo{.name = "clp", .description = "COIN-OR CLP, dual and primal simplex", .make = make_clp_solver},
};

}  // namespace

std::span<const LpSolverInfo> known_lp_solvers() { return kSolvers; }

std::unique_ptr<LpSolver> make_lp_solver() { return kSolvers.front().make(); }

}  // namespace medley::planner
