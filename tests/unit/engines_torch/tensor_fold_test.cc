#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <ATen/ops/from_blob.h>
#include <ATen/ops/zeros.h>

#include "core/rng.h"
#include "executor/engines/torch/tensor_fold.h"

namespace medley::executor {
namespace {

template <class T>
at::Tensor tensor_of(std::vector<T> values) {
    return at::from_blob(values.data(), {static_cast<std::int64_t>(values.size())}, c10::CppTypeToScalarType<T>::value).clone();
}

template <class T>
std::vector<T> vector_of(const at::Tensor& tensor) {
    return {tensor.data_ptr<T>(), tensor.data_ptr<T>() + tensor.numel()};
}

at::Tensor no_sums(const at::Tensor& values) { return at::zeros(values.sizes(), at::kLong); }

// Magnitudes over many powers of two around the scale's bound, and halves of its last place.
template <class T>
std::vector<T> awkward_values(std::uint64_t seed, std::int64_t exponent) {
    Rng rng(seed);
    std::vector<T> values = {0, -0.0, static_cast<T>(std::ldexp(1.0, static_cast<int>(exponent)))};
    for (int i = 0; i < 500; ++i) {
        const int power = static_cast<int>(exponent - rng.between(0, 70));
        values.push_back(static_cast<T>(std::ldexp(rng.uniform(-1, 1), power)));
        values.push_back(static_cast<T>(std::ldexp(static_cast<double>(rng.between(-9, 9)) + 0.5, static_cast<int>(exponent) - 59)));
    }
    return values;
}

void expect_same_status(const FoldStatus& found, const FoldStatus& expected) {
    EXPECT_EQ(found.largest_exponent, expected.largest_exponent);
    EXPECT_EQ(found.overflow, expected.overflow);
    EXPECT_EQ(found.not_finite, expected.not_finite);
}

template <class T>
void expect_operations_agree(const std::vector<T>& numbers, const FixedPointScale& scale) {
    const at::Tensor values = tensor_of(numbers);
    const at::Tensor direct = no_sums(values);
    const at::Tensor by_operations = no_sums(values);
    expect_same_status(fold_by_operations(values, scale, by_operations), fold_tensor(values, scale, direct));
    EXPECT_EQ(vector_of<std::int64_t>(by_operations), vector_of<std::int64_t>(direct));

    const at::Tensor back = values.clone();
    const at::Tensor back_by_operations = values.clone();
    unfold_tensor(direct, scale, back);
    unfold_by_operations(direct, scale, back_by_operations);
    EXPECT_EQ(vector_of<T>(back_by_operations), vector_of<T>(back));
}

TEST(TensorFold, OperationsGiveTheSameBitsAsTheDirectWay) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        for (const std::int64_t exponent : {-120, -20, 0, 3, 100}) {
            const FixedPointScale scale{exponent, static_cast<std::size_t>(1 + seed)};
            expect_operations_agree(awkward_values<float>(seed, exponent), scale);
            expect_operations_agree(awkward_values<double>(seed, exponent), scale);
        }
        expect_operations_agree(awkward_values<double>(seed, -900), {-900, 3});
        expect_operations_agree(awkward_values<double>(seed, 1000), {1000, 3});
    }
}

TEST(TensorFold, OperationsReportZerosAndNotFiniteValuesAlike) {
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    expect_operations_agree<double>({0, -0.0}, {0, 2});
    const at::Tensor values = tensor_of<double>({kInfinite, 0.25, -kInfinite, std::nan("")});
    const at::Tensor direct = no_sums(values);
    const at::Tensor by_operations = no_sums(values);
    expect_same_status(fold_by_operations(values, {0, 2}, by_operations), fold_tensor(values, {0, 2}, direct));
    EXPECT_EQ(vector_of<std::int64_t>(by_operations), vector_of<std::int64_t>(direct));
}

TEST(Marks, GiveWhatIeeeAdditionWouldGive) {
    constexpr float kInfinite = std::numeric_limits<float>::infinity();
    const at::Tensor marks = at::zeros({5}, at::kLong);
    add_marks(tensor_of<float>({kInfinite, kInfinite, -kInfinite, std::nanf(""), 1}), marks);
    add_marks(tensor_of<float>({kInfinite, -kInfinite, 0, 2, 1}), marks);
    EXPECT_EQ(vector_of<std::int64_t>(marks)[0], 2);

    const at::Tensor sums = tensor_of<float>({7, 7, 7, 7, 7});
    apply_marks(marks, sums);
    const std::vector<float> result = vector_of<float>(sums);
    EXPECT_EQ(result[0], kInfinite);
    EXPECT_TRUE(std::isnan(result[1]));
    EXPECT_EQ(result[2], -kInfinite);
    EXPECT_TRUE(std::isnan(result[3]));
    EXPECT_EQ(result[4], 7);
}

}  // namespace
}  // namespace medley::executor
