#include "planner/policies/slurm/node_map.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/error.h"

namespace medley::planner {

NodeMap::NodeMap(const Cluster& cluster, int cpus_per_node)
    : cpus_per_node_(cpus_per_node), sizes_(cluster.gpu_types.size()), down_(cluster.gpu_types.size(), 0) {
    for (std::size_t type = 0; type < cluster.gpu_types.size(); ++type) {
        const std::size_t first = nodes_.size();
        for (std::size_t group = 0; group < cluster.nodes.size(); ++group) {
            const NodeGroup& nodes = cluster.nodes[group];
            if (nodes.gpu != GpuTypeId(type)) { continue; }
            const bool alike = group > 0 && cluster.nodes[group - 1].gpu == nodes.gpu && cluster.nodes[group - 1].gpus == nodes.gpus;
            const Node node{.type = nodes.gpu,
                            .group = static_cast<std::uint32_t>(group),
                            .weight = alike ? nodes_.back().weight : static_cast<std::uint32_t>(group),
                            .gpus = nodes.gpus,
                            .free = nodes.gpus};
            nodes_.insert(nodes_.end(), static_cast<std::size_t>(nodes.count), node);
            sizes_[type].insert(sizes_[type].end(), static_cast<std::size_t>(nodes.count), nodes.gpus);
        }
        std::sort(sizes_[type].begin(), sizes_[type].end(), std::greater<>());
        ranges_.emplace_back(first, nodes_.size());
    }
}

GangShape NodeMap::shape(int gpus, int stated_nodes, GpuTypeId type) const {
    const std::vector<int>& sizes = sizes_[type.index()];
    if (sizes.empty()) { return {.spread = gpus}; }
    const auto wanted = static_cast<std::size_t>(stated_nodes);
    if (stated_nodes > 0 && stated_nodes <= gpus && wanted <= sizes.size()) {
        const int per_node = (gpus + stated_nodes - 1) / stated_nodes;
        const int rest = gpus - per_node * (stated_nodes - 1);
        if (rest > 0 && sizes[wanted - 1] >= per_node) {
            if (rest == per_node) { return {.nodes = stated_nodes, .per_node = per_node}; }
            return {.nodes = stated_nodes - 1, .per_node = per_node, .rest = rest};
        }
    }
    const int size = sizes.front();
    if (gpus <= size) { return {.nodes = 1, .per_node = gpus}; }
    const int full = gpus / size;
    const int rest = gpus % size;
    const auto needed = static_cast<std::size_t>(full + (rest > 0 ? 1 : 0));
    const bool fits = needed <= sizes.size() && sizes[static_cast<std::size_t>(full) - 1] == size && sizes[needed - 1] >= rest;
    return fits ? GangShape{.nodes = full, .per_node = size, .rest = rest} : GangShape{.spread = gpus};
}

void NodeMap::set_capacity(GpuTypeId type, int gpus) {
    const auto [first, last] = range(type);
    int total = 0;
    for (std::size_t index = first; index < last; ++index) { total += nodes_[index].gpus; }
    int missing = std::max(0, total - gpus);
    if (missing == 0 && down_[type.index()] == 0) { return; }
    down_[type.index()] = missing;
    for (std::size_t index = last; index-- > first;) {
        Node& node = nodes_[index];
        node.free += std::exchange(node.down, 0);
        node.down = std::min(missing, node.free);
        node.free -= node.down;
        missing -= node.down;
    }
}

int NodeMap::free(GpuTypeId type) const {
    const auto [first, last] = range(type);
    int gpus = 0;
    for (std::size_t index = first; index < last; ++index) { gpus += nodes_[index].free; }
    return gpus;
}

void NodeMap::place(JobId job, const Placement& placement, SimTime end, int cpus) {
    const int share = placement.empty() ? 0 : cpus / static_cast<int>(placement.size());
    for (const NodeShare& each : placement) {
        Node& node = nodes_[each.node.index()];
        node.free -= each.gpus;
        node.cpus_used += share;
        MEDLEY_ASSERT(node.free >= 0);
        const auto before = [](const Running& a, const Running& b) { return a.end < b.end; };
        const Running running{.end = end, .job = job, .gpus = each.gpus, .cpus = share};
        node.running.insert(std::upper_bound(node.running.begin(), node.running.end(), running, before), running);
    }
    placements_[job] = placement;
}

void NodeMap::remove(JobId job) {
    const auto found = placements_.find(job);
    if (found == placements_.end()) { return; }
    for (const NodeShare& each : found->second) {
        Node& node = nodes_[each.node.index()];
        const auto own = std::find_if(node.running.begin(), node.running.end(), [job](const Running& other) { return other.job == job; });
        node.free += own->gpus;
        node.cpus_used -= own->cpus;
        node.running.erase(own);
    }
    placements_.erase(found);
}

const Placement* NodeMap::placement(JobId job) const {
    const auto found = placements_.find(job);
    return found != placements_.end() ? &found->second : nullptr;
}

FreeNodes NodeMap::free_now() const {
    FreeNodes free;
    for (const Node& node : nodes_) {
        free.gpus.push_back(node.free);
        free.load.push_back(node.cpus_used);
    }
    return free;
}

int NodeMap::free_at(NodeId id, SimTime time) const {
    int gpus = node(id).free;
    for (const Running& running : node(id).running) {
        if (running.end > time) { break; }
        gpus += running.gpus;
    }
    return gpus;
}

int NodeMap::load_at(NodeId id, SimTime time) const {
    int cpus = node(id).cpus_used;
    for (const Running& running : node(id).running) {
        if (running.end > time) { break; }
        cpus -= running.cpus;
    }
    return cpus;
}

SimTime NodeMap::free_time(NodeId id, int gpus, SimTime now) const {
    int free = node(id).free;
    if (free >= gpus) { return now; }
    for (const Running& running : node(id).running) {
        free += running.gpus;
        if (free >= gpus) { return std::max(now, running.end); }
    }
    return kNever;
}

namespace {

/// Neighbouring nodes of one weight, all with room.
struct NodeRun {
    std::size_t first = 0;
    std::size_t length = 0;
    int spare = 0;  ///< the less, the fuller its nodes are
};

class NodeChooser {
 public:
    NodeChooser(const NodeMap& map, GpuTypeId type, const FreeNodes& free) : map_(map), free_(free), range_(map.range(type)) {
        taken_.resize(range_.second - range_.first, false);
    }

