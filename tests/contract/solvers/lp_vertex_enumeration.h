#pragma once
/// A reference model for small linear programs, written without regard to speed: the best feasible vertex of a program whose columns
/// are all bounded. Tries every choice of as many active bounds as there are columns; cost exponential in the columns.

#include <optional>

#include "planner/solvers/linear_program.h"

namespace medley::planner {

/// The optimal objective; empty when no vertex is feasible, which with bounded columns means that nothing is.
std::optional<double> best_vertex_objective(const LinearProgram& program);

}  // namespace medley::planner
