#include "io/results/json_writer.h"

#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "core/error.h"
#include "io/results/number_text.h"
#include "io/utf8.h"

namespace medley::io {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

void append_escaped(std::string& out, char c) {
    switch (c) {
        case '"': out += "\\\""; return;
        case '\\': out += "\\\\"; return;
        case '\n': out += "\\n"; return;
        case '\r': out += "\\r"; return;
        case '\t': out += "\\t"; return;
        default: fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(c)); return;
    }
}

bool needs_escape(char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; }

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
    out += '"';
    while (!text.empty()) {
        const std::size_t length = utf8_sequence_length(text);
        if (length == 0) {
            out += kReplacement;
        } else if (needs_escape(text[0])) {
            append_escaped(out, text[0]);
        } else {
            out += text.substr(0, length);
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    out += '"';
}

void append_json_number(std::string& out, double number) {
    if (!std::isfinite(number)) {
        out += "null";
        return;
    }
    append_number(out, number);
}

JsonWriter& JsonWriter::begin_object() { return open('{'); }
JsonWriter& JsonWriter::end_object() { return close('}'); }
JsonWriter& JsonWriter::begin_array() { return open('['); }
JsonWriter& JsonWriter::end_array() { return close(']'); }

JsonWriter& JsonWriter::key(std::string_view name) {
    MEDLEY_ASSERT(!after_key_);
    begin_value();
    append_json_string(out_, name);
    out_ += indented_ ? ": " : ":";
    after_key_ = true;
    return *this;
}

JsonWriter& JsonWriter::null() {
    begin_value();
    out_ += "null";
    return *this;
}

JsonWriter& JsonWriter::value(bool truth) {
    begin_value();
    out_ += truth ? "true" : "false";
    return *this;
}

JsonWriter& JsonWriter::value(double number) {
    begin_value();
    append_json_number(out_, number);
    return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
    begin_value();
    append_json_string(out_, text);
    return *this;
}

JsonWriter& JsonWriter::whole(std::int64_t number, bool is_unsigned) {
    begin_value();
    if (is_unsigned) {
        fmt::format_to(std::back_inserter(out_), "{}", static_cast<std::uint64_t>(number));
    } else {
        fmt::format_to(std::back_inserter(out_), "{}", number);
    }
    return *this;
}

std::string JsonWriter::text() const {
    MEDLEY_ASSERT(has_items_.empty() && !out_.empty());
    return out_ + '\n';
}

JsonWriter& JsonWriter::open(char bracket) {
    begin_value();
    out_ += bracket;
    has_items_.push_back(false);
    return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
    MEDLEY_ASSERT(!has_items_.empty() && !after_key_);
    const bool had_items = has_items_.back();
    has_items_.pop_back();
    if (had_items) { new_line(); }
    out_ += bracket;
    return *this;
}

void JsonWriter::begin_value() {
    if (after_key_) {
        after_key_ = false;
        return;
    }
    if (has_items_.empty()) { return; }
    if (has_items_.back()) { out_ += ','; }
    has_items_.back() = true;
    new_line();
}

void JsonWriter::new_line() {
    if (!indented_) { return; }
    out_ += '\n';
    out_.append(2 * has_items_.size(), ' ');
}

}  // namespace medley::io
