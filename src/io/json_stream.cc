#include "io/json_stream.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/error.h"

namespace medley::io {
namespace {

bool blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

enum class Role : unsigned char { kNone, kOpen, kClose, kQuote };

constexpr std::array<Role, 256> roles() {
    std::array<Role, 256> table{};
    table['{'] = table['['] = Role::kOpen;
    table['}'] = table[']'] = Role::kClose;
    table['"'] = Role::kQuote;
    return table;
}

constexpr std::array<Role, 256> kRoles = roles();

}  // namespace

char JsonStream::peek() {
    while (true) {
        const std::string_view text = window_.text();
        while (position_ < text.size() && blank(text[position_])) { line_ += text[position_++] == '\n' ? 1 : 0; }
        if (position_ < text.size()) { return text[position_]; }
        if (window_.at_end()) { return 0; }
        window_.extend(position_);
        position_ = 0;
    }
}

void JsonStream::refuse(std::string_view expected) const {
    const std::string_view rest = window_.text().substr(std::min(position_, window_.text().size()));
    refuse_value(fmt::format("line {}", line_), std::string(rest.substr(0, 20)), std::string(expected));
}

void JsonStream::expect(char c) {
    if (peek() != c) { refuse(fmt::format("'{}'", c)); }
    ++position_;
    after_open_ = kRoles[static_cast<unsigned char>(c)] == Role::kOpen;
}

bool JsonStream::more(char close) {
    const char next = peek();
    if (next == close) {
        ++position_;
        after_open_ = false;
        return false;
    }
    if (after_open_) {
        after_open_ = false;
        return true;
    }
    if (next != ',') { refuse(fmt::format("',' or '{}'", close)); }
    ++position_;
    return true;
}

std::string_view JsonStream::value() {
    if (peek() == 0) { refuse("a value"); }
    const std::size_t end = value_end();  // may move the window, and the start with it
    const std::string_view text = window_.text().substr(position_, end - position_);
    if (text.empty()) { refuse("a value"); }
    line_ += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    position_ = end;
    after_open_ = false;
    return text;
}

std::string JsonStream::key() {
    if (peek() != '"') { refuse("a name in quotes"); }
    const std::string_view quoted = value();
    std::string name(quoted.substr(1, quoted.size() - 2));
    expect(':');
    return name;
}

void JsonStream::expect_end() {
    if (peek() != 0) { refuse("the end of the file"); }
}

// Behind the value that starts at `position_`; brackets are counted outside strings.
std::size_t JsonStream::value_end() {
    std::size_t depth = 0;
    std::size_t at = position_;
    while (true) {
        const std::string_view text = window_.text();
        while (at < text.size()) {
            const char c = text[at];
            const Role role = kRoles[static_cast<unsigned char>(c)];
            if (role == Role::kNone) {
                if (depth == 0 && (c == ',' || blank(c))) { return at; }
                ++at;
                continue;
            }
            if (role == Role::kClose && depth == 0) { return at; }
            if (role == Role::kQuote) {
                at = string_end(at);
                if (at == std::string_view::npos) { break; }
            } else {
                ++at;
                depth = role == Role::kOpen ? depth + 1 : depth - 1;
            }
            if (depth == 0) { return at; }
        }
        if (window_.at_end()) {
            if (depth == 0 && at != std::string_view::npos) { return at; }
            refuse("a value that ends");
        }
        window_.extend(position_);  // read again from the value's start: values are short beside the window
        at = position_ = 0;
        depth = 0;
    }
}

// Behind the string that starts at `at`; npos if the window ends first.
std::size_t JsonStream::string_end(std::size_t at) {
    const std::string_view text = window_.text();
    while (true) {
        at = text.find('"', at + 1);
        if (at == std::string_view::npos) { return at; }
        std::size_t slashes = 0;
        while (text[at - 1 - slashes] == '\\') { ++slashes; }
        if (slashes % 2 == 0) { return at + 1; }
    }
}

}  // namespace medley::io
