#pragma once
/// The all-reduce for large buffers: reduce-scatter and all-gather round a ring, cut into segments so that adding and sending overlap.

#include "executor/collectives/gloo/mesh.h"
#include "executor/collectives/gloo/scratch.h"

namespace medley::executor {

/// Throws MeshFailure. Requires more than one rank. Memory: a few segments beside the buffer.
void reduce_round_ring(Mesh& mesh, Scratch& scratch, const Buffer& buffer, ReduceOp op);

}  // namespace medley::executor
