#include "core/job.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "core/error.h"

namespace medley {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

std::string_view digits_at(std::string_view text, std::size_t start) {
    std::size_t end = start;
    while (end < text.size() && digit(text[end])) { ++end; }
    return text.substr(start, end - start);
}

std::string_view without_leading_zeros(std::string_view number) {
    const std::size_t first = std::min(number.find_first_not_of('0'), number.size() - 1);
    return number.substr(first);
}

// Negative, zero or positive, like strcmp.
int compare_numbers(std::string_view a, std::string_view b) {
    a = without_leading_zeros(a);
    b = without_leading_zeros(b);
    if (a.size() != b.size()) { return a.size() < b.size() ? -1 : 1; }
    return a.compare(b);
}

int compare_natural(std::string_view a, std::string_view b) {
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (digit(a[i]) && digit(b[j])) {
            const auto left = digits_at(a, i);
            const auto right = digits_at(b, j);
            if (const int order = compare_numbers(left, right); order != 0) { return order; }
            i += left.size();
            j += right.size();
            continue;
        }
        if (a[i] != b[j]) { return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]) ? -1 : 1; }
        ++i;
        ++j;
    }
    if (i < a.size()) { return 1; }
    if (j < b.size()) { return -1; }
    return a.compare(b);  // "01" and "1": equal as numbers, still two different ids
}

using Index = std::unordered_map<std::string_view, std::size_t>;

Index index_of(const std::vector<Job>& jobs) {
    Index index;
    index.reserve(jobs.size());
    for (std::size_t position = 0; position < jobs.size(); ++position) {
        if (!index.emplace(jobs[position].id, position).second) { refuse_value("job_id", jobs[position].id, "each id once"); }
    }
    return index;
}

struct DependencyGraph {
    std::vector<int> open;  ///< by position: dependencies not ordered yet
    std::unordered_map<std::size_t, std::vector<std::size_t>> dependents;
};

DependencyGraph dependency_graph(const std::vector<Job>& jobs, const Index& index) {
    DependencyGraph graph{.open = std::vector<int>(jobs.size(), 0), .dependents = {}};
    for (std::size_t position = 0; position < jobs.size(); ++position) {
        if (!jobs[position].extras) { continue; }
        for (const std::string& id : jobs[position].extras->depends_on) {
            const auto found = index.find(id);
            if (found == index.end()) {
                refuse_value(fmt::format("job {}, depends_on", jobs[position].id), id, "the id of a job in the trace");
            }
            graph.dependents[found->second].push_back(position);
            ++graph.open[position];
        }
    }
    return graph;
}

// Kahn's order over the dependencies; whatever cannot be ordered stands in a circle.
void refuse_circles(const std::vector<Job>& jobs, const Index& index) {
    DependencyGraph graph = dependency_graph(jobs, index);
    if (graph.dependents.empty()) { return; }
    std::vector<std::size_t> ready;
    for (std::size_t position = 0; position < jobs.size(); ++position) {
        if (graph.open[position] == 0) { ready.push_back(position); }
    }
    while (!ready.empty()) {
        const std::size_t position = ready.back();
        ready.pop_back();
        for (const std::size_t next : graph.dependents[position]) {
            if (--graph.open[next] == 0) { ready.push_back(next); }
        }
    }
    const auto stuck = std::find_if(graph.open.begin(), graph.open.end(), [](int count) { return count > 0; });
    if (stuck == graph.open.end()) { return; }
    const Job& job = jobs[static_cast<std::size_t>(stuck - graph.open.begin())];
    refuse_value(fmt::format("job {}, depends_on", job.id), job.extras->depends_on.front(), "no circle of dependencies");
}

}  // namespace

bool natural_less(const std::string& a, const std::string& b) { return compare_natural(a, b) < 0; }

const std::vector<Name>& Job::allowed_types() const {
    static const std::vector<Name> any;
    return extras ? extras->gpu_types : any;
}

void Job::validate() const {
    constexpr int kMostGpus = 100'000'000;
    if (id.empty()) { refuse_value("job_id", "", "a name or number"); }
    if (submit.value < 0) { refuse_value("submit_s", fmt::format("{}", to_seconds(submit).value), "a number of at least 0"); }
    if (gpus < 0 || gpus > kMostGpus) { refuse_value("gpus", fmt::format("{}", gpus), "a whole number of at least 1, or pool"); }
    if (min_gpus < 0 || (gpus > 0 && min_gpus > gpus)) {
        refuse_value("min_gpus", fmt::format("{}", min_gpus), "a whole number from 1 to gpus");
    }
    if (max_gpus < 0 || (max_gpus > 0 && max_gpus < gpus)) {
        refuse_value("max_gpus", fmt::format("{}", max_gpus), "a whole number of at least gpus");
    }
    if (batch_size < 0) { refuse_value("batch_size", fmt::format("{}", batch_size), "a whole number of at least 1"); }
    if (steps < 0) { refuse_value("steps", fmt::format("{}", steps), "a whole number of at least 1"); }
    if (!(duration.value >= 0) || !std::isfinite(duration.value)) {
        refuse_value("duration_s", fmt::format("{}", duration.value), "a number of at least 0");
    }
    if (steps == 0 && duration.value == 0) { refuse_value("duration_s", "", "a duration above 0, or steps"); }
    if (steps > 0 && (model.empty() || batch_size == 0)) {
        refuse_value("steps", fmt::format("{}", steps), "model and batch_size beside steps");
    }
    if (!std::isfinite(priority)) { refuse_value("priority", fmt::format("{}", priority), "a finite number"); }
    if (!(weight > 0) || !std::isfinite(weight)) { refuse_value("weight", fmt::format("{}", weight), "a finite number above 0"); }
    if (deadline && !(deadline->value > 0)) { refuse_value("deadline_s", fmt::format("{}", deadline->value), "a number above 0"); }
    if (walltime && !(walltime->value > 0)) { refuse_value("walltime_s", fmt::format("{}", walltime->value), "a number above 0"); }
    if (extras && !(extras->gpu_fraction > 0 && extras->gpu_fraction <= 1)) {
        refuse_value("gpu_fraction", fmt::format("{}", extras->gpu_fraction), "a number above 0 and at most 1");
    }
}

void Trace::order_jobs() {
    const auto before = [](const Job& a, const Job& b) { return a.submit != b.submit ? a.submit < b.submit : natural_less(a.id, b.id); };
    if (std::is_sorted(jobs.begin(), jobs.end(), before)) { return; }  // the usual case, a third of the time to load a long trace
    std::stable_sort(jobs.begin(), jobs.end(), before);
}

void Trace::validate() const {
    for (const Job& job : jobs) { job.validate(); }
    refuse_circles(jobs, index_of(jobs));
}

}  // namespace medley
