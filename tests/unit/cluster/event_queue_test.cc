#include "simulator/cluster/event_queue.h"

#include <gtest/gtest.h>

#include "core/rng.h"

namespace medley::simulator {
namespace {

TEST(EventQueue, OrdersByTimeThenKindThenSequence) {
    EventQueue queue;
    queue.push(SimTime{2}, Happening::kFinish, 0);
    queue.push(SimTime{1}, Happening::kRun, 1);
    queue.push(SimTime{1}, Happening::kFinish, 2);
    queue.push(SimTime{1}, Happening::kFinish, 3);
    queue.push(SimTime{1}, Happening::kStop, 4);
    std::vector<std::uint32_t> owners;
    for (; !queue.empty(); queue.pop()) { owners.push_back(queue.top().owner); }
    EXPECT_EQ(owners, (std::vector<std::uint32_t>{2, 3, 4, 1, 0}));
}

TEST(EventQueue, EqualsASortedListUnderRandomUseAndPruning) {
    Rng random(7);
    for (int round = 0; round < 200; ++round) {
        EventQueue queue;
        std::vector<QueuedEvent> model;
        for (int step = 0; step < 200; ++step) {
            if (random.chance(0.6) || model.empty()) {
                const SimTime time{random.between(0, 20)};
                const auto kind = static_cast<Happening>(random.below(3));
                model.push_back({.time = time,
                                 .ticket = queue.push(time, kind, static_cast<std::uint32_t>(step)),
                                 .owner = static_cast<std::uint32_t>(step)});
            } else {
                const auto least = std::min_element(model.begin(), model.end());
                ASSERT_EQ(queue.top().ticket, least->ticket);
                model.erase(least);
                queue.pop();
            }
            if (step % 50 == 49) {
                const auto odd = [](const QueuedEvent& event) { return event.owner % 2 == 1; };
                queue.prune(odd);
                std::erase_if(model, odd);
            }
            ASSERT_EQ(queue.size(), model.size());
        }
    }
}

TEST(EventQueue, TimeNeverOverflows) {
    EXPECT_EQ(later(SimTime{5}, SimTime{7}), SimTime{12});
    EXPECT_EQ(later(SimTime{5}, kNever), kNever);
    EXPECT_EQ(later(SimTime{kNever.value - 1}, SimTime{7}), kNever);
}

}  // namespace
}  // namespace medley::simulator
