#include "executor/coordinator/arrangement.h"

#include <algorithm>
#include <utility>

#include "executor/coordinator/mapping.h"

namespace medley::executor {
namespace {

using Workers = std::vector<WorkerNumber>;

bool among(std::span<const WorkerNumber> workers, WorkerNumber worker) {
    return std::find(workers.begin(), workers.end(), worker) != workers.end();
}

Workers ready_in_slots(const Roster& roster) {
    Workers chosen;
    for (const Slot& slot : roster.slots) {
        if (slot.worker && roster.find(*slot.worker)->ready) { chosen.push_back(*slot.worker); }
    }
    return chosen;
}

void add_holders(std::span<const WorkerNumber> holders, Workers& chosen) {
    for (const WorkerNumber holder : holders) {
        if (!among(chosen, holder)) { chosen.push_back(holder); }
    }
}

void fit_to(std::size_t most, std::span<const WorkerNumber> holders, Workers& chosen) {
    if (chosen.size() <= most) { return; }
    std::stable_partition(chosen.begin(), chosen.end(), [&](WorkerNumber worker) { return among(holders, worker); });
    chosen.resize(most);
}

bool fills_slots(const Roster& roster, const Workers& chosen) {
    return chosen.size() == roster.slots.size() && std::equal(chosen.begin(), chosen.end(), roster.slots.begin(),
                                                              [](WorkerNumber worker, const Slot& slot) { return slot.worker == worker; });
}

Placement wanted(const Roster& roster) {
    Placement placement;
    for (const Slot& slot : roster.slots) { placement.places.push_back(slot.place); }
    return placement;
}

Placement spread_over(const Roster& roster, const Workers& chosen, std::span<const std::int64_t> virtual_nodes, Rebalance rebalance) {
    std::vector<Place> live;
    for (const WorkerNumber worker : chosen) { live.push_back(roster.find(worker)->place); }
    if (rebalance != nullptr) {
        Placement placement = rebalance(live, virtual_nodes);
        if (placement.places.size() == live.size() && placement_problem(placement, virtual_nodes.size()).empty()) { return placement; }
    }
    return rebalance_by_speed(live, virtual_nodes);
}

std::optional<std::uint32_t> first_holder(const Workers& chosen, std::span<const WorkerNumber> holders) {
    const auto found = std::find_if(chosen.begin(), chosen.end(), [&](WorkerNumber worker) { return among(holders, worker); });
    if (found == chosen.end()) { return std::nullopt; }
    return static_cast<std::uint32_t>(found - chosen.begin());
}

void keep_to_hand_on(const Roster& roster, WorkerNumber holder, Arrangement& arrangement) {
    Place place = roster.find(holder)->place;
    place.virtual_nodes.clear();
    arrangement.source = static_cast<std::uint32_t>(arrangement.members.size());
    arrangement.members.push_back(holder);
    arrangement.placement.places.push_back(std::move(place));
    arrangement.as_wanted = false;
}

}  // namespace

std::optional<Arrangement> arrange(const Roster& roster, std::span<const WorkerNumber> holders, std::span<const std::int64_t> virtual_nodes,
                                   Rebalance rebalance) {
    if (holders.empty() && roster.expects_more()) { return std::nullopt; }
    Workers chosen = ready_in_slots(roster);
    if (roster.expects_more() || chosen.empty()) {
        add_holders(holders, chosen);
        fit_to(virtual_nodes.size(), holders, chosen);
    }
    if (chosen.empty()) { return std::nullopt; }
    Arrangement arrangement{.as_wanted = fills_slots(roster, chosen)};
    arrangement.placement = arrangement.as_wanted ? wanted(roster) : spread_over(roster, chosen, virtual_nodes, rebalance);
    arrangement.source = first_holder(chosen, holders);
    arrangement.members = std::move(chosen);
    if (!arrangement.source && !holders.empty()) { keep_to_hand_on(roster, holders.front(), arrangement); }
    return arrangement;
}

}  // namespace medley::executor
