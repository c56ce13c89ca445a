#include "cost/memory.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"
#include "cost/plan_cost.h"

namespace medley {

Bytes resident_memory(const Profile& profile, bool exact) {
    const Bytes kept = profile.state + profile.gradient;
    if (!exact) { return kept; }
    if (profile.parameters <= 0) {
        refuse_value(fmt::format("profile of {}: parameters", profile.model.text()), "not stated", "a count, which exact summation needs");
    }
    return kept + Bytes{kExactBytesPerParameter * profile.parameters};
}

std::optional<Bytes> device_memory(const Profile& profile, const GpuProfile& gpu, std::span<const Samples> virtual_nodes, bool exact) {
    Bytes largest;
    for (const Samples size : virtual_nodes) {
        const std::optional<Bytes> memory = profiled_point(gpu, size).memory;
        if (!memory) { return std::nullopt; }
        largest = std::max(largest, *memory);
    }
    return resident_memory(profile, exact) + largest;
}

bool fits(const ProfilePoint& point, const GpuType& type, Bytes resident) {
    if (!type.memory) { return true; }
    return resident + point.memory.value_or(Bytes{0}) <= *type.memory;
}

}  // namespace medley
