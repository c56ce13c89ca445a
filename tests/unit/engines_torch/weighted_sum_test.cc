// The gradient of a step is that of its whole batch, however it is cut: sums over virtual nodes, divided once by the total weight.

#include <numeric>

#include <gtest/gtest.h>

#include "tests/unit/engines_torch/torch_group.h"

namespace medley::executor {
namespace {

struct Part {
    std::vector<double> gradient;  ///< of the summed loss
    double weight = 0;
    double samples = 0;
};

// Positions in the data set's order, where labels are sorted: each virtual node sees other classes.
Part part_of(Engine& engine, std::int64_t first, std::int64_t count) {
    std::vector<std::int64_t> samples(static_cast<std::size_t>(count));
    std::iota(samples.begin(), samples.end(), first);
    engine.begin_step({});
    const NodeResult result = engine.run_node({.samples = samples});
    return {elements_of(engine.reduction()), static_cast<double>(result.weight), static_cast<double>(count)};
}

std::vector<Part> parts_of(Engine& engine, const std::vector<std::int64_t>& split) {
    std::vector<Part> parts;
    std::int64_t first = 0;
    for (const std::int64_t count : split) {
        parts.push_back(part_of(engine, first, count));
        first += count;
    }
    return parts;
}

// The sum of the parts' gradients, each times its factor.
template <class Factor>
std::vector<double> combined(const std::vector<Part>& parts, const Factor& factor) {
    std::vector<double> sum(parts.front().gradient.size());
    for (const Part& part : parts) {
        for (std::size_t i = 0; i < sum.size(); ++i) { sum[i] += part.gradient[i] * factor(part); }
    }
    return sum;
}

double total_weight(const std::vector<Part>& parts) {
    return std::accumulate(parts.begin(), parts.end(), 0.0, [](double sum, const Part& part) { return sum + part.weight; });
}

std::vector<double> weighted_mean(const std::vector<Part>& parts) {
    return combined(parts, [total = total_weight(parts)](const Part&) { return 1 / total; });
}

std::vector<double> mean_of_means(const std::vector<Part>& parts) {
    return combined(parts, [count = static_cast<double>(parts.size())](const Part& part) { return 1 / (count * part.weight); });
}

// Means over tokens, weighted by samples: right only if all sequences are equally long.
std::vector<double> weighted_by_samples(const std::vector<Part>& parts, double batch) {
    return combined(parts, [batch](const Part& part) { return part.samples / (batch * part.weight); });
}

struct Case {
    const char* name;
    TrainingJob job;
    double tolerance;
};

std::vector<Case> cases() {
    return {{"mlp_fp32", mlp_job(), 1e-6},
            {"mlp_fp64", mlp_job(Precision::kFp64), 1e-12},
            {"gpt_fp32", gpt_job(), 1e-6},
            {"gpt_fp64", gpt_job(Precision::kFp64), 1e-12}};
}

class WeightedSum : public testing::TestWithParam<Case> {
 protected:
    // All of a data set of sorted labels, so that the split decides which labels a part has.
    WeightedSum() : job_(GetParam().job) {
        std::get<SyntheticData>(job_.data).samples = kBatch;
        engine_ = make_linked_engine({.job = job_, .virtual_nodes = {kBatch}});
        whole_ = weighted_mean({part_of(*engine_, 0, kBatch)});
    }

    static constexpr std::int64_t kBatch = 68;
    TrainingJob job_;
    std::unique_ptr<Engine> engine_;
    std::vector<double> whole_;
};

INSTANTIATE_TEST_SUITE_P(Models, WeightedSum, testing::ValuesIn(cases()), [](const auto& test) { return test.param.name; });

TEST_P(WeightedSum, EqualsTheWholeBatchOverUnequalParts) {
    for (const std::vector<std::int64_t>& split : {std::vector<std::int64_t>{51, 17}, {48, 12, 8}, {1, 66, 1}}) {
        EXPECT_LE(relative_distance(weighted_mean(parts_of(*engine_, split)), whole_), GetParam().tolerance);
    }
}

// Negative control: what a plain average over workers would give.
TEST_P(WeightedSum, IsNotTheMeanOfMeans) {
    for (const std::vector<std::int64_t>& split : {std::vector<std::int64_t>{51, 17}, {48, 12, 8}}) {
        EXPECT_GT(relative_distance(mean_of_means(parts_of(*engine_, split)), whole_), 1e-3);
    }
}

// Negative control: sequences of unequal length count by their tokens.
TEST_P(WeightedSum, CountsTokensNotSequences) {
    const std::vector<Part> parts = parts_of(*engine_, {48, 12, 8});
    const double distance = relative_distance(weighted_by_samples(parts, kBatch), whole_);
    if (std::holds_alternative<GptModel>(job_.model)) {
        EXPECT_GT(distance, 1e-3);
    } else {
        EXPECT_LE(distance, GetParam().tolerance);
    }
}

}  // namespace
}  // namespace medley::executor
