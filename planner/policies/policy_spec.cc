#include "planner/policies/policy_spec.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"

namespace medley::planner {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

std::pair<std::string, std::string> parse_option(std::string_view text) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) { refuse_value("--policy", std::string(text), "key=value"); }
    return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

}  // namespace

PolicySpec parse_policy_spec(std::string_view spec) {
    const auto colon = spec.find(':');
    PolicySpec parsed{.name = std::string(spec.substr(0, colon)), .options = {}};
    if (colon == std::string_view::npos) { return parsed; }
    spec.remove_prefix(colon + 1);
    while (true) {
        const auto comma = spec.find(',');
        parsed.options.push_back(parse_option(spec.substr(0, comma)));
        if (comma == std::string_view::npos) { break; }
        spec.remove_prefix(comma + 1);
    }
    return parsed;
}

std::string expected_name(std::string_view what, std::string_view found, std::span<const std::string_view> known) {
    const auto nearest = std::min_element(known.begin(), known.end(), [found](std::string_view a, std::string_view b) {
        return edit_distance(found, a) < edit_distance(found, b);
    });
    return fmt::format("{}; the nearest is {}", what, *nearest);
}

}  // namespace medley::planner
