#pragma once
/// A linear program in sparse form: optimise c'x subject to row_low <= Ax <= row_high and low <= x <= high.

#include <limits>
#include <span>
#include <vector>

namespace medley::planner {

/// No bound.
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

enum class Sense { kMinimize, kMaximize };

struct LpColumn {
    double objective = 0;
    double low = 0;
    double high = kInfinity;
};

struct LpRow {
    double low = -kInfinity;
    double high = kInfinity;
};

struct LpTerm {
    int column = 0;
    double coefficient = 0;
};

struct LpEntry {
    int row = 0;
    int column = 0;
    double coefficient = 0;
};

/// Requires (checked by `validate`): finite objective and coefficients, low <= high, indices that exist, no entry named twice.
struct LinearProgram {
    Sense sense = Sense::kMaximize;
    std::vector<LpColumn> columns;
    std::vector<LpRow> rows;
    std::vector<LpEntry> entries;  ///< in any order

    int add_column(LpColumn column);
    int add_row(LpRow row, std::span<const LpTerm> terms);

    /// Fails an assertion when something required does not hold: programs are built by code, so a wrong one is a bug.
    void validate() const;
};

}  // namespace medley::planner
