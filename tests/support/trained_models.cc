#include "tests/support/trained_models.h"

#include <filesystem>

namespace medley::test {
namespace {

TrainingJob mlp() {
    return {.name = "mlp",
            .model = MlpModel{.inputs = 12, .hidden = {24, 16}, .outputs = 5, .dropout = 0.1},
            .data = SyntheticData{.samples = 150},
            .optimizer = {.kind = OptimizerKind::kSgd, .learning_rate = 0.1, .momentum = 0.9, .nesterov = true, .weight_decay = 1e-3}};
}

TrainingJob cnn() {
    return {.name = "cnn",
            .model = CnnModel{.channels = 2, .size = 8, .filters = {4, 6}, .classes = 5, .dropout = 0.1},
            .data = SyntheticData{.samples = 90, .label_skew = 0.5},
            .optimizer = {.kind = OptimizerKind::kAdam, .learning_rate = 0.03}};
}

TrainingJob gpt() {
    return {.name = "gpt",
            .model = GptModel{.vocabulary = 20, .sequence = 10, .layers = 1, .hidden = 16, .heads = 2, .dropout = 0.1},
            .data = SyntheticData{.samples = 70, .ragged = true},
            .optimizer = {.kind = OptimizerKind::kAdamW, .learning_rate = 0.01, .weight_decay = 0.01, .clip_norm = 0.5},
            .schedule = {.kind = ScheduleKind::kCosine, .warmup_steps = 5}};
}

}  // namespace

std::vector<TrainedModel> trained_models() { return {{"mlp", mlp()}, {"cnn", cnn()}, {"gpt", gpt()}}; }

executor::RunSetup setup_of(const TrainedModel& model, const std::vector<std::int64_t>& virtual_nodes, bool exact) {
    executor::RunSetup setup{.job = model.job, .virtual_nodes = virtual_nodes, .exact = exact};
    setup.job.steps = kTrainedSteps;
    setup.job.seed = 11;
    setup.directory = std::filesystem::temp_directory_path() / "medley-no-such-folder";  // checkpoints have tests of their own
    return setup;
}

}  // namespace medley::test
