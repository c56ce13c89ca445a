#include "core/training.h"

#include <gtest/gtest.h>

#include "tests/unit/core/refusal.h"

namespace medley {
namespace {

TrainingJob job_with(ModelSpec model) {
    TrainingJob job;
    job.name = "job";
    job.model = std::move(model);
    return job;
}

void expect_refusals(const TrainingJob& good, const std::vector<Spoiled<TrainingJob>>& cases) {
    EXPECT_EQ(refusal([&] { good.validate(); }), "");
    for (const Spoiled<TrainingJob>& each : cases) {
        TrainingJob job = good;
        each.spoil(job);
        EXPECT_EQ(refusal([&] { job.validate(); }), each.refusal);
    }
}

TEST(TrainingJob, EveryModelWithItsDefaultsIsValid) {
    for (const ModelSpec& model :
         {ModelSpec{MlpModel{}}, ModelSpec{CnnModel{}}, ModelSpec{ResnetModel{}}, ModelSpec{GptModel{}}, ModelSpec{EmulatedModel{}},
          ModelSpec{TorchScriptModel{.file = "model.pt", .input_shape = {3, 32, 32}}}}) {
        EXPECT_EQ(refusal([&] { job_with(model).validate(); }), "") << model_type(model);
    }
}

TEST(TrainingJob, TypesAreNamedAsInJobFiles) {
    EXPECT_EQ(model_type(MlpModel{}), "mlp");
    EXPECT_EQ(model_type(CnnModel{}), "cnn");
    EXPECT_EQ(model_type(ResnetModel{.depth = 50}), "resnet50");
    EXPECT_EQ(model_type(GptModel{}), "gpt");
    EXPECT_EQ(model_type(TorchScriptModel{}), "torchscript");
    EXPECT_EQ(model_type(EmulatedModel{}), "emulated");
}

TEST(TrainingJob, NamesTheModelsFieldValueAndExpectation) {
    expect_refusals(job_with(GptModel{}), {{[](TrainingJob& job) { std::get<GptModel>(job.model).heads = 3; },
                                            "model.heads: found '3', expected a divisor of hidden, 128"},
                                           {[](TrainingJob& job) { std::get<GptModel>(job.model).vocabulary = 1; },
                                            "model.vocabulary: found '1', expected a whole number from 2 to 100000000"},
                                           {[](TrainingJob& job) { std::get<GptModel>(job.model).dropout = 1; },
                                            "model.dropout: found '1', expected a number of at least 0 and below 1"},
                                           {[](TrainingJob& job) { job.loss = LossKind::kMeanSquaredError; },
                                            "loss: found 'mean-squared-error', expected cross-entropy, since gpt predicts tokens"}});
    expect_refusals(job_with(CnnModel{}), {{[](TrainingJob& job) { std::get<CnnModel>(job.model).filters = {}; },
                                            "model.filters: found 'an empty list', expected at least one number of filters"},
                                           {[](TrainingJob& job) {
                                                std::get<CnnModel>(job.model).filters = {8, 0};
                                            },
                                            "model.filters[1]: found '0', expected a whole number from 1 to 100000000"},
                                           {[](TrainingJob& job) { std::get<CnnModel>(job.model).size = 3; },
                                            "model.size: found '3', expected at least 2^2, halved by each entry of filters"}});
    expect_refusals(job_with(ResnetModel{}), {{[](TrainingJob& job) { std::get<ResnetModel>(job.model).depth = 34; },
                                               "model.type: found 'resnet34', expected resnet18 or resnet50"}});
}

TEST(TrainingJob, NamesWhatDoesNotGoTogether) {
    expect_refusals(job_with(MlpModel{}), {{[](TrainingJob& job) { std::get<SyntheticData>(job.data).ragged = true; },
                                            "data.ragged: found 'true', expected a model that takes tokens, which mlp does not"},
                                           {[](TrainingJob& job) { job.data = TokenData{.tokens = "t.npy"}; },
                                            "data.type: found 'tokens', expected a model that takes tokens, which mlp does not"},
                                           {[](TrainingJob& job) { job.optimizer.nesterov = true; },
                                            "optimizer.nesterov: found 'true', expected a momentum above 0 beside it"}});
    expect_refusals(job_with(EmulatedModel{}), {{[](TrainingJob& job) { job.data = ArrayData{.inputs = "x.npy", .targets = "y.npy"}; },
                                                 "data.type: found 'arrays', expected synthetic: an emulated model reads no data"}});
}

TEST(TrainingJob, NamesEveryOtherFieldThatIsWrong) {
    expect_refusals(
        job_with(MlpModel{}),
        {{[](TrainingJob& job) { job.name = ""; }, "name: expected a name"},
         {[](TrainingJob& job) { job.name = "../up"; },
          "name: found '../up', expected at most 200 characters, no '/' and no '.' in front: it names a folder"},
         {[](TrainingJob& job) { job.steps = 0; }, "steps: found '0', expected a whole number from 1 to 1000000000000"},
         {[](TrainingJob& job) { job.loss_scale = -1; }, "loss_scale: found '-1', expected a finite number of at least 0"},
         {[](TrainingJob& job) { job.optimizer.learning_rate = 0; },
          "optimizer.learning_rate: found '0', expected a finite number above 0"},
         {[](TrainingJob& job) { job.optimizer.beta2 = 1; }, "optimizer.beta2: found '1', expected a number of at least 0 and below 1"},
         {[](TrainingJob& job) { job.optimizer.weight_decay = -1; },
          "optimizer.weight_decay: found '-1', expected a finite number of at least 0"},
         {[](TrainingJob& job) { job.schedule.final_fraction = 2; }, "schedule.final_fraction: found '2', expected a number from 0 to 1"},
         {[](TrainingJob& job) { job.checkpoint.keep = 0; }, "checkpoint.keep: found '0', expected a whole number from 1 to 1000"},
         {[](TrainingJob& job) { std::get<SyntheticData>(job.data).samples = 0; },
          "data.samples: found '0', expected a whole number from 1 to 1000000000000"}});
}

}  // namespace
}  // namespace medley
