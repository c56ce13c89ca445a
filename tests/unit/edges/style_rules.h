#pragma once
/// The parts of the style that a machine can check without a compiler: widths, sizes, banned calls.

#include <string>
#include <vector>

#include "tests/unit/edges/source_tree.h"

namespace medley::edges {

inline constexpr int kMostFileLines = 500;
inline constexpr int kMostColumns = 140;

/// One line per breach in a file: tabs, trailing blanks, long lines, long files, a header without `#pragma once`, banned calls.
std::vector<std::string> style_violations(const SourceFile& file);

/// The distribution of function lengths over a tree, as docs/ and reviews quote it.
struct FunctionSizes {
    std::size_t functions = 0;
    int median = 0;
    int percentile_90 = 0;
    double above_70 = 0;               ///< share
    std::vector<std::string> longest;  ///< "file:line: lines", those above 70
};
FunctionSizes function_sizes(const std::vector<SourceFile>& files);

}  // namespace medley::edges
