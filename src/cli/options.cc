#include "cli/options.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "core/error.h"
#include "io/scalar.h"

namespace medley::cli {
namespace {

constexpr int kMostGpus = 1'000'000;
constexpr std::int64_t kLargestIndex = 4'000'000'000;

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) { return {}; }
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

GpuCount parse_gpu_count(const std::string& option, const std::string& text) {
    const std::size_t equals = text.rfind('=');
    if (equals == std::string::npos || equals == 0) { refuse_value(option, text, "TYPE=COUNT, as in V100=2"); }
    const std::int64_t gpus = parse_whole(option, text.substr(equals + 1), 1, kMostGpus);
    return {.gpu_type = Name(text.substr(0, equals)), .gpus = static_cast<int>(gpus)};
}

template <class Target, class Parse>
CLI::Option* add_parsed(CLI::App& app, const std::string& option, Target& target, const char* type_name, const std::string& help,
                        Parse parse) {
    const auto assign = [&target, parse](const std::string& text) { target = parse(text); };
    return app.add_option_function<std::string>(option, assign, help)->type_name(type_name);
}

}  // namespace

void require_plain_name(const std::string& option, const std::string& file) {
    for (const char* suffix : {".gz", ".zst"}) {
        if (file.ends_with(suffix)) {
            refuse_value(option, file, fmt::format("a name without {}: what is written is not compressed", suffix));
        }
    }
}

Seconds parse_duration(const std::string& option, std::string_view text) {
    const std::optional<Seconds> duration = io::to_duration(trimmed(text));
    if (!duration || duration->value < 0) {
        refuse_value(option, std::string(text), "a duration of at least 0, as in 90, 500ms, 10m, 1.5h or 2d");
    }
    return *duration;
}

std::int64_t parse_whole(const std::string& option, std::string_view text, std::int64_t low, std::int64_t high) {
    const std::optional<std::int64_t> number = io::to_whole(trimmed(text));
    if (!number || *number < low || *number > high) {
        refuse_value(option, std::string(text),
                     low == high ? fmt::format("{}", low) : fmt::format("a whole number from {} to {}", low, high));
    }
    return *number;
}

double parse_number(const std::string& option, std::string_view text, double low, double high) {
    const std::optional<double> number = io::to_number(trimmed(text));
    if (!number || !(*number >= low && *number <= high)) {
        refuse_value(option, std::string(text), fmt::format("a number from {} to {}", low, high));
    }
    return *number;
}

std::vector<std::string> parse_list(const std::string& option, std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        const std::string_view part = trimmed(text.substr(begin, end - begin));
        if (part.empty()) { refuse_value(option, std::string(text), fmt::format("no empty part between '{}'", separator)); }
        parts.emplace_back(part);
        begin = end + 1;
    }
    return parts;
}

std::vector<GpuCount> parse_gpu_counts(const std::string& option, std::string_view text) {
    std::vector<GpuCount> counts;
    for (const std::string& part : parse_list(option, text, ',')) {
        const GpuCount count = parse_gpu_count(option, part);
        const auto same = [&](const GpuCount& other) { return other.gpu_type == count.gpu_type; };
        if (std::any_of(counts.begin(), counts.end(), same)) { refuse_value(option, count.gpu_type.text(), "each GPU type once"); }
        counts.push_back(count);
    }
    return counts;
}

Window parse_window(const std::string& option, std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) { refuse_value(option, std::string(text), "FIRST:LAST, as in 4000:5000"); }
    const std::int64_t first = parse_whole(option, text.substr(0, colon), 0, kLargestIndex);
    const std::int64_t last = parse_whole(option, text.substr(colon + 1), 0, kLargestIndex);
    if (first >= last) { refuse_value(option, std::string(text), "FIRST:LAST with FIRST below LAST"); }
    return {.first = static_cast<std::size_t>(first), .last = static_cast<std::size_t>(last)};
}

CLI::Option* add_duration(CLI::App& app, const std::string& option, Seconds& target, const std::string& help) {
    return add_parsed(app, option, target, "DURATION", help, [option](const std::string& text) { return parse_duration(option, text); });
}

CLI::Option* add_duration(CLI::App& app, const std::string& option, std::optional<Seconds>& target, const std::string& help) {
    return add_parsed(app, option, target, "DURATION", help, [option](const std::string& text) { return parse_duration(option, text); });
}

CLI::Option* add_whole(CLI::App& app, const std::string& option, std::int64_t& target, std::pair<std::int64_t, std::int64_t> range,
                       const std::string& help) {
    return add_parsed(app, option, target, "N", help,
                      [option, range](const std::string& text) { return parse_whole(option, text, range.first, range.second); });
}

CLI::Option* add_number(CLI::App& app, const std::string& option, double& target, std::pair<double, double> range,
                        const std::string& help) {
    return add_parsed(app, option, target, "X", help,
                      [option, range](const std::string& text) { return parse_number(option, text, range.first, range.second); });
}

CLI::Option* add_gpu_counts(CLI::App& app, const std::string& option, std::vector<GpuCount>& target, const std::string& help) {
    return add_parsed(app, option, target, "TYPE=N,...", help,
                      [option](const std::string& text) { return parse_gpu_counts(option, text); });
}

CLI::Option* add_window(CLI::App& app, const std::string& option, Window& target, const std::string& help) {
    return add_parsed(app, option, target, "FIRST:LAST", help, [option](const std::string& text) { return parse_window(option, text); });
}

CLI::Option* add_seed(CLI::App& app, std::uint64_t& target) {
    constexpr std::int64_t kLargestSeed = std::numeric_limits<std::int64_t>::max();
    const auto parse = [](const std::string& text) { return static_cast<std::uint64_t>(parse_whole("--seed", text, 0, kLargestSeed)); };
    return add_parsed(app, "--seed", target, "N", "Seed of everything left to chance (default 0)", parse);
}

CLI::Option* add_choice(CLI::App& app, const std::string& option, std::string& target, std::vector<std::string> choices,
                        const std::string& help) {
    const std::string expected = fmt::format("{}", fmt::join(choices, " or "));
    const std::string shown = fmt::format("{}", fmt::join(choices, "|"));
    const auto parse = [option, expected, choices = std::move(choices)](const std::string& text) {
        if (std::find(choices.begin(), choices.end(), text) == choices.end()) { refuse_value(option, text, expected); }
        return text;
    };
    return add_parsed(app, option, target, "", help, parse)->type_name(shown);
}

}  // namespace medley::cli
