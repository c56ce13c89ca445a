#include "tests/bench/engines/convergence.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "executor/data/dataset.h"
#include "tests/unit/engines_torch/torch_group.h"

namespace medley::executor {
namespace {

constexpr int kSteps = 80;
constexpr int kTestBatches = 40;
constexpr std::int64_t kBatch = 64;

TrainingJob cnn_of(std::uint64_t seed) {
    return {.name = "convergence",
            .model = CnnModel{.channels = 3, .size = 16, .filters = {8, 16}, .classes = 10},
            .data = SyntheticData{.samples = 2 * (kSteps + kTestBatches) * kBatch},
            .optimizer = {.kind = OptimizerKind::kSgd, .learning_rate = 0.02, .momentum = 0.9},
            .seed = seed};
}

std::int64_t right_ones(const std::string& outputs, const std::vector<std::int64_t>& labels) {
    std::vector<float> scores(outputs.size() / sizeof(float));
    std::memcpy(scores.data(), outputs.data(), outputs.size());
    const auto classes = static_cast<std::ptrdiff_t>(scores.size() / labels.size());
    std::int64_t right = 0;
    auto row = scores.begin();
    for (const std::int64_t label : labels) {
        right += std::max_element(row, row + classes) - row == label ? 1 : 0;
        row += classes;
    }
    return right;
}

/// On samples that the steps have not come to.
double accuracy_after(const TrainingJob& job, const std::vector<std::int64_t>& virtual_nodes, Mapping mapping) {
    GroupSetup setup = torch_group(job, virtual_nodes);
    setup.mapping = std::move(mapping);
    setup.exact = false;
    EngineGroup group(setup);
    group.run_steps(kSteps);
    const std::vector<std::int64_t> whole = {kBatch};
    const SampleOrder order(group.engine().samples(), whole, job.seed);
    const auto dataset = make_dataset(job);
    std::vector<std::int64_t> samples;
    Batch batch;
    std::int64_t right = 0;
    for (std::int64_t step = kSteps; step < kSteps + kTestBatches; ++step) {
        order.fill(step, 0, samples);
        dataset->read(samples, batch);
        right += right_ones(group.engine().predict({.step = step, .samples = samples}), batch.labels);
    }
    return 100.0 * static_cast<double>(right) / static_cast<double>(kTestBatches * kBatch);
}

}  // namespace

void convergence(int seeds) {
    double single = 0;
    double split = 0;
    std::vector<double> differences;
    for (int seed = 1; seed <= seeds; ++seed) {
        const TrainingJob job = cnn_of(static_cast<std::uint64_t>(seed));
        const double one = accuracy_after(job, {kBatch}, {{0}});
        const double two = accuracy_after(job, {3 * kBatch / 4, kBatch / 4}, {{0}, {1}});
        single += one / seeds;
        split += two / seeds;
        differences.push_back(two - one);
    }
    const double mean = split - single;
    double squares = 0;
    for (const double difference : differences) { squares += (difference - mean) * (difference - mean); }
    const double half = 1.96 * std::sqrt(squares / (seeds - 1) / seeds);
    fmt::print(
        "cnn with batch-norm, accuracy after {} steps: one device {:.2f} %, 3:1 split {:.2f} %; difference {:.2f} +- {:.2f} points (95 "
        "%, {} seeds)   within 0.5\n",
        kSteps, single, split, mean, half, seeds);
}

}  // namespace medley::executor
