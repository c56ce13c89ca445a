#include "executor/collectives/gloo/chunk_layout.h"

#include <algorithm>

namespace medley::executor {

ChunkLayout::Segment ChunkLayout::segment(int chunk, std::size_t number) const {
    const std::size_t chunk_first = static_cast<std::size_t>(chunk) * chunk_elements();
    const std::size_t chunk_end = std::min(chunk_first + chunk_elements(), elements);
    const std::size_t first = chunk_first + number * segment_elements;
    if (first >= chunk_end) { return {}; }
    return {first, std::min(segment_elements, chunk_end - first)};
}

}  // namespace medley::executor
