#include "executor/coordinator/roster.h"

#include <algorithm>

namespace medley::executor {
namespace {

bool same_device(const Place& a, const Place& b, bool same_speed) {
    return a.device == b.device && a.gpu_type == b.gpu_type && (!same_speed || a.speed == b.speed);
}

// Whom a resize would rather keep.
int merit(const WorkerFacts& facts) {
    if (facts.step != kNoState || facts.state == WorkerState::kTraining) { return 2; }
    return facts.ready ? 1 : 0;
}

std::vector<WorkerNumber> by_merit(const std::map<WorkerNumber, WorkerFacts>& workers) {
    std::vector<WorkerNumber> order;
    for (const auto& [number, facts] : workers) { order.push_back(number); }
    std::stable_sort(order.begin(), order.end(),
                     [&](WorkerNumber a, WorkerNumber b) { return merit(workers.at(a)) > merit(workers.at(b)); });
    return order;
}

}  // namespace

Milliseconds WorkerFacts::next_deadline() const { return std::min({connect_by, launch_by, back_by, silent_at, owes_stop_by}); }

WorkerFacts* Roster::find(WorkerNumber worker) {
    const auto found = workers.find(worker);
    return found == workers.end() ? nullptr : &found->second;
}

const WorkerFacts* Roster::find(WorkerNumber worker) const {
    const auto found = workers.find(worker);
    return found == workers.end() ? nullptr : &found->second;
}

Slot* Roster::remove(WorkerNumber worker) {
    const auto found = workers.find(worker);
    if (found == workers.end()) { return nullptr; }
    Slot* slot = found->second.slot ? &slots[*found->second.slot] : nullptr;
    if (slot != nullptr) { slot->worker.reset(); }
    workers.erase(found);
    return slot;
}

void Roster::retarget(const Placement& placement, Milliseconds now) {
    slots.clear();
    for (const Place& place : placement.places) { slots.push_back({.place = place}); }
    for (auto& [number, facts] : workers) { facts.slot.reset(); }
    std::vector<WorkerNumber> free = by_merit(workers);
    for (const bool same_speed : {true, false}) {
        for (std::size_t index = 0; index < slots.size(); ++index) {
            if (slots[index].worker) { continue; }
            const auto fit = std::find_if(free.begin(), free.end(), [&](WorkerNumber number) {
                return same_device(workers.at(number).place, slots[index].place, same_speed);
            });
            if (fit == free.end()) { continue; }
            slots[index].worker = *fit;
            workers.at(*fit).slot = index;
            free.erase(fit);
        }
    }
    for (Slot& slot : slots) {
        if (!slot.worker) { slot.launch_at = now; }
    }
}

bool Roster::expects_more() const {
    return std::any_of(slots.begin(), slots.end(), [this](const Slot& slot) {
        return slot.failures == 0 && !slot.given_up && !(slot.worker && workers.at(*slot.worker).ready);
    });
}

bool Roster::may_grow() const {
    return std::any_of(slots.begin(), slots.end(),
                       [this](const Slot& slot) { return !slot.given_up && !(slot.worker && workers.at(*slot.worker).ready); });
}

bool Roster::all_slots_ready() const {
    return std::all_of(slots.begin(), slots.end(), [this](const Slot& slot) { return slot.worker && workers.at(*slot.worker).ready; });
}

Step Roster::best_step() const {
    Step best = kNoState;
    for (const auto& [number, facts] : workers) {
        if (facts.state != WorkerState::kTraining) { best = std::max(best, facts.step); }
    }
    return best;
}

bool Roster::anyone_owes_stop() const {
    return std::any_of(workers.begin(), workers.end(), [](const auto& entry) { return entry.second.owes_stop(); });
}

Milliseconds Roster::next_deadline() const {
    Milliseconds next = kNever;
    for (const auto& [number, facts] : workers) { next = std::min(next, facts.next_deadline()); }
    return next;
}

void Roster::put_off(Milliseconds slept) {
    for (auto& [number, facts] : workers) {
        for (Milliseconds* deadline : {&facts.connect_by, &facts.launch_by, &facts.back_by, &facts.silent_at, &facts.owes_stop_by}) {
            if (*deadline < kNever) { *deadline += slept; }
        }
    }
}

}  // namespace medley::executor
