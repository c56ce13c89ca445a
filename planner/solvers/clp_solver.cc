#include "planner/solvers/clp_solver.h"

#include <algorithm>

#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>

namespace medley::planner {
namespace {

double clp_bound(double bound) { return std::clamp(bound, -COIN_DBL_MAX, COIN_DBL_MAX); }

ClpSimplex::Status to_clp(LpPosition position) {
    switch (position) {
        case LpPosition::kBasic: return ClpSimplex::basic;
        case LpPosition::kAtLow: return ClpSimplex::atLowerBound;
        case LpPosition::kAtHigh: return ClpSimplex::atUpperBound;
        case LpPosition::kFree: return ClpSimplex::isFree;
    }
    return ClpSimplex::isFree;
}

LpPosition from_clp(ClpSimplex::Status status, double low) {
    switch (status) {
        case ClpSimplex::basic: return LpPosition::kBasic;
        case ClpSimplex::atUpperBound: return LpPosition::kAtHigh;
        case ClpSimplex::atLowerBound: return LpPosition::kAtLow;
        case ClpSimplex::isFixed: return low > -COIN_DBL_MAX ? LpPosition::kAtLow : LpPosition::kAtHigh;
        case ClpSimplex::isFree:
        case ClpSimplex::superBasic: return LpPosition::kFree;
    }
    return LpPosition::kFree;
}

void load(ClpSimplex& clp, const LinearProgram& program) {
    const auto entries = program.entries.size();
    std::vector<int> row(entries), column(entries);
    std::vector<double> coefficient(entries);
    for (std::size_t index = 0; index < entries; ++index) {
        row[index] = program.entries[index].row;
        column[index] = program.entries[index].column;
        coefficient[index] = program.entries[index].coefficient;
    }
    CoinPackedMatrix matrix(true, row.data(), column.data(), coefficient.data(), static_cast<CoinBigIndex>(entries));
    matrix.setDimensions(static_cast<int>(program.rows.size()), static_cast<int>(program.columns.size()));
    std::vector<double> low, high, objective, row_low, row_high;
    for (const LpColumn& each : program.columns) {
        low.push_back(clp_bound(each.low));
        high.push_back(clp_bound(each.high));
        objective.push_back(each.objective);
    }
    for (const LpRow& each : program.rows) {
        row_low.push_back(clp_bound(each.low));
        row_high.push_back(clp_bound(each.high));
    }
    clp.loadProblem(matrix, low.data(), high.data(), objective.data(), row_low.data(), row_high.data());
    clp.setOptimizationDirection(program.sense == Sense::kMaximize ? -1 : 1);
}

bool fits(const LpBasis& basis, const LinearProgram& program) {
    return basis.columns.size() == program.columns.size() && basis.rows.size() == program.rows.size();
}

void set_basis(ClpSimplex& clp, const LpBasis& basis) {
    clp.createStatus();
    for (std::size_t index = 0; index < basis.columns.size(); ++index) {
        clp.setColumnStatus(static_cast<int>(index), to_clp(basis.columns[index]));
    }
    for (std::size_t index = 0; index < basis.rows.size(); ++index) {
        clp.setRowStatus(static_cast<int>(index), to_clp(basis.rows[index]));
    }
}

LpBasis basis_of(const ClpSimplex& clp) {
    LpBasis basis;
    for (int index = 0; index < clp.numberColumns(); ++index) {
        basis.columns.push_back(from_clp(clp.getColumnStatus(index), clp.columnLower()[index]));
    }
    for (int index = 0; index < clp.numberRows(); ++index) {
        basis.rows.push_back(from_clp(clp.getRowStatus(index), clp.rowLower()[index]));
    }
    return basis;
}

// CLP's own have been seen with the wrong sign on small programs that it maximises (contract suite, random programs).
std::vector<double> reduced_costs(const LinearProgram& program, const std::vector<double>& duals) {
    std::vector<double> costs;
    costs.reserve(program.columns.size());
    for (const LpColumn& column : program.columns) { costs.push_back(column.objective); }
    for (const LpEntry& entry : program.entries) { costs[entry.column] -= entry.coefficient * duals[entry.row]; }
    return costs;
}

LpSolution optimum_of(const ClpSimplex& clp, const LinearProgram& program) {
    LpSolution solution{.status = LpStatus::kOptimal, .objective = clp.objectiveValue(), .iterations = clp.numberIterations()};
    solution.primal.assign(clp.primalColumnSolution(), clp.primalColumnSolution() + clp.numberColumns());
    solution.activity.assign(clp.primalRowSolution(), clp.primalRowSolution() + clp.numberRows());
    solution.duals.assign(clp.dualRowSolution(), clp.dualRowSolution() + clp.numberRows());
    solution.reduced_costs = reduced_costs(program, solution.duals);
    solution.basis = basis_of(clp);
    return solution;
}

// CLP's own word on programs without optimum depends on where it started from (and on a program that is infeasible in primal and dual
// it says either). Whether anything is feasible, a run without objective tells: that one always has an optimum or is infeasible.
LpStatus infeasible_or_unbounded(const LinearProgram& program) {
    LinearProgram without_objective = program;
    for (LpColumn& column : without_objective.columns) { column.objective = 0; }
    ClpSimplex clp;
    clp.setLogLevel(0);
    load(clp, without_objective);
    clp.dual();
    return clp.isProvenOptimal() ? LpStatus::kUnbounded : LpStatus::kInfeasible;
}

bool has_no_optimum(const ClpSimplex& clp) {
    constexpr int kSolvedWithoutSimplex = 6;  // secondary status of programs whose rows say nothing; infeasible both ways is status 4
    return clp.isProvenPrimalInfeasible() || clp.isProvenDualInfeasible() || clp.secondaryStatus() == kSolvedWithoutSimplex;
}

bool has_settled(const ClpSimplex& clp) { return clp.isProvenOptimal() || has_no_optimum(clp) || clp.isIterationLimitReached(); }

class ClpSolver final : public LpSolver {
 public:
    std::string_view name() const override { return "clp"; }

    LpSolution solve(const LinearProgram& program, const LpOptions& options) override {
        program.validate();
        ClpSimplex clp;
        clp.setLogLevel(0);
        load(clp, program);
        if (options.max_iterations) { clp.setMaximumIterations(*options.max_iterations); }
        const bool warm = options.start != nullptr && fits(*options.start, program);
        if (warm) {
            set_basis(clp, *options.start);
            clp.primal();
        }
        if (!warm || !has_settled(clp)) {
            clp.allSlackBasis(true);
            clp.dual();
        }
        if (clp.isProvenOptimal()) { return optimum_of(clp, program); }
        return {.status = has_no_optimum(clp) ? infeasible_or_unbounded(program) : LpStatus::kLimit, .iterations = clp.numberIterations()};
    }
};

}  // namespace

std::unique_ptr<LpSolver> make_clp_solver() { return std::make_unique<ClpSolver>(); }

}  // namespace medley::planner
