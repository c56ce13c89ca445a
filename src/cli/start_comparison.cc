#include "cli/start_comparison.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <unordered_map>

#include <fmt/format.h>

#include "cli/table.h"
#include "core/error.h"
#include "io/results/event_log_reader.h"
#include "io/results/json_writer.h"
#include "io/trace_file.h"
#include "sched/metrics.h"
#include "sched/statistics.h"

namespace medley::cli {
namespace {

double error_s(const StartPair& pair) { return to_seconds(pair.simulated - pair.recorded).value; }

/// Most jobs of a sequence ordered by recorded start whose simulated starts never go back: patience sorting. Equal recorded starts stand in
/// the order of the simulation.
std::size_t longest_common_order(const std::vector<StartPair>& ordered) {
    std::vector<SimTime> tails;
    for (const StartPair& pair : ordered) {
        const auto place = std::upper_bound(tails.begin(), tails.end(), pair.simulated);
        if (place == tails.end()) {
            tails.push_back(pair.simulated);
        } else {
            *place = pair.simulated;
        }
    }
    return tails.size();
}

/// Counts, by merging, the pairs that the simulation starts the other way round.
std::uint64_t count_inversions(std::vector<SimTime>& starts, std::vector<SimTime>& merged, std::size_t first, std::size_t last) {
    if (last - first < 2) { return 0; }
    const std::size_t middle = first + (last - first) / 2;
    std::uint64_t inversions = count_inversions(starts, merged, first, middle) + count_inversions(starts, merged, middle, last);
    std::size_t left = first;
    std::size_t right = middle;
    for (std::size_t place = first; place < last; ++place) {
        const bool take_right = left == middle || (right < last && starts[right] < starts[left]);
        if (take_right) { inversions += middle - left; }
        merged[place] = starts[take_right ? right++ : left++];
    }
    std::copy(merged.begin() + static_cast<std::ptrdiff_t>(first), merged.begin() + static_cast<std::ptrdiff_t>(last),
              starts.begin() + static_cast<std::ptrdiff_t>(first));
    return inversions;
}

/// Pairs of jobs whose recorded starts differ.
std::uint64_t ordered_pairs(const std::vector<StartPair>& ordered) {
    std::uint64_t pairs = 0;
    std::uint64_t before = 0;
    for (std::size_t first = 0; first < ordered.size();) {
        std::size_t last = first;
        while (last < ordered.size() && ordered[last].recorded == ordered[first].recorded) { ++last; }
        pairs += before * (last - first);
        before += last - first;
        first = last;
    }
    return pairs;
}

void compare_order(std::vector<StartPair>& pairs, StartComparison& comparison) {
    std::stable_sort(pairs.begin(), pairs.end(), [](const StartPair& a, const StartPair& b) {
        return a.recorded != b.recorded ? a.recorded < b.recorded : a.simulated < b.simulated;
    });
    comparison.same_order_fraction = static_cast<double>(longest_common_order(pairs)) / static_cast<double>(pairs.size());
    const std::uint64_t all = ordered_pairs(pairs);
    if (all == 0) { return; }
    std::vector<SimTime> starts;
    for (const StartPair& pair : pairs) { starts.push_back(pair.simulated); }
    std::vector<SimTime> merged(starts.size());
    const std::uint64_t inversions = count_inversions(starts, merged, 0, starts.size());
    comparison.pairs_in_order_fraction = 1 - static_cast<double>(inversions) / static_cast<double>(all);
}

void compare_moments(const std::vector<StartPair>& pairs, StartComparison& comparison) {
    std::vector<double> errors, signed_errors;
    for (const StartPair& pair : pairs) {
        signed_errors.push_back(error_s(pair));
        errors.push_back(std::abs(error_s(pair)));
    }
    const auto worst = static_cast<std::size_t>(std::max_element(errors.begin(), errors.end()) - errors.begin());
    comparison.worst_job = pairs[worst].job_id;
    comparison.max_error_s = errors[worst];
    const auto near = std::count_if(errors.begin(), errors.end(), [&](double error) { return error <= comparison.within.value; });
    comparison.within_fraction = static_cast<double>(near) / static_cast<double>(errors.size());
    comparison.mean_signed_error_s = mean(signed_errors);
    comparison.median_error_s = percentile(errors, 50);
    comparison.p95_error_s = percentile(errors, 95);
}

std::unordered_map<std::string, SimTime> simulated_starts(const std::string& directory) {
    Metrics metrics;
    io::EventLogReader(std::filesystem::path(directory) / "events.jsonl").read_into(metrics);
    std::unordered_map<std::string, SimTime> starts;
    for (std::size_t index = 0; index < metrics.job_count(); ++index) {
        const JobRow row = metrics.row(index);
        if (row.first_start) { starts.emplace(row.id, *row.first_start); }
    }
    return starts;
}

}  // namespace

StartComparison compare_starts(std::vector<StartPair> pairs, Seconds within) {
    StartComparison comparison{.jobs = pairs.size(), .worst_job = "", .within = within};
    if (pairs.empty()) { return comparison; }
    compare_moments(pairs, comparison);
    compare_order(pairs, comparison);
    return comparison;
}

StartComparison compare_starts(const std::string& simulated, const std::string& trace, Seconds within) {
    const auto starts = simulated_starts(simulated);
    std::vector<StartPair> pairs;
    std::size_t only_recorded = 0;
    std::size_t not_recorded = 0;
    for (const Job& job : io::load_trace(trace).jobs) {
        const auto start = starts.find(job.id);
        if (!job.extras || !job.extras->recorded_start) {
            ++not_recorded;
        } else if (start == starts.end()) {
            ++only_recorded;
        } else {
            pairs.push_back({.job_id = job.id, .recorded = *job.extras->recorded_start, .simulated = start->second});
        }
    }
    if (pairs.empty() && only_recorded == 0) {
        throw Error(Problem{.file = trace, .place = "column recorded_start_s", .expected = "recorded starts, as trace import writes them"});
    }
    StartComparison comparison = compare_starts(std::move(pairs), within);
    comparison.only_recorded = only_recorded;
    comparison.not_recorded = not_recorded;
    return comparison;
}

std::string start_comparison_table(const StartComparison& comparison) {
    Table table({{"start times", Align::kLeft}, {"value"}});
    const auto seconds = [](const std::optional<double>& value) { return value ? fmt::format("{:.1f} s", *value) : std::string("-"); };
    const auto share = [](const std::optional<double>& value) { return value ? show_percent(*value) : std::string("-"); };
    table.add_row({"jobs that started in both", fmt::format("{}", comparison.jobs)});
    table.add_row({"started on record alone", fmt::format("{}", comparison.only_recorded)});
    table.add_row({"without a recorded start", fmt::format("{}", comparison.not_recorded)});
    table.add_row({"median error", seconds(comparison.median_error_s)});
    table.add_row({"95th percentile", seconds(comparison.p95_error_s)});
    table.add_row({"largest error", seconds(comparison.max_error_s)});
    table.add_row({"mean, later than recorded above 0", seconds(comparison.mean_signed_error_s)});
    table.add_row({fmt::format("within {} s", comparison.within.value), share(comparison.within_fraction)});
    table.add_row({"jobs in the same order", share(comparison.same_order_fraction)});
    table.add_row({"pairs of jobs in the same order", share(comparison.pairs_in_order_fraction)});
    return table.text() + (comparison.jobs > 0 ? fmt::format("furthest off: job {}\n", comparison.worst_job) : "");
}

std::string start_comparison_json(const StartComparison& comparison) {
    io::JsonWriter json;
    json.begin_object().field("format", 1).field("jobs", comparison.jobs).field("only_recorded", comparison.only_recorded);
    json.field("not_recorded", comparison.not_recorded).field("median_error_s", comparison.median_error_s);
    json.field("p95_error_s", comparison.p95_error_s).field("max_error_s", comparison.max_error_s);
    json.field("mean_signed_error_s", comparison.mean_signed_error_s).field("within_s", comparison.within.value);
    json.field("within_fraction", comparison.within_fraction).field("same_order_fraction", comparison.same_order_fraction);
    json.field("pairs_in_order_fraction", comparison.pairs_in_order_fraction);
    json.field("worst_job", comparison.jobs > 0 ? std::optional(comparison.worst_job) : std::nullopt).end_object();
    return json.text();
}

}  // namespace medley::cli
