#include "planner/virtual_nodes/fixed_list.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <set>

#include "planner/virtual_nodes/problem.h"

namespace medley::planner {
namespace {

/// Counts of the virtual nodes not yet placed.
using Remaining = std::vector<int>;

class Packer {
 public:
    Packer(const Problem& problem, double threshold, std::span<const int> counts, std::int64_t& steps_left)
        : problem_(problem), threshold_(threshold), steps_left_(steps_left), packed_(counts.size()) {
        for (std::size_t type = 0; type < counts.size(); ++type) {
            largest_.push_back(problem.types[type].largest_within(threshold));
            gpus_.insert(gpus_.end(), static_cast<std::size_t>(counts[type]), type);
        }
        // GPUs that hold most come first, so that what is hard to place is placed early.
        std::stable_sort(gpus_.begin(), gpus_.end(), [&](std::size_t a, std::size_t b) { return largest_[a] > largest_[b]; });
        capacity_from_.assign(gpus_.size() + 1, 0);
        for (std::size_t index = gpus_.size(); index-- > 0;) { capacity_from_[index] = capacity_from_[index + 1] + largest_[gpus_[index]]; }
    }

    Verdict run() {
        Remaining remaining;
        for (const SizeClass& size : problem_.list) { remaining.push_back(size.count); }
        if (place(0, remaining)) { return Verdict::kYes; }
        return steps_left_ > 0 ? Verdict::kNo : Verdict::kUnknown;
    }

    Packed take() { return std::move(packed_); }

 private:
    std::int64_t units(const Remaining& remaining) const {
        std::int64_t sum = 0;
        for (std::size_t index = 0; index < remaining.size(); ++index) { sum += remaining[index] * problem_.list[index].size; }
        return sum;
    }

    bool place(std::size_t gpu, const Remaining& remaining) {
        const std::int64_t left = units(remaining);
        if (left == 0) { return true; }
        if (gpu == gpus_.size() || left > capacity_from_[gpu] || steps_left_ <= 0) { return false; }
        if (!failed_.insert({gpu, remaining}).second) { return false; }
        for (const Load& load : fullest_loads(gpus_[gpu], remaining)) {
            if (steps_left_-- <= 0) { return false; }
            Remaining next = remaining;
            for (std::size_t index = 0; index < load.size(); ++index) { next[index] -= load[index]; }
            packed_[gpus_[gpu]].push_back(load);
            if (place(gpu + 1, next)) { return true; }
            packed_[gpus_[gpu]].pop_back();
        }
        return false;
    }

    /// Loads to which nothing that remains can be added, most units first. Others need not be tried: what a GPU could take in
    /// addition may be moved to it from a later one.
    std::vector<Load> fullest_loads(std::size_t type, const Remaining& remaining) {
        std::vector<Load> loads;
        Load load(remaining.size(), 0);
        extend(type, remaining, 0, load, loads);
        std::stable_sort(loads.begin(), loads.end(), [&](const Load& a, const Load& b) { return units(a) > units(b); });
        return loads;
    }

    void extend(std::size_t type, const Remaining& remaining, std::size_t index, Load& load, std::vector<Load>& loads) {
        const ListTimes& times = *problem_.types[type].list_times;
        if (index == remaining.size()) {
            if (full(times, remaining, load)) { loads.push_back(load); }
            return;
        }
        if (steps_left_-- <= 0) { return; }
        const bool last = index + 1 == remaining.size();
        int most = 0;
        while (most < remaining[index] && fits_with(times, load, index, most + 1)) { ++most; }
        for (int count = most; count >= (last ? most : 0); --count) {
            load[index] = count;
            extend(type, remaining, index + 1, load, loads);
        }
        load[index] = 0;
    }

    bool fits_with(const ListTimes& times, Load& load, std::size_t index, int count) const {
        const int before = load[index];
        load[index] = count;
        const bool fits = times.seconds(load) <= threshold_;
        load[index] = before;
        return fits;
    }

    bool full(const ListTimes& times, const Remaining& remaining, Load& load) const {
        for (std::size_t index = 0; index < load.size(); ++index) {
            if (load[index] < remaining[index] && fits_with(times, load, index, load[index] + 1)) { return false; }
        }
        return true;
    }

