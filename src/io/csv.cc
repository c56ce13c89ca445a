#include "io/csv.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"
#include "io/text_file.h"

namespace medley::io {
namespace {

bool blank(char c) { return c == ' ' || c == '\t'; }

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && blank(text.front())) { text.remove_prefix(1); }
    while (!text.empty() && blank(text.back())) { text.remove_suffix(1); }
    return text;
}

std::string without_doubled_quotes(std::string_view text) {
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t index = 0; index < text.size(); ++index) {
        plain += text[index];
        if (text[index] == '"') { ++index; }
    }
    return plain;
}

}  // namespace

CsvReader::CsvReader(std::string_view text) : text_(without_byte_order_mark(text)) {}

bool CsvReader::next() {
    while (position_ < text_.size()) {
        read_row();
        if (cells_.size() > 1 || !cells_.front().empty()) { return true; }
    }
    return false;
}

void CsvReader::read_row() {
    cells_.clear();
    unescaped_.clear();
    line_ = next_line_;
    cells_.push_back(read_cell());
    while (!take_line_end()) {
        ++position_;  // the comma
        cells_.push_back(read_cell());
    }
}

std::string_view CsvReader::read_cell() {
    while (position_ < text_.size() && blank(text_[position_])) { ++position_; }
    const bool quoted = position_ < text_.size() && text_[position_] == '"';
    return quoted ? read_quoted() : read_plain();
}

std::string_view CsvReader::read_plain() {
    const std::size_t start = position_;
    while (!at_line_end() && text_[position_] != ',') { ++position_; }
    return trimmed(text_.substr(start, position_ - start));
}

std::string_view CsvReader::read_quoted() {
    const std::size_t start = ++position_;
    bool doubled = false;
    while (true) {
        const std::size_t quote = text_.find('"', position_);
        if (quote == std::string_view::npos) { refuse_value(fmt::format("line {}", line_), "", "a closing quote"); }
        position_ = quote + 1;
        if (position_ >= text_.size() || text_[position_] != '"') { break; }
        doubled = true;
        ++position_;
    }
    const std::string_view cell = text_.substr(start, position_ - 1 - start);
    next_line_ += static_cast<std::size_t>(std::count(cell.begin(), cell.end(), '\n'));
    expect_end_of_cell();
    return doubled ? std::string_view(unescaped_.emplace_back(without_doubled_quotes(cell))) : cell;
}

void CsvReader::expect_end_of_cell() {
    while (position_ < text_.size() && blank(text_[position_])) { ++position_; }
    if (at_line_end() || text_[position_] == ',') { return; }
    refuse_value(fmt::format("line {}", line_), std::string(text_.substr(position_, 20)), "a comma after the closing quote");
}

bool CsvReader::at_line_end() const {
    if (position_ >= text_.size() || text_[position_] == '\n') { return true; }
    return text_[position_] == '\r' && (position_ + 1 == text_.size() || text_[position_ + 1] == '\n');
}

bool CsvReader::take_line_end() {
    if (!at_line_end()) { return false; }
    if (position_ < text_.size() && text_[position_] == '\r') { ++position_; }
    if (position_ < text_.size()) { ++position_; }
    ++next_line_;
    return true;
}

}  // namespace medley::io
