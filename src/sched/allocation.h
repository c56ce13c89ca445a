#pragma once
/// GPUs by type, and what a job holds or shall hold.

#include <memory>

#include "core/ids.h"
#include "core/inline_vector.h"
#include "core/plan.h"

namespace medley {

struct Grant {
    GpuTypeId type;
    int gpus = 0;
    bool operator==(const Grant&) const = default;
};

/// Few jobs mix more than two types.
using Grants = InlineVector<Grant, 2>;

/// GPUs of one job: ascending by type, each type once, counts above 0; empty = none. A rigid gang has one grant. `plan` says how
/// the job's virtual nodes lie on them where a planner was asked (always for mixed types); without it the gang runs as profiled.
struct Allocation {
    Grants grants;
    std::shared_ptr<const Plan> plan;

    bool empty() const { return grants.empty(); }
    int gpus() const;
    int gpus_of(GpuTypeId type) const;
    bool same_gpus(const Allocation& other) const { return grants == other.grants; }
    bool shares_a_type_with(const Allocation& other) const;

    static Allocation of(GpuTypeId type, int gpus) { return Allocation{.grants = {Grant{.type = type, .gpus = gpus}}, .plan = nullptr}; }
};

}  // namespace medley
