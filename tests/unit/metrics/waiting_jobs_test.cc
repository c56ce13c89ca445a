#include "sched/waiting_jobs.h"

#include <map>

#include <gtest/gtest.h>

#include "core/rng.h"

namespace medley {
namespace {

TEST(WaitingJobs, WantTheTypesOnWhichTheSmallestGangFitsByCount) {
    WaitingJobs waiting;
    waiting.add(waiting.class_of(0b011, 4));
    EXPECT_EQ(waiting.wanted({3, 0, 9}), 0U);
    EXPECT_EQ(waiting.wanted({3, 1, 9}), 0b011U);  // by count, not by type: 3 + 1
    waiting.add(waiting.class_of(0b100, 10));
    EXPECT_EQ(waiting.wanted({3, 1, 9}), 0b011U);
    EXPECT_EQ(waiting.wanted({0, 0, 10}), 0b100U);
}

TEST(WaitingJobs, EqualAPlainListUnderRandomUse) {
    Rng random(5);
    WaitingJobs waiting;
    std::vector<std::pair<GpuTypeMask, int>> model;
    for (int step = 0; step < 5000; ++step) {
        if (model.empty() || random.chance(0.5)) {
            model.emplace_back(random.between(1, 7), static_cast<int>(random.between(1, 12)));
            waiting.add(waiting.class_of(model.back().first, model.back().second));
        } else {
            const auto gone = random.below(model.size());
            waiting.remove(waiting.class_of(model[gone].first, model[gone].second));
            model.erase(model.begin() + static_cast<std::ptrdiff_t>(gone));
        }
        const std::vector<int> free{static_cast<int>(random.below(5)), static_cast<int>(random.below(5)),
                                    static_cast<int>(random.below(5))};
        GpuTypeMask expected = 0;
        for (const auto& [allowed, gang] : model) {
            int room = 0;
            for (std::size_t type = 0; type < 3; ++type) { room += ((allowed >> type) & 1U) != 0 ? free[type] : 0; }
            if (gang <= room) { expected |= allowed; }
        }
        ASSERT_EQ(waiting.wanted(free), expected);
    }
}

}  // namespace
}  // namespace medley
