#include "io/results/csv_line.h"

#include "io/results/number_text.h"

namespace medley::io {
namespace {

bool needs_quotes(std::string_view text) {
    if (text.empty()) { return false; }
    const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
    return is_blank(text.front()) || is_blank(text.back()) || text.find_first_of(",\"\r\n") != std::string_view::npos;
}

}  // namespace

CsvLine& CsvLine::text(std::string_view value) {
    separate();
    if (!needs_quotes(value)) {
        out_ += value;
        return *this;
    }
    out_ += '"';
    for (const char c : value) { out_.append(c == '"' ? 2 : 1, c); }
    out_ += '"';
    return *this;
}

CsvLine& CsvLine::whole(std::int64_t value) {
    separate();
    append_whole(out_, value);
    return *this;
}

CsvLine& CsvLine::number(double value) {
    separate();
    append_number(out_, value);
    return *this;
}

CsvLine& CsvLine::number(const std::optional<double>& value) {
    if (value) { return number(*value); }
    separate();
    return *this;
}

CsvLine& CsvLine::time(SimTime value) {
    separate();
    append_seconds(out_, value);
    return *this;
}

CsvLine& CsvLine::time(const std::optional<SimTime>& value) {
    if (value) { return time(*value); }
    separate();
    return *this;
}

void CsvLine::separate() {
    if (!first_) { out_ += ','; }
    first_ = false;
}

}  // namespace medley::io
