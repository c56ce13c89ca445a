#include "simulator/cluster/availability.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "core/error.h"

namespace medley::simulator {
namespace {

void validate(const CapacityChange& change, const Cluster& cluster) {
    if (change.time.value < 0) { refuse_value("time_s", fmt::format("{}", to_seconds(change.time).value), "a number of at least 0"); }
    if (change.type.index() >= cluster.gpu_types.size()) { refuse_value("gpu_type_or_node", "", "a GPU type or node of the cluster"); }
}

std::vector<CapacityChange> merged(const std::vector<CapacityChange>& ordered) {
    std::vector<CapacityChange> result;
    for (const CapacityChange& change : ordered) {
        const bool joins = !result.empty() && result.back().time == change.time && result.back().type == change.type;
        if (joins) {
            result.back().delta += change.delta;
        } else {
            result.push_back(change);
        }
    }
    std::erase_if(result, [](const CapacityChange& change) { return change.delta == 0; });
    return result;
}

void refuse_negative_capacity(const std::vector<CapacityChange>& ordered, const Cluster& cluster) {
    std::vector<int> capacity = cluster.capacity();
    for (const CapacityChange& change : ordered) {
        int& present = capacity[change.type.index()];
        present += change.delta;
        if (present >= 0) { continue; }
        refuse_value("delta", fmt::format("{}", change.delta),
                     fmt::format("at most {} {} GPUs going at {} s", present - change.delta, cluster.type(change.type).name.text(),
                                 to_seconds(change.time).value));
    }
}

}  // namespace

std::vector<CapacityChange> in_order(std::vector<CapacityChange> changes, const Cluster& cluster) {
    for (const CapacityChange& change : changes) { validate(change, cluster); }
    std::stable_sort(changes.begin(), changes.end(),
                     [](const CapacityChange& a, const CapacityChange& b) { return std::tie(a.time, a.type) < std::tie(b.time, b.type); });
    std::vector<CapacityChange> result = merged(changes);
    refuse_negative_capacity(result, cluster);
    return result;
}

}  // namespace medley::simulator
