#pragma once
/// The one table of linear programming solvers.

#include <memory>
#include <span>
#include <string_view>

#include "planner/solvers/lp_solver.h"

namespace medley::planner {

struct LpSolverInfo {
    std::string_view name;
    std::string_view description;
    std::unique_ptr<LpSolver> (*make)();
};

/// Every solver of this build; the first is the default.
std::span<const LpSolverInfo> known_lp_solvers();

/// The default solver.
std::unique_ptr<LpSolver> make_lp_solver();

}  // namespace medley::planner
