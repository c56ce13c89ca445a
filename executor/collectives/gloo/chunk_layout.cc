#include "executor/collectives/gloo/chunk_layout.h"

#include <algorithm>

namespace medley::executor {

ChunkLayout::Range ChunkLayout::chunk(int number) const {
    const std::size_t first = std::min(static_cast<std::size_t>(number) * chunk_elements(), elements);
    return {first, std::min(chunk_elements(), elements - first)};
}

ChunkLayout::Range ChunkLayout::segment(int chunk, std::size_t number) const {
    const Range all = this->chunk(chunk);
    const std::size_t before = std::min(number * segment_elements, all.count);
    return {all.first + before, std::min(segment_elements, all.count - before)};
}

}  // namespace medley::executor
