#include <gtest/gtest.h>

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include "executor/engines/torch/statistics.h"

namespace medley::executor {
namespace {

struct Buffers {
    at::Tensor mean = at::full({2}, 1.0, at::kFloat);
    at::Tensor count = at::full({}, 5, at::kLong);
    Statistics statistics{{{"mean", mean}, {"count", count}}, at::TensorOptions().dtype(at::kFloat)};
};

TEST(Statistics, MoveByTheWeightedMeanOfTheVirtualNodesChanges) {
    Buffers buffers;
    buffers.statistics.begin_step();
    buffers.mean.add_(3);
    buffers.count.add_(1);
    const at::Tensor first = buffers.statistics.take_changes(1);
    buffers.mean.add_(7);
    buffers.count.add_(1);
    const at::Tensor second = buffers.statistics.take_changes(3);
    buffers.statistics.apply(first.add(second), 4);
    EXPECT_EQ(buffers.mean[0].item<double>(), 1 + (3 + 3 * 7) / 4.0);
    EXPECT_EQ(buffers.count.item<std::int64_t>(), 6);
}

TEST(Statistics, AreBackAtTheStepsBeginningAfterEachVirtualNode) {
    Buffers buffers;
    buffers.statistics.begin_step();
    buffers.mean.add_(3);
    buffers.count.add_(1);
    buffers.statistics.take_changes(2);
    EXPECT_EQ(buffers.mean[1].item<double>(), 1);
    EXPECT_EQ(buffers.count.item<std::int64_t>(), 5);
}

TEST(Statistics, CountersBeyondThePrecisionOfFloatStayExact) {
    Buffers buffers;
    constexpr std::int64_t kLarge = (std::int64_t{1} << 40) + 1;
    buffers.count.fill_(kLarge);
    buffers.statistics.begin_step();
    buffers.count.add_(1);
    const at::Tensor changes = buffers.statistics.take_changes(3);
    buffers.statistics.apply(changes, 3);
    EXPECT_EQ(buffers.count.item<std::int64_t>(), kLarge + 1);
}

TEST(Statistics, OfAModelWithoutThemAreNothing) {
    Statistics statistics({}, at::TensorOptions().dtype(at::kFloat));
    statistics.begin_step();
    EXPECT_FALSE(statistics.take_changes(1).defined());
    EXPECT_TRUE(statistics.state().empty());
    EXPECT_TRUE(statistics.empty());
}

}  // namespace
}  // namespace medley::executor
