#include "io/report/track_slots.h"

#include <algorithm>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/rng.h"

namespace medley::io {
namespace {

using testing::ElementsAre;

JobSpan span(std::int64_t begin, std::int64_t end, std::size_t job, std::uint32_t lane) {
    return {.begin = SimTime{begin}, .end = SimTime{end}, .job = JobId(job), .lanes = {lane, 1}, .type = GpuTypeId(std::size_t{0})};
}

std::vector<std::uint32_t> placed(const std::vector<JobSpan>& spans, TrackSlots& slots) {
    std::vector<std::uint32_t> order(spans.size()), tracks(spans.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return spans[a].begin < spans[b].begin; });
    slots.place(spans, order, GpuTypeId(std::size_t{0}), tracks);
    return tracks;
}

TEST(TrackSlots, ReusesATrackAsSoonAsItIsFree) {
    TrackSlots slots;
    EXPECT_THAT(placed({span(0, 10, 0, 0), span(5, 8, 1, 1), span(8, 20, 2, 1), span(10, 12, 3, 0)}, slots), ElementsAre(0, 1, 1, 0));
    EXPECT_EQ(slots.tracks(), 2U);
}

TEST(TrackSlots, AJobThatGoesOnKeepsItsTrackBeforeOthersCome) {
    TrackSlots slots;
    EXPECT_THAT(placed({span(0, 10, 0, 0), span(10, 11, 7, 5), span(10, 20, 0, 0)}, slots), ElementsAre(0, 1, 0));
}

TEST(TrackSlots, NoTwoSpansOverlapOnATrackAndThereAreNoMoreTracksThanRunAtOnce) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        Rng random(seed);
        std::vector<JobSpan> spans;
        for (std::size_t job = 0; job < 80; ++job) {
            std::int64_t at = random.between(0, 50);
            for (auto parts = random.between(1, 4); parts > 0; --parts) {
                const std::int64_t end = at + random.between(0, 12);
                spans.push_back(span(at, end, job, static_cast<std::uint32_t>(job)));
                at = end;
            }
        }
        TrackSlots slots;
        const std::vector<std::uint32_t> tracks = placed(spans, slots);
        for (std::size_t a = 0; a < spans.size(); ++a) {
            for (std::size_t b = 0; b < a; ++b) {
                const bool overlap = std::max(spans[a].begin, spans[b].begin) < std::min(spans[a].end, spans[b].end);
                ASSERT_FALSE(overlap && tracks[a] == tracks[b]) << "seed " << seed;
            }
        }
        EXPECT_LE(slots.tracks(), 80U);
    }
}

}  // namespace
}  // namespace medley::io
