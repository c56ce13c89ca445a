#include "cost/plan_cost.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"
#include "cost/memory.h"
#include "cost/price.h"

namespace medley {
namespace {

GroupCost cost_of(const ReplicaGroup& group, const Profile& profile, bool exact) {
    if (group.tensor != 1 || group.pipeline != 1) {
        refuse_value("groups", fmt::format("tensor {}, pipeline {}", group.tensor, group.pipeline), "replicas of one device");
    }
    const GpuProfile* gpu = profile.find(group.gpu_type);
    if (gpu == nullptr) {
        refuse_value("gpu_type", group.gpu_type.text(), fmt::format("a type in the profile of {}", profile.model.text()));
    }
    return GroupCost{.compute = compute_seconds(*gpu, group.virtual_nodes),
                     .memory = device_memory(profile, *gpu, group.virtual_nodes, exact)};
}

}  // namespace

std::vector<TypeCount> counts_of(const Plan& plan) {
    std::vector<TypeCount> counts;
    for (const ReplicaGroup& group : plan.groups) {
        const auto found = std::find_if(counts.begin(), counts.end(), [&](const TypeCount& count) { return count.type == group.gpu_type; });
        if (found == counts.end()) {
            counts.push_back(TypeCount{.type = group.gpu_type, .gpus = group.gpus()});
        } else {
            found->gpus += group.gpus();
        }
    }
    return counts;
}

const ProfilePoint& profiled_point(const GpuProfile& gpu, Samples size) {
    const auto found = std::lower_bound(gpu.points.begin(), gpu.points.end(), size,
                                        [](const ProfilePoint& point, Samples batch) { return point.batch < batch; });
    if (found == gpu.points.end() || found->batch != size) {
        refuse_value("virtual node", fmt::format("{} samples", size.value), "a profiled size");
    }
    return *found;
}

Seconds compute_seconds(const GpuProfile& gpu, std::span<const Samples> virtual_nodes) {
    Seconds sum;
    for (std::size_t first = 0; first < virtual_nodes.size();) {
        std::size_t last = first;
        while (last < virtual_nodes.size() && virtual_nodes[last] == virtual_nodes[first]) { ++last; }
        sum += profiled_point(gpu, virtual_nodes[first]).seconds * static_cast<double>(last - first);
        first = last;
    }
    return sum;
}

PlanCost evaluate(const Plan& plan, const Profile& profile, std::span<const GpuType> types, const Communication& communication,
                  bool exact) {
    PlanCost cost;
    for (const ReplicaGroup& group : plan.groups) {
        cost.groups.push_back(cost_of(group, profile, exact));
        cost.compute = std::max(cost.compute, cost.groups.back().compute);
    }
    const std::vector<TypeCount> counts = counts_of(plan);
    const auto samples = static_cast<double>(plan.global_batch.value);
    cost.communication = communication.seconds(counts);
    cost.step = cost.compute + cost.communication;
    cost.samples_per_s = samples / cost.step.value;
    if (const auto usd = usd_per_second(counts, types)) { cost.usd_per_million_samples = *usd * cost.step.value / samples * 1e6; }
    if (const auto power = watts(counts, types)) { cost.joules_per_sample = *power * cost.step.value / samples; }
    return cost;
}

}  // namespace medley
