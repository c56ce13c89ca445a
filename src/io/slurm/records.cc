#include "io/slurm/records.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "core/error.h"

namespace medley::io::slurm {
namespace {

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && blank(text.front())) { text.remove_prefix(1); }
    while (!text.empty() && blank(text.back())) { text.remove_suffix(1); }
    return text;
}

bool stated(std::string_view value) { return value != "(null)" && value != "N/A"; }

/// The length of the key that a word begins with ("NodeName=a1"); 0 if it begins with none.
std::size_t key_length(std::string_view word) {
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos || equals == 0 || std::isupper(static_cast<unsigned char>(word[0])) == 0) { return 0; }
    const std::string_view key = word.substr(0, equals);
    const bool plain = std::all_of(key.begin(), key.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == ':'; });
    return plain ? equals : 0;
}

/// Takes the next line off `rest`, without its end.
std::string_view take_line(std::string_view& rest) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    return line;
}

/// Cuts a line into `Key=value` pairs; words without a key belong to the value before them.
template <class Take>
void read_pairs(std::string_view line, const Take& take) {
    std::string_view key;
    std::size_t value_at = 0;
    std::size_t value_end = 0;
    for (std::size_t at = 0; at < line.size();) {
        if (blank(line[at])) {
            ++at;
            continue;
        }
        const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
        if (const std::size_t length = key_length(line.substr(at, end - at)); length > 0) {
            if (!key.empty()) { take(key, line.substr(value_at, value_end - value_at)); }
            key = line.substr(at, length);
            value_at = at + length + 1;
        }
        value_end = end;
        at = end;
    }
    if (!key.empty()) { take(key, line.substr(value_at, value_end - value_at)); }
}

}  // namespace

bool Record::has(std::string_view key) const {
    return std::any_of(pairs_.begin(), pairs_.end(), [&](const auto& pair) { return pair.first == key; });
}

std::string_view Record::value(std::string_view key) const {
    const auto found = std::find_if(pairs_.begin(), pairs_.end(), [&](const auto& pair) { return pair.first == key; });
    return found != pairs_.end() && stated(found->second) ? found->second : std::string_view();
}

void Record::refuse(std::string_view key, std::string_view expected) const {
    refuse_value(fmt::format("line {}, {}", line_, key), std::string(value(key)), std::string(expected));
}

std::vector<Record> read_records(std::string_view text, std::string_view first_key) {
    std::vector<Record> records;
    for (std::size_t line = 1; !text.empty(); ++line) {
        read_pairs(take_line(text), [&](std::string_view key, std::string_view value) {
            if (key == first_key) { records.emplace_back().line_ = line; }
            if (!records.empty()) { records.back().pairs_.emplace_back(key, value); }
        });
    }
    return records;
}

Settings::Settings(std::string_view text) {
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::string_view line = take_line(text);
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos) { continue; }
        lines_.push_back({.key = trimmed(line.substr(0, equals)), .value = trimmed(line.substr(equals + 1)), .number = number});
    }
}

const Settings::Line* Settings::find(std::string_view key) const {
    const auto found = std::find_if(lines_.begin(), lines_.end(), [&](const Line& line) { return line.key == key; });
    return found != lines_.end() ? &*found : nullptr;
}

std::string_view Settings::value(std::string_view key) const {
    const Line* line = find(key);
    return line != nullptr && stated(line->value) ? line->value : std::string_view();
}

void Settings::refuse(std::string_view key, std::string_view expected) const {
    const Line* line = find(key);
    const std::string place = line != nullptr ? fmt::format("line {}, {}", line->number, key) : std::string(key);
    refuse_value(place, std::string(value(key)), std::string(expected));
}

}  // namespace medley::io::slurm
