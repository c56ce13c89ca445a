#include "sched/allocation.h"

#include <algorithm>

namespace medley {

int Allocation::gpus() const {
    int total = 0;
    for (const Grant& grant : grants) { total += grant.gpus; }
    return total;
}

int Allocation::gpus_of(GpuTypeId type) const {
    for (const Grant& grant : grants) {
        if (grant.type == type) { return grant.gpus; }
    }
    return 0;
}

bool Allocation::shares_a_type_with(const Allocation& other) const {
    return std::any_of(grants.begin(), grants.end(), [&](const Grant& grant) { return other.gpus_of(grant.type) > 0; });
}

}  // namespace medley
