#pragma once
/// One backfill cycle's plan: which nodes are promised to which waiting jobs, and when.

#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "core/site_rules.h"
#include "planner/policies/booking_bounds.h"
#include "planner/policies/slurm/node_map.h"

namespace medley::planner {

/// Nodes that may not be used over a span: a site reservation, or the promise to another job. Whole nodes, as in Slurm.
struct NodeWindow {
    SimTime start;
    SimTime end;
    const SiteReservation* site = nullptr;  ///< null = a promise
};

/// By node.
using NodeWindows = std::vector<std::vector<NodeWindow>>;

/// What a waiting job needs.
struct PlanRequest {
    GpuTypeId type;
    GangShape shape;
    SimTime span;                               ///< wall time
    const std::vector<bool>* usable = nullptr;  ///< by node
    const SiteReservation* inside = nullptr;    ///< whose window is open to the job
};

struct PlannedStart {
    SimTime start;
    Placement placement;
};

/// Is none of the node's windows in the way of [from, to)?
bool open_between(const std::vector<NodeWindow>& windows, SimTime from, SimTime to, const SiteReservation* inside);

/// Thread rule: one thread. All references must outlive the plan.
class BackfillPlan {
 public:
    /// `windows` by node: when the site keeps it free.
    BackfillPlan(const NodeMap& map, SimTime now, const BackfillRules& rules, const NodeWindows& windows);

    /// The first start at which the gang's nodes have room, and no window for its whole wall time, and that is not after `latest`. Running
    /// jobs end as they declared; ends close together are taken for one, the last of them (30 s, then twice as far apart, and so on), as
    /// Slurm's will-run test does. Cost: O(nodes) for each time at which a window begins or ends, from the start of a lesser request on.
    std::optional<PlannedStart> earliest(const PlanRequest& request, SimTime latest);
    /// Promises the nodes; times are rounded outward to the resolution.
    void promise(const Placement& placement, SimTime start, SimTime end);

 private:
    /// Requests that differ at most in the GPUs of a node and in their span: nothing becomes free during a cycle, so a smaller and
    /// shorter one bounds the larger and longer.
    using BoundsKey = std::tuple<const std::vector<bool>*, const SiteReservation*, std::uint32_t, int, int>;
    BookingBounds& bounds_of(const PlanRequest& request);
    std::optional<PlannedStart> search(const PlanRequest& request, SimTime from, SimTime latest);
    bool open(const PlanRequest& request, std::size_t node, SimTime from) const;
    bool still_open(const PlanRequest& request, const Placement& placement, SimTime start) const;
    SimTime next_boundary(SimTime after) const;
    SimTime room_time(const PlanRequest& request, SimTime start);
    SimTime batch_end(GpuTypeId type, SimTime time);
    const std::vector<SimTime>& batches(GpuTypeId type);
    FreeNodes free_at(const PlanRequest& request, SimTime from, SimTime start) const;

    const NodeMap& map_;
    SimTime now_;
    SimTime resolution_;
    NodeWindows windows_;
    std::map<BoundsKey, BookingBounds> bounds_;
    std::set<SimTime> boundaries_;
    std::vector<std::vector<SimTime>> batches_;  ///< by type, made when first asked for
    std::vector<SimTime> times_;
};

}  // namespace medley::planner
