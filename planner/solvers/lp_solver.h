#pragma once
/// The seam for linear programming: one file per solver, one row in the table (lp_solver_table.h), one contract suite for all.

#include <optional>
#include <string_view>
#include <vector>

#include "planner/solvers/linear_program.h"

namespace medley::planner {

enum class LpStatus {
    kOptimal,
    kInfeasible,
    kUnbounded,
    kLimit,  ///< stopped by a limit before any of the others was proved
};

enum class LpPosition { kBasic, kAtLow, kAtHigh, kFree };

/// Which columns and rows are basic; what a later, similar solve can start from.
struct LpBasis {
    std::vector<LpPosition> columns;
    std::vector<LpPosition> rows;
};

struct LpOptions {
    std::optional<int> max_iterations;
    const LpBasis* start = nullptr;  ///< warm start; ignored unless its sizes are those of the program
};

/// With kOptimal all fields are filled; with any other status only `status` means something.
/// A dual is the change of the objective per unit by which the row's active bound is raised; a reduced cost the same for a
/// column's bound. So, in both senses, objective = sum of dual x active row bound + sum of reduced cost x active column bound.
struct LpSolution {
    LpStatus status = LpStatus::kLimit;
    double objective = 0;
    std::vector<double> primal;         ///< by column
    std::vector<double> activity;       ///< by row
    std::vector<double> duals;          ///< by row
    std::vector<double> reduced_costs;  ///< by column
    LpBasis basis;
    int iterations = 0;
};

class LpSolver {
 public:
    virtual ~LpSolver() = default;
    virtual std::string_view name() const = 0;
    /// Solves to a vertex (a basic solution, hence sparse). Primal and dual feasible within 1e-7 of the program's scale. Same program and
    /// options, same answer. Requires a program that `validate` accepts. Thread rule: one thread per solver object.
    virtual LpSolution solve(const LinearProgram& program, const LpOptions& options) = 0;
    LpSolution solve(const LinearProgram& program) { return solve(program, {}); }
};

}  // namespace medley::planner