    const Problem& problem_;
    double threshold_;
    std::int64_t& steps_left_;
    std::vector<std::int64_t> largest_;
    std::vector<std::size_t> gpus_;  ///< type of each
    std::vector<std::int64_t> capacity_from_;
    std::set<std::pair<std::size_t, Remaining>> failed_;
    Packed packed_;
};

}  // namespace

std::vector<SizeClass> classes_of(std::span<const Samples> sizes, std::int64_t unit) {
    std::map<std::int64_t, int, std::greater<>> counts;
    for (const Samples size : sizes) { ++counts[size.value / unit]; }
    std::vector<SizeClass> classes;
    for (const auto& [size, count] : counts) { classes.push_back(SizeClass{.size = size, .count = count}); }
    return classes;
}

ListTimes::ListTimes(std::span<const SizeClass> classes, std::vector<double> seconds) : seconds_(std::move(seconds)) { add_loads(classes); }

void ListTimes::add_loads(std::span<const SizeClass> classes) {
    std::vector<Entry> entries{{.seconds = 0, .units = 0}};
    for (std::size_t index = 0; index < classes.size(); ++index) {
        if (seconds_[index] == std::numeric_limits<double>::infinity()) { continue; }
        const SizeClass& size = classes[index];
        const std::size_t known = entries.size();
        const bool all = static_cast<std::int64_t>(known) * (size.count + 1) <= kMostLoads;
        complete_ = complete_ && all;
        const std::size_t from = all ? known : 1;
        for (int count = 1; count <= size.count; ++count) {
            for (std::size_t entry = 0; entry < from; ++entry) {
                entries.push_back(
                    {.seconds = entries[entry].seconds + seconds_[index] * count, .units = entries[entry].units + size.size * count});
            }
        }
    }
    entries.erase(entries.begin());
    finish(std::move(entries));
}

void ListTimes::finish(std::vector<Entry> entries) {
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.seconds < b.seconds; });
    std::int64_t most = 0;
    for (const Entry& entry : entries) {
        most = std::max(most, entry.units);
        if (!times_.empty() && times_.back() == entry.seconds) {
            largest_.back() = most;
            continue;
        }
        times_.push_back(entry.seconds);
        largest_.push_back(most);
    }
}

std::int64_t ListTimes::largest_within(double limit) const {
    const auto above = std::upper_bound(times_.begin(), times_.end(), limit);
    return above == times_.begin() ? 0 : largest_[static_cast<std::size_t>(above - times_.begin()) - 1];
}

double ListTimes::seconds(const Load& load) const {
    double sum = 0;
    for (std::size_t index = 0; index < load.size(); ++index) {
        if (load[index] > 0) { sum += seconds_[index] * load[index]; }
    }
    return sum;
}

Verdict pack(const Problem& problem, double threshold, std::span<const int> counts, std::int64_t& steps_left, Packed& packed) {
    if (steps_left <= 0) { return Verdict::kUnknown; }
    Packer packer(problem, threshold, counts, steps_left);
    const Verdict verdict = packer.run();
    if (verdict == Verdict::kYes) { packed = packer.take(); }
    return verdict;
}

Packed pack_greedily(const Problem& problem, std::span<const int> counts) {
    using Busy = std::pair<double, std::size_t>;
    std::vector<std::priority_queue<Busy, std::vector<Busy>, std::greater<>>> soonest(counts.size());
    Packed packed(counts.size());
    for (std::size_t type = 0; type < counts.size(); ++type) {
        packed[type].assign(static_cast<std::size_t>(counts[type]), Load(problem.list.size(), 0));
        for (std::size_t gpu = 0; gpu < packed[type].size(); ++gpu) { soonest[type].push({0.0, gpu}); }
    }
    for (std::size_t index = 0; index < problem.list.size(); ++index) {
        for (int copy = 0; copy < problem.list[index].count; ++copy) {
            double done = std::numeric_limits<double>::infinity();
            std::size_t best = 0;
            for (std::size_t type = 0; type < counts.size(); ++type) {
                if (soonest[type].empty() || soonest[type].top().first + problem.types[type].class_seconds[index] >= done) { continue; }
                done = soonest[type].top().first + problem.types[type].class_seconds[index];
                best = type;
            }
            if (done == std::numeric_limits<double>::infinity()) { return {}; }
            const std::size_t gpu = soonest[best].top().second;
            soonest[best].pop();
            soonest[best].push({done, gpu});
            ++packed[best][gpu][index];
        }
    }
    return packed;
}

}  // namespace medley::planner
