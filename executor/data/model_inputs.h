#pragma once
/// What a model takes and gives, as far as its data are concerned.

#include <cstdint>
#include <vector>

#include "core/training.h"

namespace medley::executor {

struct ModelInputs {
    std::vector<std::int64_t> shape;  ///< of one sample; of a token model: {sequence}
    bool tokens = false;
    std::int64_t outputs = 1;  ///< classes, values, or the vocabulary

    std::int64_t elements() const;
};

ModelInputs inputs_of(const ModelSpec& model);

}  // namespace medley::executor
