#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <gtest/gtest.h>

#include "core/error.h"
#include "executor/data/dataset.h"

namespace medley::executor {
namespace {

TrainingJob job_of(ModelSpec model, SyntheticData data = {}, LossKind loss = LossKind::kCrossEntropy) {
    return {.model = std::move(model), .data = data, .loss = loss, .seed = 3};
}

Batch read(const Dataset& data, const std::vector<std::int64_t>& positions) {
    Batch batch;
    data.read(positions, batch);
    return batch;
}

std::vector<std::int64_t> first(std::int64_t count) {
    std::vector<std::int64_t> positions(static_cast<std::size_t>(count));
    std::iota(positions.begin(), positions.end(), 0);
    return positions;
}

TEST(SyntheticData, HasTheShapeItsModelTakes) {
    const auto mlp = make_dataset(job_of(MlpModel{.inputs = 5, .outputs = 3}));
    EXPECT_EQ(mlp->input_shape(), (std::vector<std::int64_t>{5}));
    EXPECT_EQ(read(*mlp, {1, 2}).values.size(), 10U);
    EXPECT_EQ(read(*mlp, {1, 2}).labels.size(), 2U);
    const auto cnn = make_dataset(job_of(CnnModel{.channels = 2, .size = 6}));
    EXPECT_EQ(read(*cnn, {0}).values.size(), 72U);
    const auto resnet = make_dataset(job_of(ResnetModel{.size = 8}));
    EXPECT_EQ(resnet->input_shape(), (std::vector<std::int64_t>{3, 8, 8}));
    const auto gpt = make_dataset(job_of(GptModel{.sequence = 16}));
    EXPECT_TRUE(gpt->token_inputs());
    EXPECT_EQ(read(*gpt, {0, 1}).tokens.size(), 32U);
    EXPECT_EQ(read(*gpt, {0, 1}).labels.size(), 32U);
    const auto script = make_dataset(job_of(TorchScriptModel{.input_shape = {4, 3}, .classes = 2}));
    EXPECT_EQ(read(*script, {0}).values.size(), 12U);
}

TEST(SyntheticData, GivesTheSameSampleForThePositionWhateverItIsReadWith) {
    for (const auto& job :
         {job_of(MlpModel{}), job_of(GptModel{}, {.ragged = true}), job_of(MlpModel{}, {}, LossKind::kMeanSquaredError)}) {
        const auto data = make_dataset(job);
        const Batch alone = read(*data, {7});
        const Batch among = read(*make_dataset(job), {3, 7});
        EXPECT_TRUE(
            std::equal(alone.values.begin(), alone.values.end(), among.values.begin() + static_cast<std::ptrdiff_t>(alone.values.size())));
        EXPECT_TRUE(
            std::equal(alone.tokens.begin(), alone.tokens.end(), among.tokens.begin() + static_cast<std::ptrdiff_t>(alone.tokens.size())));
        EXPECT_TRUE(
            std::equal(alone.labels.begin(), alone.labels.end(), among.labels.begin() + static_cast<std::ptrdiff_t>(alone.labels.size())));
        EXPECT_TRUE(std::equal(alone.real_targets.begin(), alone.real_targets.end(),
                               among.real_targets.begin() + static_cast<std::ptrdiff_t>(alone.real_targets.size())));
        EXPECT_NE(read(*data, {7}).values.empty() ? 1 : read(*data, {7}).values[0],
                  read(*data, {8}).values.empty() ? 0 : read(*data, {8}).values[0]);
    }
}

TEST(SyntheticData, HasClassesThatTheNearestMeanTells) {
    const auto data = make_dataset(job_of(CnnModel{.channels = 1, .size = 8, .classes = 4}, {.samples = 400}));
    const Batch batch = read(*data, first(400));
    std::vector<std::vector<double>> means(4, std::vector<double>(64, 0));
    std::vector<double> counts(4, 0);
    for (std::size_t sample = 0; sample < 200; ++sample) {
        const auto label = static_cast<std::size_t>(batch.labels[sample]);
        for (std::size_t index = 0; index < 64; ++index) { means[label][index] += batch.values[sample * 64 + index]; }
        ++counts[label];
    }
    int right = 0;
    for (std::size_t sample = 200; sample < 400; ++sample) {
        std::vector<double> distances(4, 0);
        for (std::size_t label = 0; label < 4; ++label) {
            ASSERT_GT(counts[label], 0);
            for (std::size_t index = 0; index < 64; ++index) {
                distances[label] += std::pow(means[label][index] / counts[label] - batch.values[sample * 64 + index], 2);
            }
        }
        right += std::min_element(distances.begin(), distances.end()) - distances.begin() == batch.labels[sample] ? 1 : 0;
    }
    EXPECT_GT(right, 150);
}

TEST(SyntheticData, IsSortedByLabelWithFullSkewAndMixedWithout) {
    const auto sorted = make_dataset(job_of(MlpModel{.outputs = 4}, {.samples = 100, .label_skew = 1}));
    const Batch all = read(*sorted, first(100));
    EXPECT_TRUE(std::is_sorted(all.labels.begin(), all.labels.end()));
    EXPECT_EQ(all.labels.back(), 3);
    const auto mixed = make_dataset(job_of(MlpModel{.outputs = 4}, {.samples = 100}));
    const Batch random = read(*mixed, first(100));
    EXPECT_FALSE(std::is_sorted(random.labels.begin(), random.labels.end()));
}

TEST(SyntheticData, OfTokensFollowsAChainThatIsWorthLearning) {
    const auto data = make_dataset(job_of(GptModel{.vocabulary = 16, .sequence = 50}, {.samples = 100}));
    const Batch batch = read(*data, first(100));
    std::map<std::int64_t, std::map<std::int64_t, int>> followers;
    for (std::size_t index = 0; index < batch.tokens.size(); ++index) {
        ++followers[batch.tokens[index]][batch.labels[index]];
        if (index % 50 != 49) { ASSERT_EQ(batch.tokens[index + 1], batch.labels[index]); }
    }
    double likely = 0;
    for (auto& [token, counts] : followers) {
        std::vector<int> sorted;
        for (const auto& [next, count] : counts) { sorted.push_back(count); }
        std::sort(sorted.rbegin(), sorted.rend());
        for (std::size_t rank = 0; rank < sorted.size() && rank < 4; ++rank) { likely += sorted[rank]; }
    }
    EXPECT_GT(likely / static_cast<double>(batch.tokens.size()), 0.85);
}

TEST(SyntheticData, HasSequencesOfAQuarterToTheWholeLengthWhenRagged) {
    const auto data = make_dataset(job_of(GptModel{.sequence = 16}, {.samples = 200, .ragged = true}));
    const Batch batch = read(*data, first(200));
    std::map<std::int64_t, int> lengths;
    for (std::size_t sample = 0; sample < 200; ++sample) {
        const auto begin = batch.labels.begin() + static_cast<std::ptrdiff_t>(sample * 16);
        const auto counted = std::count_if(begin, begin + 16, [](std::int64_t label) { return label != kIgnoredLabel; });
        EXPECT_TRUE(std::all_of(begin + counted, begin + 16, [](std::int64_t label) { return label == kIgnoredLabel; }));
        ++lengths[counted];
    }
    EXPECT_EQ(lengths.begin()->first, 4);
    EXPECT_EQ(lengths.rbegin()->first, 16);
}

TEST(SyntheticData, OfRealTargetsIsALinearMapOfTheInputs) {
    const auto data = make_dataset(job_of(MlpModel{.inputs = 1, .outputs = 2}, {}, LossKind::kMeanSquaredError));
    const Batch batch = read(*data, {0, 1, 2});
    ASSERT_EQ(batch.real_targets.size(), 6U);
    for (std::size_t output = 0; output < 2; ++output) {
        const double slope = batch.real_targets[output] / batch.values[0];
        EXPECT_NEAR(batch.real_targets[2 + output], slope * batch.values[1], 1e-12);
        EXPECT_NEAR(batch.real_targets[4 + output], slope * batch.values[2], 1e-12);
    }
}

TEST(SyntheticData, OfNoSamplesIsRefused) { EXPECT_THROW(make_dataset(job_of(MlpModel{}, {.samples = 0})), Error); }

}  // namespace
}  // namespace medley::executor
