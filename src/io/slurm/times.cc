#include "io/slurm/times.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

#include "io/scalar.h"

namespace medley::io::slurm {
namespace {

constexpr double kSecondsPerDay = 86400;
constexpr double kSecondsPerHour = 3600;
constexpr double kSecondsPerMinute = 60;

bool same_in_any_case(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

bool one_of(std::string_view text, std::span<const std::string_view> known) {
    return std::any_of(known.begin(), known.end(), [&](std::string_view each) { return same_in_any_case(text, each); });
}

/// A part between colons: digits, in the last one perhaps a fraction.
std::optional<double> to_part(std::string_view text) {
    if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front())) == 0) { return std::nullopt; }
    return to_number(text);
}

/// Parts between colons, `scales` seconds each, as many as there are scales at most.
std::optional<double> to_clock(std::string_view text, std::span<const double> scales) {
    double seconds = 0;
    for (const double scale : scales) {
        const std::size_t colon = text.find(':');
        const auto part = to_part(text.substr(0, colon));
        if (!part) { return std::nullopt; }
        seconds += *part * scale;
        if (colon == std::string_view::npos) { return seconds; }
        text.remove_prefix(colon + 1);
    }
    return std::nullopt;
}

std::optional<double> to_span_with_unit(std::string_view text) {
    const std::size_t blank = text.find(' ');
    if (blank == std::string_view::npos) { return std::nullopt; }
    const auto number = to_number(text.substr(0, blank));
    const std::string_view unit = text.substr(blank + 1);
    if (!number || *number < 0) { return std::nullopt; }
    if (unit.starts_with("sec")) { return number; }
    if (unit.starts_with("min")) { return *number * kSecondsPerMinute; }
    return std::nullopt;
}

std::optional<double> to_span_seconds(std::string_view text) {
    static constexpr std::array kScales = {kSecondsPerHour, kSecondsPerMinute, 1.0};
    if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
        const auto days = to_part(text.substr(0, dash));
        const auto rest = to_clock(text.substr(dash + 1), kScales);
        return days && rest ? std::optional(*days * kSecondsPerDay + *rest) : std::nullopt;
    }
    const auto colons = std::count(text.begin(), text.end(), ':');
    if (colons == 0) { return to_span_with_unit(text); }
    return to_clock(text, colons == 1 ? std::span<const double>(kScales).subspan(1) : std::span<const double>(kScales));
}

}  // namespace

std::optional<Seconds> to_span(std::string_view text) {
    const auto seconds = to_span_seconds(text);
    return seconds && *seconds <= kLongestSeconds ? std::optional(Seconds{*seconds}) : std::nullopt;
}

bool is_unlimited(std::string_view text) {
    static constexpr std::array<std::string_view, 6> kNone = {"", "UNLIMITED", "INFINITE", "NONE", "Partition_Limit", "N/A"};
    return one_of(text, kNone);
}

bool is_unknown_moment(std::string_view text) {
    static constexpr std::array<std::string_view, 5> kNone = {"", "Unknown", "None", "N/A", "(null)"};
    return one_of(text, kNone);
}

std::optional<SimTime> to_moment(std::string_view text, const ZoneRule& zone) {
    if (const auto seconds = to_time(text)) { return seconds->value >= 0 ? seconds : std::nullopt; }
    const auto civil = parse_civil_time(text);
    return civil ? std::optional(zone.to_utc(*civil)) : std::nullopt;
}

}  // namespace medley::io::slurm
