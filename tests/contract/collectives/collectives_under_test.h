#pragma once
/// Every implementation of the Collective seam.

#include <ostream>
#include <vector>

#include "tests/support/collective_ranks.h"

namespace medley::test {

std::vector<CollectiveUnderTest> all_collectives();

inline void PrintTo(const CollectiveUnderTest& kind, std::ostream* out) { *out << kind.name; }

}  // namespace medley::test
