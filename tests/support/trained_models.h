#pragma once
/// Jobs that are small but have everything whose order or grouping could matter: dropout, batch normalisation, sequences of unequal length,
/// momentum and moments, clipping.

#include <string>
#include <vector>

#include "executor/protocol/messages.h"

namespace medley::test {

struct TrainedModel {
    std::string name;
    TrainingJob job;
};

constexpr executor::Step kTrainedSteps = 50;

/// mlp with momentum, cnn with batch normalisation and Adam, gpt with AdamW and clipping.
std::vector<TrainedModel> trained_models();

inline const std::vector<std::int64_t> kEqualNodes = {2, 2, 2, 2, 2, 2, 2, 2};
inline const std::vector<std::int64_t> kUnequalNodes = {3, 1, 2, 5, 1, 2, 1, 1};

executor::RunSetup setup_of(const TrainedModel& model, const std::vector<std::int64_t>& virtual_nodes, bool exact);

}  // namespace medley::test
