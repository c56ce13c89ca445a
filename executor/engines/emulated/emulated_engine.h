#pragma once
/// An engine without arithmetic: it sleeps as long as the profiled device would work, and its "gradients" are whole numbers (see
/// emulated_numbers.h) that tell every mistake of mapping, sharding, repetition or omission by the state they lead to.
///
/// Sleeping costs no processor time, so a hundred workers run on two cores; apart from its state an engine needs nothing.

#include <memory>

#include "executor/engines/engine.h"

namespace medley::executor {

/// Requires an EmulatedModel. Throws medley::Error for data that are not synthetic, or a GPU type whose times are not known.
std::unique_ptr<Engine> make_emulated_engine(const EngineSetup& setup);

}  // namespace medley::executor
