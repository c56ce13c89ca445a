#pragma once
/// How long functions are, by a heuristic that reads braces: good enough to watch the distribution, not a parser.

#include <string>
#include <string_view>
#include <vector>

namespace medley::edges {

struct FunctionLength {
    int line = 0;   ///< of the opening brace
    int lines = 1;  ///< from the opening to the closing brace, both included
};

/// The functions of a file (members and lambdas at namespace scope included), in order of their closing braces. A lambda or block inside
/// a function is part of it.
std::vector<FunctionLength> function_lengths(std::string_view text);

}  // namespace medley::edges
