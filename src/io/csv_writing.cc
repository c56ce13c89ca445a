#include "io/csv_writing.h"

namespace medley::io {

void append_csv_cell(std::string_view cell, std::string& text) {
    const bool blank_ends = !cell.empty() && (cell.front() == ' ' || cell.front() == '\t' || cell.back() == ' ' || cell.back() == '\t');
    if (!blank_ends && cell.find_first_of(",\"\r\n") == std::string_view::npos) {
        text += cell;
        return;
    }
    text += '"';
    for (const char c : cell) {
        if (c == '"') { text += '"'; }
        text += c;
    }
    text += '"';
}

}  // namespace medley::io
