#include "cli/run_placement.h"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "cli/options.h"
#include "core/error.h"
#include "executor/coordinator/mapping.h"
#include "io/plan_file.h"
#include "io/resize_plan_file.h"
#include "planner/virtual_nodes/planner.h"

namespace medley::cli {
namespace {

using executor::Place;
using executor::Placement;
using executor::VirtualNode;

constexpr std::int64_t kMostWorkers = 100'000;

/// Positions of virtual nodes not yet placed, by size; equal ones go out in order.
class Unplaced {
 public:
    explicit Unplaced(std::span<const std::int64_t> sizes) {
        for (std::size_t index = sizes.size(); index-- > 0;) { by_size_[sizes[index]].push_back(static_cast<VirtualNode>(index)); }
    }
    std::optional<VirtualNode> take(std::int64_t size) {
        const auto found = by_size_.find(size);
        if (found == by_size_.end() || found->second.empty()) { return std::nullopt; }
        const VirtualNode node = found->second.back();
        found->second.pop_back();
        return node;
    }
    bool empty() const {
        return std::all_of(by_size_.begin(), by_size_.end(), [](const auto& entry) { return entry.second.empty(); });
    }

 private:
    std::map<std::int64_t, std::vector<VirtualNode>> by_size_;
};

[[noreturn]] void refuse_other_nodes(const Plan& plan) {
    refuse_value("groups", fmt::format("{} virtual nodes", plan.virtual_nodes().size()),
                 "the virtual nodes that the run began with: their sizes stay, only their places change");
}

std::vector<VirtualNode> take_all(Unplaced& unplaced, const Plan& plan, const std::vector<Samples>& sizes) {
    std::vector<VirtualNode> nodes;
    for (const Samples size : sizes) {
        const auto node = unplaced.take(size.value);
        if (!node) { refuse_other_nodes(plan); }
        nodes.push_back(*node);
    }
    return nodes;
}

std::vector<Place> empty_places(std::size_t count, const std::string& gpu_type, DeviceSource& devices) {
    std::vector<Place> places;
    for (std::size_t index = 0; index < count; ++index) {
        places.push_back({.device = devices.next(), .gpu_type = gpu_type, .speed = 1, .virtual_nodes = {}});
    }
    return places;
}

void refuse_too_many(const SpreadOptions& options, std::size_t places) {
    const std::size_t most = options.virtual_nodes.size();
    if (places > most) {
        refuse_value(options.option, fmt::format("{} devices", places), fmt::format("at most {}, one for each virtual node", most));
    }
}

/// "4,2,2": in the order of the virtual nodes.
Placement by_counts(const std::vector<std::string>& parts, const SpreadOptions& options, DeviceSource& devices) {
    std::vector<Place> places = empty_places(parts.size(), options.gpu_type, devices);
    const auto most = static_cast<std::int64_t>(options.virtual_nodes.size());
    VirtualNode next = 0;
    for (std::size_t index = 0; index < parts.size(); ++index) {
        const std::int64_t count = parse_whole(options.option, parts[index], 1, most);
        for (std::int64_t node = 0; node < count; ++node) { places[index].virtual_nodes.push_back(next++); }
    }
    if (next != options.virtual_nodes.size()) {
        refuse_value(options.option, fmt::format("{} virtual nodes in all", next), fmt::format("{}, as the plan has", most));
    }
    return {.places = std::move(places)};
}

Placement by_workers(std::int64_t workers, const SpreadOptions& options, DeviceSource& devices) {
    refuse_too_many(options, static_cast<std::size_t>(workers));
    const auto places = empty_places(static_cast<std::size_t>(workers), options.gpu_type, devices);
    return executor::rebalance_by_speed(places, options.virtual_nodes);
}

bool profiled(const Profile* profile, const std::vector<GpuCount>& counts) {
    return profile != nullptr && std::all_of(counts.begin(), counts.end(), [&](const GpuCount& count) {
               const GpuProfile* gpu = profile->find(count.gpu_type);
               return gpu != nullptr && !gpu->points.empty();
           });
}

/// The planner's best for the fixed list; empty where it knows none that uses every GPU.
std::optional<Plan> planned(const std::vector<GpuCount>& counts, const SpreadOptions& options) {
    planner::PlanRequest request{.profile = options.profile, .offered = {}, .virtual_nodes = {}, .communication = {}};
    int gpus = 0;
    for (const GpuCount& count : counts) {
        request.offered.push_back({.type = GpuType{.name = count.gpu_type}, .gpus = count.gpus});
        gpus += count.gpus;
    }
    for (const std::int64_t size : options.virtual_nodes) { request.virtual_nodes.emplace_back(size); }
    request.global_batch = Samples{std::accumulate(options.virtual_nodes.begin(), options.virtual_nodes.end(), std::int64_t{0})};
    const planner::PlanOutcome outcome = planner::best_plan(request);
    if (!outcome.feasible() || outcome.best->plan.gpus() != gpus) { return std::nullopt; }
    return outcome.best->plan;
}

Placement by_types(const std::vector<GpuCount>& counts, const SpreadOptions& options, DeviceSource& devices) {
    std::size_t total = 0;
    for (const GpuCount& count : counts) { total += static_cast<std::size_t>(count.gpus); }
    refuse_too_many(options, total);
    if (profiled(options.profile, counts)) {
        if (const auto plan = planned(counts, options)) { return placement_of(*plan, options.virtual_nodes, devices); }
    }
    std::vector<Place> places;
    for (const GpuCount& count : counts) {
        for (Place& place : empty_places(static_cast<std::size_t>(count.gpus), count.gpu_type.text(), devices)) {
            places.push_back(std::move(place));
        }
    }
    return executor::rebalance_by_speed(places, options.virtual_nodes);
}

}  // namespace

std::vector<std::int64_t> virtual_node_sizes(const Plan& plan) {
    std::vector<std::int64_t> sizes;
    for (const Samples size : plan.virtual_nodes()) { sizes.push_back(size.value); }
    return sizes;
}

Placement placement_of(const Plan& plan, std::span<const std::int64_t> virtual_nodes, DeviceSource& devices) {
    Unplaced unplaced(virtual_nodes);
    Placement placement;
    for (std::size_t index = 0; index < plan.groups.size(); ++index) {
        const ReplicaGroup& group = plan.groups[index];
        if (group.tensor * group.pipeline > 1 || group.sharded_state) {
            refuse_value(fmt::format("groups[{}]", index), fmt::format("{} devices a replica", group.tensor * group.pipeline),
                         "one device for each replica: a run is data-parallel");
        }
        for (int replica = 0; replica < group.replicas; ++replica) {
            placement.places.push_back({.device = devices.next(),
                                        .gpu_type = group.gpu_type.text(),
                                        .speed = 1,
                                        .virtual_nodes = take_all(unplaced, plan, group.virtual_nodes)});
        }
    }
    if (!unplaced.empty()) { refuse_other_nodes(plan); }
    return placement;
}

Plan plan_of(const Placement& placement, std::span<const std::int64_t> virtual_nodes, Name model) {
    Plan plan{.model = model, .global_batch = Samples{0}, .groups = {}};
    for (const Place& place : placement.places) {
        ReplicaGroup group{.gpu_type = Name(place.gpu_type), .replicas = 1, .virtual_nodes = {}};
        for (const VirtualNode node : place.virtual_nodes) { group.virtual_nodes.emplace_back(virtual_nodes[node]); }
        std::sort(group.virtual_nodes.begin(), group.virtual_nodes.end(), std::greater<>());
        plan.global_batch += group.batch_per_replica();
        const auto alike = [&](const ReplicaGroup& other) {
            return other.gpu_type == group.gpu_type && other.virtual_nodes == group.virtual_nodes;
        };
        const auto known = std::find_if(plan.groups.begin(), plan.groups.end(), alike);
        if (known == plan.groups.end()) {
            plan.groups.push_back(std::move(group));
        } else {
            ++known->replicas;
        }
    }
    return plan;
}

Placement parse_placement(std::string_view text, const SpreadOptions& options, DeviceSource& devices) {
    if (io::names_plan_file(text)) { return placement_of(io::load_plan(std::string(text)), options.virtual_nodes, devices); }
    if (text.find('=') != std::string_view::npos) { return by_types(parse_gpu_counts(options.option, text), options, devices); }
    const std::vector<std::string> parts = parse_list(options.option, text, ',');
    if (parts.size() > 1) { return by_counts(parts, options, devices); }
    return by_workers(parse_whole(options.option, text, 1, kMostWorkers), options, devices);
}

}  // namespace medley::cli
