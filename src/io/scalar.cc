#include "io/scalar.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace medley::io {
namespace {

constexpr std::int64_t kNanoseconds = 1'000'000'000;

bool digit(char c) { return c >= '0' && c <= '9'; }

// from_chars knows no leading plus.
std::string_view without_plus(std::string_view text) { return text.size() > 1 && text[0] == '+' && text[1] != '-' ? text.substr(1) : text; }

template <class Number>
std::optional<Number> whole_text_as(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) { return std::nullopt; }
    return value;
}

struct Unit {
    std::string_view suffix;
    double seconds;
};
// "ms" before "s" and "m": the first suffix that fits wins.
constexpr Unit kUnits[] = {{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}};

// Digits, at most nine more behind a point: exact in nanoseconds. Anything else takes the general way.
std::optional<SimTime> exact_decimal(std::string_view text) {
    constexpr std::size_t kMostWholeDigits = 9;
    constexpr std::size_t kFractionDigits = 9;
    const std::size_t point = std::min(text.find('.'), text.size());
    const std::string_view whole = text.substr(0, point);
    const std::string_view fraction = point < text.size() ? text.substr(point + 1) : std::string_view();
    if (whole.empty() || whole.size() > kMostWholeDigits || fraction.size() > kFractionDigits) { return std::nullopt; }
    if (!std::all_of(whole.begin(), whole.end(), digit) || !std::all_of(fraction.begin(), fraction.end(), digit)) { return std::nullopt; }
    std::int64_t nanoseconds = 0;
    for (const char c : whole) { nanoseconds = nanoseconds * 10 + (c - '0'); }
    for (std::size_t index = 0; index < kFractionDigits; ++index) {
        nanoseconds = nanoseconds * 10 + (index < fraction.size() ? fraction[index] - '0' : 0);
    }
    return SimTime{nanoseconds};
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Levenshtein's distance, one row at a time; case is no difference.
std::size_t edits_between(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::optional<double> to_number(std::string_view text) {
    const auto number = whole_text_as<double>(without_plus(text));
    return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<std::int64_t> to_whole(std::string_view text) {
    if (const auto whole = whole_text_as<std::int64_t>(without_plus(text))) { return whole; }
    constexpr double kExact = 9007199254740992.0;  // 2^53
    const auto number = to_number(text);
    if (!number || std::abs(*number) > kExact || *number != std::trunc(*number)) { return std::nullopt; }
    return static_cast<std::int64_t>(*number);
}

std::optional<Seconds> to_duration(std::string_view text) {
    double scale = 1;
    for (const Unit& unit : kUnits) {
        if (!text.ends_with(unit.suffix)) { continue; }
        text.remove_suffix(unit.suffix.size());
        scale = unit.seconds;
        break;
    }
    while (text.ends_with(' ')) { text.remove_suffix(1); }
    const auto number = to_number(text);
    if (!number || std::abs(*number * scale) > kLongestSeconds) { return std::nullopt; }
    return Seconds{*number * scale};
}

std::optional<SimTime> to_time(std::string_view text) {
    if (const auto exact = exact_decimal(text)) { return exact; }
    const auto duration = to_duration(text);
    return duration ? std::optional(medley::to_sim_time(*duration)) : std::nullopt;
}

std::string seconds_text(SimTime time) {
    const std::int64_t whole = time.value / kNanoseconds;
    const std::int64_t rest = std::abs(time.value % kNanoseconds);
    if (rest == 0) { return fmt::format("{}", whole); }
    std::string text = fmt::format("{}{}.{:09}", time.value < 0 && whole == 0 ? "-" : "", whole, rest);
    text.erase(text.find_last_not_of('0') + 1);
    return text;
}

std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known) {
    constexpr std::size_t kLongest = 64;  // longer texts are no misspelt names, and the distance is quadratic
    if (name.size() > kLongest) { return {}; }
    std::string_view nearest;
    std::size_t fewest = name.size() / 2 + 1;
    for (const std::string_view candidate : known) {
        if (candidate.size() > kLongest) { continue; }
        const std::size_t edits = edits_between(name, candidate);
        if (edits < fewest) {
            fewest = edits;
            nearest = candidate;
        }
    }
    return nearest;
}

std::string expected_name(std::string_view name, std::span<const std::string_view> known) {
    if (known.empty()) { return "a known name, of which there is none"; }
    const std::string_view nearest = nearest_name(name, known);
    if (nearest.empty()) { return fmt::format("one of {}", fmt::join(known, ", ")); }
    return fmt::format("{} (known: {})", nearest, fmt::join(known, ", "));
}

}  // namespace medley::io
