#pragma once
/// The kinds of data sets that `make_dataset` chooses from.

#include <memory>

#include "executor/data/dataset.h"
#include "executor/data/model_inputs.h"

namespace medley::executor {

std::unique_ptr<Dataset> make_synthetic_classes(const SyntheticData& data, const ModelInputs& inputs, std::uint64_t seed);
std::unique_ptr<Dataset> make_synthetic_regression(const SyntheticData& data, const ModelInputs& inputs, std::uint64_t seed);
std::unique_ptr<Dataset> make_synthetic_tokens(const SyntheticData& data, const ModelInputs& inputs, std::uint64_t seed);
std::unique_ptr<Dataset> make_array_dataset(const ArrayData& data, const ModelInputs& inputs, LossKind loss);
std::unique_ptr<Dataset> make_token_dataset(const TokenData& data, const ModelInputs& inputs);

}  // namespace medley::executor
