#pragma once
/// A comparison as a table, as JSON and as CSV.

#include <string>
#include <vector>

#include "cli/comparison.h"

namespace medley::cli {

/// One row a policy; columns for trace and cluster change only where they differ, no column where nothing is known.
std::string comparison_table(const std::vector<ComparisonRow>& rows, const Figure& rank_by);
std::string comparison_json(const std::vector<ComparedRun>& runs, const std::vector<ComparisonRow>& rows, const Figure& rank_by);
std::string comparison_csv(const std::vector<ComparisonRow>& rows);

}  // namespace medley::cli
