#include "core/plan.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "core/error.h"

namespace medley {
namespace {

void validate_group(const ReplicaGroup& group, std::size_t index) {
    const std::string place = fmt::format("groups[{}]", index);
    if (group.gpu_type.empty()) { refuse_value(place + ".gpu_type", "", "a GPU type"); }
    const int least = std::min({group.replicas, group.tensor, group.pipeline});
    if (least < 1) { refuse_value(place, fmt::format("{}", least), "replicas, tensor and pipeline of at least 1"); }
    if (group.virtual_nodes.empty()) { refuse_value(place + ".virtual_nodes", "", "at least one virtual node"); }
    for (const Samples size : group.virtual_nodes) {
        if (size.value < 1) { refuse_value(place + ".virtual_nodes", fmt::format("{}", size.value), "a size of at least 1"); }
    }
}

}  // namespace

Samples ReplicaGroup::batch_per_replica() const {
    Samples sum;
    for (const Samples size : virtual_nodes) { sum += size; }
    return sum;
}

int Plan::gpus() const {
    int total = 0;
    for (const ReplicaGroup& group : groups) { total += group.gpus(); }
    return total;
}

std::vector<Samples> Plan::virtual_nodes() const {
    std::vector<Samples> all;
    for (const ReplicaGroup& group : groups) {
        for (int replica = 0; replica < group.replicas; ++replica) {
            all.insert(all.end(), group.virtual_nodes.begin(), group.virtual_nodes.end());
        }
    }
    std::sort(all.begin(), all.end(), std::greater<>());
    return all;
}

void Plan::validate() const {
    if (groups.empty()) { refuse_value("groups", "", "at least one replica group"); }
    Samples sum;
    for (std::size_t index = 0; index < groups.size(); ++index) {
        validate_group(groups[index], index);
        sum += groups[index].batch_per_replica() * groups[index].replicas;
    }
    if (sum != global_batch) {
        refuse_value("global_batch", fmt::format("{}", global_batch.value), fmt::format("the sum of the virtual nodes, {}", sum.value));
    }
}

}  // namespace medley
