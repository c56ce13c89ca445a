#pragma once
/// The all-reduce for large buffers: reduce-scatter and all-gather round a ring, cut into segments so that adding and sending overlap.

#include "executor/collectives/gloo/mesh.h"

namespace medley::executor {

/// Where the segments lie. The buffer is cut into one chunk per rank, each chunk into equally many
/// segments; the last may be short or empty.
struct RingLayout {
    std::size_t elements = 0;
    std::size_t element_bytes = 4;
    int ranks = 2;
    std::size_t segment_elements = 1;

    std::size_t chunk_elements() const { return (elements + static_cast<std::size_t>(ranks) - 1) / static_cast<std::size_t>(ranks); }
    std::size_t segments() const { return (chunk_elements() + segment_elements - 1) / segment_elements; }
    struct Segment {
        std::size_t first = 0;  ///< element
        std::size_t count = 0;
    };
    Segment segment(int chunk, std::size_t number) const;
};

/// Throws MeshFailure. Requires more than one rank. Memory: a few segments beside the buffer.
void reduce_round_ring(Mesh& mesh, const Buffer& buffer, ReduceOp op);

}  // namespace medley::executor
