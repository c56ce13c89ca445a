#include "executor/collectives/combine.h"

#include <limits>

#include <gtest/gtest.h>

namespace medley::executor {
namespace {

template <class Value>
std::vector<Value> combined(const std::vector<Value>& left, const std::vector<Value>& right, ElementType type, ReduceOp op) {
    std::vector<Value> target(left.size());
    combine(target.data(), left.data(), right.data(), left.size(), type, op);
    return target;
}

TEST(Combine, AddsEachType) {
    EXPECT_EQ(combined<float>({1, 2.5F, -1}, {2, 0.25F, 1}, ElementType::kFloat32, ReduceOp::kSum), (std::vector<float>{3, 2.75F, 0}));
    EXPECT_EQ(combined<double>({1e300}, {1e300}, ElementType::kFloat64, ReduceOp::kSum), std::vector<double>{2e300});
    EXPECT_EQ(combined<std::int64_t>({5, -7}, {6, 7}, ElementType::kInt64, ReduceOp::kSum), (std::vector<std::int64_t>{11, 0}));
}

TEST(Combine, WholeNumbersWrap) {
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(combined<std::int64_t>({kMost}, {1}, ElementType::kInt64, ReduceOp::kSum),
              std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::min()});
}

TEST(Combine, TakesTheGreater) {
    EXPECT_EQ(combined<std::int64_t>({-5, 3}, {-6, 4}, ElementType::kInt64, ReduceOp::kMax), (std::vector<std::int64_t>{-5, 4}));
}

TEST(Combine, MayWriteOverEitherSide) {
    std::vector<float> left = {1, 2};
    std::vector<float> right = {10, 20};
    combine(left.data(), left.data(), right.data(), 2, ElementType::kFloat32, ReduceOp::kSum);
    combine(right.data(), left.data(), right.data(), 2, ElementType::kFloat32, ReduceOp::kSum);
    EXPECT_EQ(right, (std::vector<float>{21, 42}));
}

}  // namespace
}  // namespace medley::executor
