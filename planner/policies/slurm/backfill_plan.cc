#include "planner/policies/slurm/backfill_plan.h"

#include <algorithm>

namespace medley::planner {
namespace {

constexpr SimTime kFirstBatch{30'000'000'000};  // Slurm's will-run test: ends within 30 s of one another at first

SimTime rounded_down(SimTime time, SimTime unit) { return SimTime{time.value - time.value % unit.value}; }

SimTime sum(SimTime a, SimTime b) { return b.value > kNever.value - a.value ? kNever : a + b; }

}  // namespace

bool open_between(const std::vector<NodeWindow>& windows, SimTime from, SimTime to, const SiteReservation* inside) {
    return std::none_of(windows.begin(), windows.end(), [&](const NodeWindow& window) {
        return window.start < to && window.end > from && (window.site == nullptr || window.site != inside);
    });
}

BackfillPlan::BackfillPlan(const NodeMap& map, SimTime now, const BackfillRules& rules, const std::vector<std::vector<NodeWindow>>& windows)
    : map_(map), now_(now), resolution_(to_sim_time(rules.resolution)), windows_(windows) {
    for (const std::vector<NodeWindow>& node : windows_) {
        for (const NodeWindow& window : node) {
            boundaries_.insert(window.start);
            boundaries_.insert(window.end);
        }
    }
}

bool BackfillPlan::open(const PlanRequest& request, std::size_t node, SimTime from) const {
    return (*request.usable)[node] && open_between(windows_[node], from, sum(from, request.span), request.inside);
}

SimTime BackfillPlan::next_boundary(SimTime after) const {
    const auto next = boundaries_.upper_bound(after);
    return next != boundaries_.end() ? *next : kNever;
}

BookingBounds& BackfillPlan::bounds_of(const PlanRequest& request) {
    const GangShape& shape = request.shape;
    // With a rest, a lesser request has the same full nodes and a smaller rest.
    const int full = shape.rest > 0 ? shape.per_node : 0;
    return bounds_[{request.usable, request.inside, request.type.value, shape.spread > 0 ? -1 : shape.nodes, full}];
}

std::optional<PlannedStart> BackfillPlan::earliest(const PlanRequest& request, SimTime latest) {
    const GangShape& shape = request.shape;
    const int gpus = std::max(shape.spread, shape.rest > 0 ? shape.rest : shape.per_node);
    BookingBounds& bounds = bounds_of(request);
    auto found = search(request, std::max(now_, bounds.earliest(gpus, request.span)), latest);
    bounds.learn(gpus, request.span, found ? found->start : latest + SimTime{1});
    return found;
}

std::optional<PlannedStart> BackfillPlan::search(const PlanRequest& request, SimTime from, SimTime latest) {
    while (from <= latest && from < kNever) {
        const SimTime next = next_boundary(from);
        const SimTime room = room_time(request, from);
        const SimTime start = room == kNever ? kNever : std::max(from, room > now_ ? batch_end(request.type, room) : room);
        if (start > next) {  // by then more nodes may be open
            from = next;
            continue;
        }
        if (start > latest) { return std::nullopt; }
        auto placement = choose_nodes(map_, request.type, request.shape, free_at(request, from, start));
        if (placement && still_open(request, *placement, start)) {
            return PlannedStart{.start = start, .placement = std::move(*placement)};
        }
        from = start > from ? start : next;
    }
    return std::nullopt;
}

// Running jobs may have put the start off, into a window that was out of reach.
bool BackfillPlan::still_open(const PlanRequest& request, const Placement& placement, SimTime start) const {
    return std::all_of(placement.begin(), placement.end(),
                       [&](const NodeShare& share) { return open(request, share.node.index(), start); });
}

// When enough of the nodes that are open from `start` on have room; kNever if they never have.
SimTime BackfillPlan::room_time(const PlanRequest& request, SimTime start) {
    const auto [first, last] = map_.range(request.type);
    const GangShape& shape = request.shape;
    times_.clear();
    std::vector<SimTime> rest_times;
    for (std::size_t index = first; index < last; ++index) {
        if (!open(request, index, start)) { continue; }
        if (shape.spread > 0) {
            times_.push_back(map_.free_time(NodeId(index), map_.node(NodeId(index)).gpus - map_.node(NodeId(index)).down, now_));
            continue;
        }
        times_.push_back(map_.free_time(NodeId(index), shape.per_node, now_));
        if (shape.rest > 0) { rest_times.push_back(map_.free_time(NodeId(index), shape.rest, now_)); }
    }
    const auto nodes = static_cast<std::size_t>(shape.spread > 0 ? times_.size() : static_cast<std::size_t>(shape.nodes));
    if (times_.size() < nodes || nodes == 0) { return kNever; }
    std::nth_element(times_.begin(), times_.begin() + static_cast<std::ptrdiff_t>(nodes - 1), times_.end());
    SimTime room = times_[nodes - 1];
    if (shape.rest == 0) { return room; }
    if (rest_times.size() <= nodes) { return kNever; }
    std::nth_element(rest_times.begin(), rest_times.begin() + static_cast<std::ptrdiff_t>(nodes), rest_times.end());
    return std::max(room, rest_times[nodes]);
}

SimTime BackfillPlan::batch_end(GpuTypeId type, SimTime time) {
    const std::vector<SimTime>& ends = batches(type);
    const auto found = std::lower_bound(ends.begin(), ends.end(), time);
    return found != ends.end() ? *found : time;
}

const std::vector<SimTime>& BackfillPlan::batches(GpuTypeId type) {
    if (batches_.size() <= type.index()) { batches_.resize(type.index() + 1); }
    std::vector<SimTime>& batches = batches_[type.index()];
    if (!batches.empty()) { return batches; }
    const auto [first, last] = map_.range(type);
    std::vector<SimTime> ends;
    for (std::size_t index = first; index < last; ++index) {
        for (const NodeMap::Running& running : map_.node(NodeId(index)).running) { ends.push_back(std::max(now_, running.end)); }
    }
    std::sort(ends.begin(), ends.end());
    SimTime width = kFirstBatch;
    for (auto begin = ends.begin(); begin != ends.end(); width += width) {
        const auto end = std::upper_bound(begin, ends.end(), sum(*begin, width));
        batches.push_back(*std::prev(end));
        begin = end;
        if (width.value > kNever.value / 4) { break; }
    }
    return batches;
}

FreeNodes BackfillPlan::free_at(const PlanRequest& request, SimTime from, SimTime start) const {
    FreeNodes free{.gpus = std::vector<int>(map_.size(), 0), .load = std::vector<int>(map_.size(), 0)};
    const auto [first, last] = map_.range(request.type);
    for (std::size_t index = first; index < last; ++index) {
        if (!open(request, index, from)) { continue; }
        const bool at_once = start <= now_;
        free.gpus[index] = at_once ? map_.node(NodeId(index)).free : map_.free_at(NodeId(index), start);
        free.load[index] = at_once ? map_.node(NodeId(index)).cpus_used : map_.load_at(NodeId(index), start);
    }
    return free;
}

void BackfillPlan::promise(const Placement& placement, SimTime start, SimTime end) {
    const NodeWindow window{.start = rounded_down(start, resolution_),
                            .end = rounded_down(sum(end, resolution_ - SimTime{1}), resolution_)};
    for (const NodeShare& share : placement) { windows_[share.node.index()].push_back(window); }
    boundaries_.insert(window.start);
    boundaries_.insert(window.end);
}

}  // namespace medley::planner