    std::optional<Placement> choose(const GangShape& shape) {
        if (shape.spread > 0) { return spread(shape.spread); }
        const bool even = shape.nodes == 1 ? take_one(shape.per_node) : take_many(shape.nodes, shape.per_node);
        if (!even || (shape.rest > 0 && !take_one(shape.rest))) { return std::nullopt; }
        return std::move(placement_);
    }

 private:
    bool has_room(std::size_t index, int gpus) const { return !taken_[index - range_.first] && free_.gpus[index] >= gpus; }

    void take(std::size_t index, int gpus) {
        taken_[index - range_.first] = true;
        placement_.push_back({.node = NodeId(index), .gpus = gpus});
    }

    int spare(std::size_t index) const { return map_.cpus_per_node() > 0 ? map_.cpus_per_node() - free_.load[index] : free_.gpus[index]; }

    /// The runs of the first weight that has any, from `from` on; moves `from` past them.
    std::vector<NodeRun> next_runs(std::size_t& from, int gpus) const {
        std::vector<NodeRun> runs;
        for (; from < range_.second; ++from) {
            const std::uint32_t weight = map_.node(NodeId(from)).weight;
            if (!runs.empty() && map_.node(NodeId(runs.front().first)).weight != weight) { break; }
            if (!has_room(from, gpus)) { continue; }
            if (runs.empty() || runs.back().first + runs.back().length != from) { runs.push_back({.first = from}); }
            ++runs.back().length;
            runs.back().spare += spare(from);
        }
        return runs;
    }

    bool take_one(int gpus) {
        std::size_t from = range_.first;
        const std::vector<NodeRun> runs = next_runs(from, gpus);
        if (runs.empty()) { return false; }
        const auto less = [](const NodeRun& a, const NodeRun& b) { return a.spare < b.spare; };
        const NodeRun run = *std::min_element(runs.begin(), runs.end(), less);
        std::size_t best = run.first;
        for (std::size_t index = run.first + 1; index < run.first + run.length; ++index) {
            if (spare(index) < spare(best)) { best = index; }
        }
        take(best, gpus);
        return true;
    }

    bool take_many(int nodes, int gpus) {
        std::size_t from = range_.first;
        auto missing = static_cast<std::size_t>(nodes);
        while (missing > 0 && from < range_.second) {
            std::vector<NodeRun> runs = next_runs(from, gpus);
            while (missing > 0 && !runs.empty()) {
                const auto better = [missing](const NodeRun& a, const NodeRun& b) {
                    const bool a_suffices = a.length >= missing;
                    const bool b_suffices = b.length >= missing;
                    if (a_suffices != b_suffices) { return a_suffices; }
                    return a_suffices ? a.spare < b.spare : a.length > b.length;
                };
                const auto best = std::min_element(runs.begin(), runs.end(), better);
                const std::size_t used = std::min(missing, best->length);
                for (std::size_t index = best->first; index < best->first + used; ++index) { take(index, gpus); }
                missing -= used;
                runs.erase(best);
            }
        }
        return missing == 0;
    }

    std::optional<Placement> spread(int gpus) {
        for (std::size_t index = range_.first; index < range_.second && gpus > 0; ++index) {
            const int share = std::min(gpus, std::max(0, free_.gpus[index]));
            if (share > 0) { take(index, share); }
            gpus -= share;
        }
        if (gpus > 0) { return std::nullopt; }
        return std::move(placement_);
    }

    const NodeMap& map_;
    const FreeNodes& free_;
    std::pair<std::size_t, std::size_t> range_;
    std::vector<bool> taken_;
    Placement placement_;
};

}  // namespace

std::optional<Placement> choose_nodes(const NodeMap& map, GpuTypeId type, const GangShape& shape, const FreeNodes& free) {
    return NodeChooser(map, type, free).choose(shape);
}

}  // namespace medley::planner
