#pragma once
/// The all-reduce of all but the smallest buffers among few ranks: each rank adds one chunk for all. It gets that chunk from everybody and
/// sends everybody the sum, segment by segment, so that what is added and sent still lies in the cache.

#include "executor/collectives/gloo/mesh.h"
#include "executor/collectives/gloo/scratch.h"

namespace medley::executor {

/// Throws MeshFailure. Requires more than one rank, all of them peers.
void reduce_by_parts(Mesh& mesh, Scratch& scratch, const Buffer& buffer, ReduceOp op);

}  // namespace medley::executor
