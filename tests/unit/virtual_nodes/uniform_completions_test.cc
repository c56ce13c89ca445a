#include "planner/virtual_nodes/uniform_completions.h"

#include <gtest/gtest.h>

#include "core/rng.h"

namespace medley::planner {
namespace {

double least_by_trying(const std::vector<UniformItem>& items, std::size_t depth, std::int64_t rest, bool every_type, bool weighted) {
    if (depth == items.size()) { return rest == 0 ? 0 : UniformCompletions::kNone; }
    double least = every_type ? UniformCompletions::kNone : least_by_trying(items, depth + 1, rest, every_type, weighted);
    for (const std::int64_t batch : items[depth].batches) {
        for (int gpus = 1; gpus <= items[depth].most && gpus * batch <= rest; ++gpus) {
            const double after = least_by_trying(items, depth + 1, rest - gpus * batch, every_type, weighted);
            least = std::min(least, after + gpus * (weighted ? items[depth].weight : 1));
        }
    }
    return least;
}

TEST(UniformCompletions, EqualTryingEverything) {
    Rng rng(3);
    for (int trial = 0; trial < 60; ++trial) {
        std::vector<UniformItem> items;
        for (int index = 0; index < 3; ++index) {
            UniformItem item{.batches = {}, .most = static_cast<int>(rng.between(1, 4)), .weight = static_cast<double>(rng.between(1, 9))};
            for (const std::int64_t batch : {1, 2, 3, 4, 6, 8}) {
                if (rng.chance(0.4)) { item.batches.push_back(batch); }
            }
            items.push_back(item);
        }
        const bool every_type = rng.chance(0.3);
        const UniformCompletions completions(items, 30, every_type);
        for (std::int64_t rest = 0; rest <= 30; ++rest) {
            EXPECT_EQ(completions.least_weight(0, rest), least_by_trying(items, 0, rest, every_type, true));
            EXPECT_EQ(completions.fewest_gpus(0, rest), least_by_trying(items, 0, rest, every_type, false));
        }
    }
}

}  // namespace
}  // namespace medley::planner
