#include <array>
#include <cmath>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "core/rng.h"
#include "lp_vertex_enumeration.h"
#include "planner/solvers/lp_solver_table.h"

namespace medley::planner {

void PrintTo(const LpSolverInfo& solver, std::ostream* out) { *out << solver.name; }

namespace {

class LpSolverContract : public testing::TestWithParam<LpSolverInfo> {
 protected:
    std::unique_ptr<LpSolver> solver_ = GetParam().make();
};

INSTANTIATE_TEST_SUITE_P(All, LpSolverContract, testing::ValuesIn(known_lp_solvers().begin(), known_lp_solvers().end()),
                         [](const auto& test) { return std::string(test.param.name); });

// max 3x + 5y; x <= 4; 2y <= 12; 3x + 2y <= 18 has its optimum 36 at (2, 6), duals (0, 3/2, 1).
LinearProgram two_products() {
    LinearProgram program;
    program.add_column({.objective = 3});
    program.add_column({.objective = 5});
    program.add_row({.high = 4}, std::array{LpTerm{0, 1}});
    program.add_row({.high = 12}, std::array{LpTerm{1, 2}});
    program.add_row({.high = 18}, std::array{LpTerm{0, 3}, LpTerm{1, 2}});
    return program;
}

LinearProgram random_program(Rng& rng) {
    LinearProgram program{.sense = rng.chance(0.5) ? Sense::kMaximize : Sense::kMinimize};
    const auto columns = rng.between(1, 4);
    for (std::int64_t column = 0; column < columns; ++column) {
        const double low = static_cast<double>(rng.between(-3, 2));
        program.add_column(
            {.objective = static_cast<double>(rng.between(-5, 5)), .low = low, .high = low + static_cast<double>(rng.between(0, 6))});
    }
    const auto rows = rng.between(0, 4);
    for (std::int64_t row = 0; row < rows; ++row) {
        std::vector<LpTerm> terms;
        for (int column = 0; column < columns; ++column) {
            if (rng.chance(0.7)) { terms.push_back({column, static_cast<double>(rng.between(-4, 4))}); }
        }
        const double low = rng.chance(0.5) ? -kInfinity : static_cast<double>(rng.between(-8, 4));
        const double high = rng.chance(0.5) && low > -kInfinity ? kInfinity : std::max(low, -9.0) + static_cast<double>(rng.between(0, 9));
        program.add_row({.low = low, .high = high}, terms);
    }
    return program;
}

// The optimum's certificate: feasible, duals of the right sign on the right bounds, and an objective that the duals explain.
void expect_certified(const LinearProgram& program, const LpSolution& solution) {
    const double sign = program.sense == Sense::kMaximize ? 1 : -1;
    double explained = 0;
    const auto check = [&](double value, double low, double high, double dual) {
        EXPECT_GE(value, low - 1e-6);
        EXPECT_LE(value, high + 1e-6);
        if (sign * dual > 1e-6) { EXPECT_NEAR(value, high, 1e-6); }
        if (sign * dual < -1e-6) { EXPECT_NEAR(value, low, 1e-6); }
        explained += dual * value;
    };
    std::vector<double> reduced(program.columns.size());
    for (std::size_t column = 0; column < program.columns.size(); ++column) { reduced[column] = program.columns[column].objective; }
    for (const LpEntry& entry : program.entries) { reduced[entry.column] -= entry.coefficient * solution.duals[entry.row]; }
    for (std::size_t column = 0; column < program.columns.size(); ++column) {
        EXPECT_NEAR(solution.reduced_costs[column], reduced[column], 1e-6);
        check(solution.primal[column], program.columns[column].low, program.columns[column].high, reduced[column]);
    }
    for (std::size_t row = 0; row < program.rows.size(); ++row) {
        check(solution.activity[row], program.rows[row].low, program.rows[row].high, solution.duals[row]);
    }
    EXPECT_NEAR(explained, solution.objective, 1e-6);
}

TEST_P(LpSolverContract, FindsTheKnownOptimumAndItsDuals) {
    const LpSolution solution = solver_->solve(two_products());
    ASSERT_EQ(solution.status, LpStatus::kOptimal);
    EXPECT_NEAR(solution.objective, 36, 1e-9);
    EXPECT_NEAR(solution.primal[0], 2, 1e-9);
    EXPECT_NEAR(solution.primal[1], 6, 1e-9);
    EXPECT_NEAR(solution.duals[0], 0, 1e-9);
    EXPECT_NEAR(solution.duals[1], 1.5, 1e-9);
    EXPECT_NEAR(solution.duals[2], 1, 1e-9);
    EXPECT_NEAR(solution.activity[2], 18, 1e-9);
}

TEST_P(LpSolverContract, MinimizesToo) {
    // min 2x + 3y; x + y >= 4; x + 3y >= 6: vertex (3, 1), objective 9, duals (3/2, 1/2).
    LinearProgram program{.sense = Sense::kMinimize};
    program.add_column({.objective = 2});
    program.add_column({.objective = 3});
    program.add_row({.low = 4}, std::array{LpTerm{0, 1}, LpTerm{1, 1}});
    program.add_row({.low = 6}, std::array{LpTerm{0, 1}, LpTerm{1, 3}});
    const LpSolution solution = solver_->solve(program);
    ASSERT_EQ(solution.status, LpStatus::kOptimal);
    EXPECT_NEAR(solution.objective, 9, 1e-9);
    EXPECT_NEAR(solution.duals[0], 1.5, 1e-9);
    EXPECT_NEAR(solution.duals[1], 0.5, 1e-9);
}

TEST_P(LpSolverContract, SaysInfeasibleWhenRowsContradict) {
    LinearProgram program = two_products();
    program.add_row({.low = 19}, std::array{LpTerm{0, 3}, LpTerm{1, 2}});
    EXPECT_EQ(solver_->solve(program).status, LpStatus::kInfeasible);
}

TEST_P(LpSolverContract, SaysUnboundedWhenNothingLimitsTheObjective) {
    LinearProgram program;
    program.add_column({.objective = 1});
    program.add_column({.objective = 0});
    program.add_row({.high = 1}, std::array{LpTerm{0, 1}, LpTerm{1, -1}});
    EXPECT_EQ(solver_->solve(program).status, LpStatus::kUnbounded);
}

TEST_P(LpSolverContract, SaysInfeasibleWhenAProgramIsBothInfeasibleAndUnboundedInItsDual) {
    LinearProgram program;
    program.add_column({.objective = 1});
    program.add_column({.objective = 1});
    program.add_row({.low = 1}, std::array{LpTerm{0, 1}, LpTerm{1, -1}});
    program.add_row({.low = 1}, std::array{LpTerm{0, -1}, LpTerm{1, 1}});
    EXPECT_EQ(solver_->solve(program).status, LpStatus::kInfeasible);
}

TEST_P(LpSolverContract, TellsInfeasibleFromUnboundedFromAnyStart) {
    Rng random(5);
    int infeasible = 0;
    int unbounded = 0;
    for (int repeat = 0; repeat < 2000; ++repeat) {
        LinearProgram program = random_program(random);
        LpBasis start;
        for (LpColumn& column : program.columns) {
            column.high = kInfinity;
            start.columns.push_back(LpPosition::kAtLow);
        }
        start.rows.assign(program.rows.size(), LpPosition::kBasic);
        const LpStatus cold = solver_->solve(program).status;
        EXPECT_EQ(solver_->solve(program, {.start = &start}).status, cold) << repeat;
        for (LpColumn& column : program.columns) { column.objective = 0; }
        const bool feasible = solver_->solve(program).status == LpStatus::kOptimal;
        EXPECT_EQ(cold == LpStatus::kInfeasible, !feasible) << repeat;
        infeasible += cold == LpStatus::kInfeasible ? 1 : 0;
        unbounded += cold == LpStatus::kUnbounded ? 1 : 0;
    }
    EXPECT_GT(infeasible, 20);
    EXPECT_GT(unbounded, 20);
}

TEST_P(LpSolverContract, HandlesFreeColumnsAndEqualities) {
    LinearProgram program{.sense = Sense::kMinimize};
    program.add_column({.objective = 1, .low = -kInfinity});
    program.add_column({.objective = 1, .low = -kInfinity});
    program.add_row({.low = 7, .high = 7}, std::array{LpTerm{0, 1}, LpTerm{1, 2}});
    program.add_row({.low = -1}, std::array{LpTerm{0, 1}, LpTerm{1, -1}});
    program.add_row({.high = 4}, std::array{LpTerm{0, 1}, LpTerm{1, -1}});
    const LpSolution solution = solver_->solve(program);
    ASSERT_EQ(solution.status, LpStatus::kOptimal);
    // x = 7 - 2y, minimise 7 - y, so y as large as x - y >= -1 allows: y = 8/3.
    EXPECT_NEAR(solution.objective, 7 - 8.0 / 3, 1e-9);
}

TEST_P(LpSolverContract, SurvivesDegeneracyThatCyclesANaiveSimplex) {
    // Beale 1955: cycles under the textbook rule; the optimum is 1/20 at (1/25, 0, 1, 0).
    LinearProgram program;
    for (const double objective : {0.75, -150.0, 0.02, -6.0}) { program.add_column({.objective = objective}); }
    program.add_row({.high = 0}, std::array{LpTerm{0, 0.25}, LpTerm{1, -60}, LpTerm{2, -0.04}, LpTerm{3, 9}});
    program.add_row({.high = 0}, std::array{LpTerm{0, 0.5}, LpTerm{1, -90}, LpTerm{2, -0.02}, LpTerm{3, 3}});
    program.add_row({.high = 1}, std::array{LpTerm{2, 1}});
    const LpSolution solution = solver_->solve(program);
    ASSERT_EQ(solution.status, LpStatus::kOptimal);
    EXPECT_NEAR(solution.objective, 0.05, 1e-9);
    EXPECT_NEAR(solution.primal[0], 0.04, 1e-9);
}

TEST_P(LpSolverContract, SolvesProgramsWithoutRowsOrColumns) {
    EXPECT_EQ(solver_->solve(LinearProgram{}).status, LpStatus::kOptimal);
    LinearProgram program;
    program.add_column({.objective = 2, .low = -1, .high = 3});
    const LpSolution solution = solver_->solve(program);
    ASSERT_EQ(solution.status, LpStatus::kOptimal);
    EXPECT_NEAR(solution.objective, 6, 1e-12);
}

TEST_P(LpSolverContract, StopsAtAnIterationLimit) {
    LinearProgram program;
    Rng rng(1);
    std::vector<LpTerm> terms;
    for (int column = 0; column < 40; ++column) { program.add_column({.objective = rng.uniform(1, 2)}); }
    for (int row = 0; row < 40; ++row) {
        terms.clear();
        for (int column = 0; column < 40; ++column) { terms.push_back({column, rng.uniform(0.1, 1)}); }
        program.add_row({.high = rng.uniform(1, 2)}, terms);
    }
    ASSERT_EQ(solver_->solve(program).status, LpStatus::kOptimal);
    EXPECT_EQ(solver_->solve(program, {.max_iterations = 1}).status, LpStatus::kLimit);
}

TEST_P(LpSolverContract, StartsFromAnEarlierBasisAndReachesTheNewOptimum) {
    LinearProgram program = two_products();
    const LpSolution first = solver_->solve(program);
    program.columns[0].objective = 9;  // now (4, 3) is best: 36 + 15
    const LpSolution warm = solver_->solve(program, {.start = &first.basis});
    ASSERT_EQ(warm.status, LpStatus::kOptimal);
    EXPECT_NEAR(warm.objective, 51, 1e-9);
    const LpSolution again = solver_->solve(program, {.start = &warm.basis});
    EXPECT_EQ(again.iterations, 0);
    EXPECT_NEAR(again.objective, 51, 1e-9);
}

TEST_P(LpSolverContract, IgnoresABasisOfAnotherProgram) {
    const LpBasis basis{.columns = {LpPosition::kBasic}, .rows = {}};
    EXPECT_NEAR(solver_->solve(two_products(), {.start = &basis}).objective, 36, 1e-9);
}

TEST_P(LpSolverContract, GivesTheSameAnswerTwice) {
    Rng rng(3);
    for (int repeat = 0; repeat < 50; ++repeat) {
        const LinearProgram program = random_program(rng);
        EXPECT_EQ(solver_->solve(program).primal, solver_->solve(program).primal);
    }
}

TEST_P(LpSolverContract, AgreesWithVertexEnumerationOnRandomPrograms) {
    Rng rng(2);
    int infeasible = 0;
    for (int repeat = 0; repeat < 3000; ++repeat) {
        SCOPED_TRACE(repeat);
        const LinearProgram program = random_program(rng);
        const std::optional<double> expected = best_vertex_objective(program);
        const LpSolution solution = solver_->solve(program);
        ASSERT_EQ(solution.status, expected ? LpStatus::kOptimal : LpStatus::kInfeasible);
        infeasible += expected ? 0 : 1;
        if (!expected) { continue; }
        ASSERT_NEAR(solution.objective, *expected, 1e-6);
        expect_certified(program, solution);
        ASSERT_FALSE(HasFailure());
    }
    EXPECT_GT(infeasible, 100);
    EXPECT_LT(infeasible, 2000);
}

}  // namespace
}  // namespace medley::planner
