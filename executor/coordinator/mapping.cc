#include "executor/coordinator/mapping.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/error.h"

namespace medley::executor {
namespace {

bool usable(double value) { return std::isfinite(value) && value > 0; }

std::vector<VirtualNode> largest_first(std::span<const std::int64_t> virtual_nodes) {
    std::vector<VirtualNode> order(virtual_nodes.size());
    std::iota(order.begin(), order.end(), VirtualNode{0});
    std::stable_sort(order.begin(), order.end(), [&](VirtualNode a, VirtualNode b) { return virtual_nodes[a] > virtual_nodes[b]; });
    return order;
}

/// Where each virtual node lay; the number of places = nowhere.
std::vector<std::size_t> homes_of(std::span<const Place> live, std::size_t virtual_nodes) {
    std::vector<std::size_t> homes(virtual_nodes, live.size());
    for (std::size_t place = 0; place < live.size(); ++place) {
        for (const VirtualNode node : live[place].virtual_nodes) {
            if (node < virtual_nodes) { homes[node] = place; }
        }
    }
    return homes;
}

class Spreading {
 public:
    Spreading(std::span<const Place> live, std::vector<double> seconds_per_sample)
        : seconds_(std::move(seconds_per_sample)), load_s_(live.size(), 0.0) {
        for (const Place& place : live) { result_.places.push_back({place.device, place.gpu_type, place.speed, {}}); }
    }
    // Empty places come first once there are only as many virtual nodes left as they need.
    void place(VirtualNode node, std::int64_t samples, std::size_t home, std::size_t nodes_left) {
        const bool fill = static_cast<std::size_t>(empty_places()) >= nodes_left;
        std::size_t best = load_s_.size();
        for (std::size_t index = 0; index < load_s_.size(); ++index) {
            if (fill && !result_.places[index].virtual_nodes.empty()) { continue; }
            if (best == load_s_.size() || better(index, best, samples, home)) { best = index; }
        }
        if (best == load_s_.size()) { best = 0; }
        load_s_[best] = finish_s(best, samples);
        result_.places[best].virtual_nodes.push_back(node);
    }
    Placement take() {
        for (Place& place : result_.places) { std::sort(place.virtual_nodes.begin(), place.virtual_nodes.end()); }
        return std::move(result_);
    }

 private:
    double finish_s(std::size_t index, std::int64_t samples) const {
        return load_s_[index] + static_cast<double>(std::max<std::int64_t>(samples, 1)) * seconds_[index];
    }
    bool better(std::size_t index, std::size_t best, std::int64_t samples, std::size_t home) const {
        const double mine = finish_s(index, samples);
        const double its = finish_s(best, samples);
        return mine < its || (mine == its && index == home);
    }
    std::ptrdiff_t empty_places() const {
        return std::count_if(result_.places.begin(), result_.places.end(), [](const Place& place) { return place.virtual_nodes.empty(); });
    }

    std::vector<double> seconds_;
    std::vector<double> load_s_;
    Placement result_;
};

Placement spread(std::span<const Place> live, std::span<const std::int64_t> virtual_nodes, std::vector<double> seconds_per_sample) {
    MEDLEY_ASSERT(!live.empty());
    const std::vector<std::size_t> homes = homes_of(live, virtual_nodes.size());
    Spreading spreading(live, std::move(seconds_per_sample));
    std::size_t left = virtual_nodes.size();
    for (const VirtualNode node : largest_first(virtual_nodes)) { spreading.place(node, virtual_nodes[node], homes[node], left--); }
    return spreading.take();
}

double speed_of(const Place& place) { return usable(place.speed) ? place.speed : 1; }

// What a place of speed 1 would take, going by those that were measured.
double seconds_at_speed_one(std::span<const Place> live, std::span<const double> measured) {
    double sum = 0;
    int count = 0;
    for (std::size_t index = 0; index < std::min(live.size(), measured.size()); ++index) {
        if (!usable(measured[index])) { continue; }
        sum += measured[index] * speed_of(live[index]);
        ++count;
    }
    return count > 0 ? sum / count : 1;
}

std::string check_place(const Place& place, std::size_t index, std::vector<bool>& seen) {
    if (place.virtual_nodes.empty()) { return fmt::format("place {} ({}) has no virtual nodes", index, place.device); }
    for (const VirtualNode node : place.virtual_nodes) {
        if (node >= seen.size()) { return fmt::format("place {} names virtual node {}; the job has {}", index, node, seen.size()); }
        if (seen[node]) { return fmt::format("virtual node {} is placed twice", node); }
        seen[node] = true;
    }
    return {};
}

}  // namespace

Placement rebalance_by_speed(std::span<const Place> live, std::span<const std::int64_t> virtual_nodes) {
    return rebalance_by_seconds(live, virtual_nodes, {});
}

Placement rebalance_by_seconds(std::span<const Place> live, std::span<const std::int64_t> virtual_nodes,
                               std::span<const double> seconds_per_sample) {
    const double at_speed_one = seconds_at_speed_one(live, seconds_per_sample);
    std::vector<double> seconds;
    for (std::size_t index = 0; index < live.size(); ++index) {
        const bool measured = index < seconds_per_sample.size() && usable(seconds_per_sample[index]);
        seconds.push_back(measured ? seconds_per_sample[index] : at_speed_one / speed_of(live[index]));
    }
    return spread(live, virtual_nodes, std::move(seconds));
}

std::string placement_problem(const Placement& placement, std::size_t virtual_nodes) {
    if (placement.places.empty()) { return "no place"; }
    std::vector<bool> seen(virtual_nodes, false);
    for (std::size_t index = 0; index < placement.places.size(); ++index) {
        if (std::string problem = check_place(placement.places[index], index, seen); !problem.empty()) { return problem; }
    }
    const auto missing = std::find(seen.begin(), seen.end(), false);
    return missing == seen.end() ? std::string() : fmt::format("virtual node {} has no place", missing - seen.begin());
}

}  // namespace medley::executor
