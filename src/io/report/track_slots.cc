#include "io/report/track_slots.h"

namespace medley::io {

void TrackSlots::place(const std::vector<JobSpan>& spans, const std::vector<std::uint32_t>& order, GpuTypeId type,
                       std::vector<std::uint32_t>& tracks) {
    std::vector<std::uint32_t> group;
    for (const std::uint32_t index : order) {
        if (spans[index].type != type) { continue; }
        if (!group.empty() && spans[group.front()].begin != spans[index].begin) {
            place_together(spans, group, tracks);
            group.clear();
        }
        group.push_back(index);
    }
    place_together(spans, group, tracks);
}

// Those that go on come first, so that nobody takes their tracks.
void TrackSlots::place_together(const std::vector<JobSpan>& spans, const std::vector<std::uint32_t>& group,
                                std::vector<std::uint32_t>& tracks) {
    std::vector<std::uint32_t> arriving;
    for (const std::uint32_t index : group) {
        const JobSpan& span = spans[index];
        const auto before = occupants_.find(span.lanes.first);
        const bool goes_on = before != occupants_.end() && before->second.job == span.job && before->second.end == span.begin;
        if (!goes_on) {
            arriving.push_back(index);
            continue;
        }
        tracks[index] = before->second.track;
        occupy(span, tracks[index]);
    }
    if (arriving.empty()) { return; }
    free_until(spans[arriving.front()].begin);
    for (const std::uint32_t index : arriving) {
        tracks[index] = free_track();
        occupy(spans[index], tracks[index]);
    }
}

void TrackSlots::occupy(const JobSpan& span, std::uint32_t track) {
    busy_until_[track] = span.end;
    occupants_[span.lanes.first] = {.job = span.job, .end = span.end, .track = track};
    ends_.emplace(span.end, track);
}

// A track whose job went on has a later end than the one that comes up here.
void TrackSlots::free_until(SimTime now) {
    while (!ends_.empty() && ends_.top().first <= now) {
        const auto [end, track] = ends_.top();
        ends_.pop();
        if (busy_until_[track] != end) { continue; }
        busy_until_[track] = kNever;
        free_.push(track);
    }
}

std::uint32_t TrackSlots::free_track() {
    if (free_.empty()) {
        busy_until_.emplace_back();
        return tracks() - 1;
    }
    const std::uint32_t track = free_.top();
    free_.pop();
    return track;
}

}  // namespace medley::io
