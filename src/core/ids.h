#pragma once
/// Index-like identifiers, one type per kind of thing: a GPU type's id cannot be used where a job's is wanted.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace medley {

template <class Tag>
struct Id {
    static constexpr std::uint32_t kInvalid = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t value = kInvalid;

    constexpr Id() = default;
    constexpr explicit Id(std::size_t index) : value(static_cast<std::uint32_t>(index)) {}
    constexpr std::size_t index() const { return value; }
    constexpr bool valid() const { return value != kInvalid; }
    constexpr auto operator<=>(const Id&) const = default;
};

/// Position of a job in `Trace::jobs` (after ordering), or in the order of submission in a live cluster.
using JobId = Id<struct JobTag>;
/// Position in `Cluster::gpu_types`; the file's order, which is also the order of preference of type-unaware policies.
using GpuTypeId = Id<struct GpuTypeTag>;

}  // namespace medley

template <class Tag>
struct std::hash<medley::Id<Tag>> {
    std::size_t operator()(medley::Id<Tag> id) const noexcept { return id.value; }
};
