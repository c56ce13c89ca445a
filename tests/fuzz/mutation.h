#pragma once
/// Seeded damage to an input, so that a corpus tests more than itself without a fuzzing engine.

#include <string>
#include <vector>

#include "core/rng.h"

namespace medley::fuzz {

/// One input of the corpus after one to eight changes: bits flipped, ranges cut, repeated or moved, telling tokens put in, ends cut off,
/// parts of another input spliced in. Requires a corpus that is not empty.
std::string mutated(const std::vector<std::string>& corpus, Rng& rng);

}  // namespace medley::fuzz
