#pragma once
/// Options with a shape of their own: durations, counts, GPU lists, windows. Each parser refuses what it does not know with one line
/// that names the option, the value and what was expected (medley::Error, exit code 2).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/name.h"
#include "core/units.h"
#include "sched/metrics.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace medley::cli {

/// GPUs of one type, as offered on the command line.
struct GpuCount {
    Name gpu_type;
    int gpus = 0;
};

/// Runs `act`; what it refuses is said to be wrong with `option`.
template <class Act>
auto naming_option(const std::string& option, Act act) {
    try {
        return act();
    } catch (const Error& error) {
        Problem problem = error.problem();
        problem.place = option;
        throw Error(std::move(problem));
    }
}

/// Refuses output files named as if they were compressed, which none is.
void require_plain_name(const std::string& option, const std::string& file);

/// A number of seconds, or one with ms, s, m, h or d: "90", "1.5h". At least 0, at most 100 years.
Seconds parse_duration(const std::string& option, std::string_view text);
/// A whole number in [low, high]; "3.0" and "1e3" are whole.
std::int64_t parse_whole(const std::string& option, std::string_view text, std::int64_t low, std::int64_t high);
/// A finite number in [low, high].
double parse_number(const std::string& option, std::string_view text, double low, double high);
/// "V100=2,P100=8": each type once, counts of at least 1.
std::vector<GpuCount> parse_gpu_counts(const std::string& option, std::string_view text);
/// "FIRST:LAST": jobs FIRST to LAST-1 in order of submission, counted from 0.
Window parse_window(const std::string& option, std::string_view text);
/// Parts between separators, surrounding spaces removed; empty parts are refused.
std::vector<std::string> parse_list(const std::string& option, std::string_view text, char separator);

/// Each adds an option whose text goes through the parser of the same name; the target keeps its value where the option is not given.
CLI::Option* add_duration(CLI::App& app, const std::string& option, Seconds& target, const std::string& help);
CLI::Option* add_duration(CLI::App& app, const std::string& option, std::optional<Seconds>& target, const std::string& help);
CLI::Option* add_whole(CLI::App& app, const std::string& option, std::int64_t& target, std::pair<std::int64_t, std::int64_t> range,
                       const std::string& help);
CLI::Option* add_number(CLI::App& app, const std::string& option, double& target, std::pair<double, double> range, const std::string& help);
CLI::Option* add_gpu_counts(CLI::App& app, const std::string& option, std::vector<GpuCount>& target, const std::string& help);
CLI::Option* add_window(CLI::App& app, const std::string& option, Window& target, const std::string& help);
CLI::Option* add_seed(CLI::App& app, std::uint64_t& target);
/// One of `choices`, spelled exactly.
CLI::Option* add_choice(CLI::App& app, const std::string& option, std::string& target, std::vector<std::string> choices,
                        const std::string& help);

}  // namespace medley::cli
