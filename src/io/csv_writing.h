#pragma once
/// Cells of CSV, for writers.

#include <string>
#include <string_view>

namespace medley::io {

/// Appends a cell, in quotes where it would not be read back as it is without them.
void append_csv_cell(std::string_view cell, std::string& text);

}  // namespace medley::io
