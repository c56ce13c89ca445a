#include "io/trace_summary.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace medley::io {
namespace {

constexpr double kSecondsPerHour = 3600;

// Requires ascending values, at least one.
double percentile(const std::vector<double>& values, double fraction) {
    const double position = fraction * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (position - static_cast<double>(below)) * (values[above] - values[below]);
}

std::optional<Distribution> distribution_of(std::vector<double> values) {
    if (values.empty()) { return std::nullopt; }
    std::sort(values.begin(), values.end());
    return Distribution{.mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size()),
                        .least = values.front(),
                        .p10 = percentile(values, 0.10),
                        .median = percentile(values, 0.50),
                        .p90 = percentile(values, 0.90),
                        .p99 = percentile(values, 0.99),
                        .most = values.back()};
}

std::vector<double> interarrival_times(const std::vector<Job>& jobs) {
    std::vector<double> gaps;
    for (std::size_t index = 1; index < jobs.size(); ++index) {
        gaps.push_back(to_seconds(jobs[index].submit - jobs[index - 1].submit).value);
    }
    return gaps;
}

template <class Key>
std::vector<std::pair<Key, std::size_t>> in_order(const std::map<Key, std::size_t>& counts) {
    return {counts.begin(), counts.end()};
}

}  // namespace

TraceSummary summarize(const Trace& trace) {
    TraceSummary summary{.jobs = trace.jobs.size()};
    std::vector<double> durations, gpus;
    std::map<int, std::size_t> by_gpus;
    std::map<Name, std::size_t> by_model;
    double gpu_seconds = 0;
    for (const Job& job : trace.jobs) {
        ++by_model[job.model];
        if (job.steps > 0) {
            ++summary.jobs_in_steps;
        } else {
            durations.push_back(job.duration.value);
        }
        if (job.whole_pool()) {
            ++summary.jobs_on_pools;
            continue;
        }
        ++by_gpus[job.gpus];
        gpus.push_back(job.gpus);
        if (job.steps == 0) { gpu_seconds += job.duration.value * job.gpus; }
    }
    summary.gpu_hours = gpu_seconds / kSecondsPerHour;
    if (!trace.jobs.empty()) {
        summary.first_submit = to_seconds(trace.jobs.front().submit);
        summary.last_submit = to_seconds(trace.jobs.back().submit);
    }
    const double span = (summary.last_submit - summary.first_submit).value;
    if (span > 0) { summary.offered_gpus = gpu_seconds / span; }
    summary.duration_s = distribution_of(std::move(durations));
    summary.gpus = distribution_of(std::move(gpus));
    summary.interarrival_s = distribution_of(interarrival_times(trace.jobs));
    summary.jobs_by_gpus = in_order(by_gpus);
    summary.jobs_by_model = in_order(by_model);
    return summary;
}

}  // namespace medley::io
