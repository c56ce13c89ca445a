#pragma once
/// How a buffer is cut for an all-reduce: one chunk per rank, each into segments that are added and sent one after another.

#include <cstddef>

namespace medley::executor {

/// Chunks are equally long but for the last ones, which may be short or empty; likewise the segments of a chunk.
struct ChunkLayout {
    std::size_t elements = 0;
    std::size_t element_bytes = 4;
    int ranks = 2;
    std::size_t segment_elements = 1;

    std::size_t chunk_elements() const { return (elements + static_cast<std::size_t>(ranks) - 1) / static_cast<std::size_t>(ranks); }
    /// Of each chunk.
    std::size_t segments() const { return (chunk_elements() + segment_elements - 1) / segment_elements; }
    struct Range {
        std::size_t first = 0;  ///< element
        std::size_t count = 0;
    };
    Range chunk(int number) const;
    Range segment(int chunk, std::size_t number) const;
};

}  // namespace medley::executor
