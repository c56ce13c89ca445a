#include "io/csv.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"
#include "io/text_file.h"

namespace medley::io {
namespace {

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

CsvReader::CsvReader(std::string_view text, CsvDialect dialect) : text_(without_byte_order_mark(text)) { set_dialect(dialect); }

CsvReader::CsvReader(ByteSource& source, CsvDialect dialect)
    : window_(std::in_place, source), text_(window_->text()), more_(!window_->at_end()) {
    set_dialect(dialect);
}

void CsvReader::set_dialect(CsvDialect dialect) {
    separator_ = dialect.separator;
    quotes_ = dialect.quotes;
    for (const char c : {separator_, '\n', '\r'}) { ends_plain_[static_cast<unsigned char>(c)] = true; }
}

bool CsvReader::next() {
    while (position_ < text_.size() || refill(position_)) {
        read_row();
        if (cells_.size() > 1 || !cells_.front().empty()) { return true; }
    }
    return false;
}

// The window moves on to where `done` stands; false if nothing is behind it.
bool CsvReader::refill(std::size_t done) {
    if (!more_) { return false; }
    const bool grown = window_->extend(done);
    more_ = !window_->at_end();
    text_ = window_->text();
    position_ = 0;
    return grown;
}

// A row that touches the window's end may go on behind it: it is read again with more text.
void CsvReader::read_row() {
    line_ = next_line_;
    while (true) {
        const std::size_t start = position_;
        read_cells();
        if (position_ < text_.size() || !more_) { return; }
        refill(start);
        next_line_ = line_;
    }
}

void CsvReader::read_cells() {
    cells_.clear();
    unescaped_.clear();
    cells_.push_back(read_cell());
    while (!take_line_end()) {
        ++position_;  // the separator
        cells_.push_back(read_cell());
    }
}

std::string_view CsvReader::read_cell() {
    while (position_ < text_.size() && blank(text_[position_])) { ++position_; }
    const bool quoted = quotes_ && position_ < text_.size() && text_[position_] == '"';
    return quoted ? read_quoted() : read_plain();
}

std::string_view CsvReader::read_plain() {
    const char* const text = text_.data();
    const std::size_t end = text_.size();
    const std::size_t start = position_;
    std::size_t at = start;
    while (true) {
        while (at < end && !ends_plain_[static_cast<unsigned char>(text[at])]) { ++at; }
        position_ = at;
        if (at == end || text[at] == separator_ || at_line_end()) { return trimmed_end(text_.substr(start, at - start)); }
        ++at;  // a carriage return inside a line
    }
}

std::string_view CsvReader::trimmed_end(std::string_view text) const {
    while (!text.empty() && blank(text.back())) { text.remove_suffix(1); }
    return text;
}

std::string_view CsvReader::read_quoted() {
    const std::size_t start = ++position_;
    bool doubled = false;
    while (true) {
        const std::size_t quote = text_.find('"', position_);
        if (quote == std::string_view::npos) {
            position_ = text_.size();
            if (more_) { return {}; }
            refuse_value(fmt::format("line {}", line_), "", "a closing quote");
        }
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
    if (at_line_end() || text_[position_] == separator_) { return; }
    refuse_value(fmt::format("line {}", line_), std::string(text_.substr(position_, 20)),
                 fmt::format("{} after the closing quote", separator_ == ',' ? "a comma" : "the separator"));
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
