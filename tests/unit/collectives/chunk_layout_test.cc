#include "executor/collectives/gloo/chunk_layout.h"

#include <gtest/gtest.h>

namespace medley::executor {
namespace {

TEST(ChunkLayout, SegmentsCoverEachElementOnceInOrder) {
    for (const int ranks : {2, 3, 7}) {
        for (const std::size_t elements : {1u, 2u, 6u, 7u, 100u, 1001u}) {
            const ChunkLayout layout{.elements = elements, .ranks = ranks, .segment_elements = 10};
            std::size_t next = 0;
            for (int chunk = 0; chunk < ranks; ++chunk) {
                const auto [chunk_first, chunk_count] = layout.chunk(chunk);
                EXPECT_EQ(chunk_first, next);
                for (std::size_t number = 0; number < layout.segments(); ++number) {
                    const auto [first, count] = layout.segment(chunk, number);
                    if (count == 0) { continue; }
                    EXPECT_EQ(first, next);
                    EXPECT_LE(count, 10u);
                    next += count;
                }
                EXPECT_EQ(next, chunk_first + chunk_count);
            }
            EXPECT_EQ(next, elements) << ranks << " ranks";
        }
    }
}

}  // namespace
}  // namespace medley::executor
