#include "io/job_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/rng.h"
#include "tests/unit/core/refusal.h"

namespace medley::io {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

const std::string kGpt = R"(
name: gpt-small
model: {type: gpt, layers: 4, hidden: 128, heads: 4, sequence: 64, vocabulary: 256, dropout: 0.1}
data: {type: synthetic, samples: 4096, ragged: true}
loss: cross-entropy
optimizer: {type: adamw, learning_rate: 3e-4, weight_decay: 0.01, clip_norm: 1.0}
schedule: {type: cosine, warmup_steps: 10}
precision: fp32
steps: 50
seed: 7
checkpoint: {every_steps: 20, keep: 2}
profile: resnet50
)";

std::string job_refusal_of(const std::string& from, const std::string& to) {
    std::string text = kGpt;
    text.replace(text.find(from), from.size(), to);
    return refusal([&] { parse_job(text, "job.yaml"); });
}

TEST(JobFile, EveryFieldIsRead) {
    const JobFile file = parse_job(kGpt, "job.yaml");
    const TrainingJob& job = file.job;
    EXPECT_EQ(file.profile, "resnet50");
    EXPECT_EQ(job.name, "gpt-small");
    const auto& model = std::get<GptModel>(job.model);
    EXPECT_EQ(model.layers, 4);
    EXPECT_EQ(model.hidden, 128);
    EXPECT_DOUBLE_EQ(model.dropout, 0.1);
    EXPECT_TRUE(std::get<SyntheticData>(job.data).ragged);
    EXPECT_EQ(job.optimizer.kind, OptimizerKind::kAdamW);
    EXPECT_DOUBLE_EQ(job.optimizer.learning_rate, 3e-4);
    EXPECT_DOUBLE_EQ(job.optimizer.clip_norm, 1);
    EXPECT_EQ(job.schedule.kind, ScheduleKind::kCosine);
    EXPECT_EQ(job.schedule.warmup_steps, 10);
    EXPECT_EQ(job.steps, 50);
    EXPECT_EQ(job.seed, 7);
    EXPECT_EQ(job.checkpoint.every_steps, 20);
}

TEST(JobFile, AModelAloneIsAJobNamedAsItsFile) {
    const JobFile file = parse_job("model: {type: mlp}\n", "/somewhere/tiny.yaml");
    EXPECT_EQ(file.job.name, "tiny");
    EXPECT_EQ(file.job.steps, 100);
    EXPECT_TRUE(std::holds_alternative<SyntheticData>(file.job.data));
}

TEST(JobFile, FilesAreLookedForFromTheJobsFolder) {
    const JobFile arrays = parse_job("model: {type: cnn}\ndata: {type: arrays, inputs: x.npy, targets: ../y.npy}\n", "/data/jobs/cnn.yaml");
    EXPECT_EQ(std::get<ArrayData>(arrays.job.data).inputs, "/data/jobs/x.npy");
    EXPECT_EQ(std::get<ArrayData>(arrays.job.data).targets, "/data/y.npy");
    const JobFile tokens = parse_job("model: {type: gpt}\ndata: {type: tokens, tokens: /t.npy}\n", "/data/jobs/gpt.yaml");
    EXPECT_EQ(std::get<TokenData>(tokens.job.data).tokens, "/t.npy");
    const JobFile script = parse_job("model: {type: torchscript, file: m.pt, input_shape: [3, 8, 8]}\n", "/data/jobs/s.yaml");
    EXPECT_EQ(std::get<TorchScriptModel>(script.job.model).file, "/data/jobs/m.pt");
    EXPECT_THAT(std::get<TorchScriptModel>(script.job.model).input_shape, ElementsAre(3, 8, 8));
}

TEST(JobFile, ResnetsAreTypesOfTheirOwn) {
    const JobFile file = parse_job("model: {type: resnet50, size: 224, classes: 1000}\n", "r.yaml");
    EXPECT_EQ(std::get<ResnetModel>(file.job.model).depth, 50);
}

TEST(JobFile, LossScaleIsANumberOrDynamic) {
    EXPECT_EQ(parse_job("model: {type: mlp}\nloss_scale: dynamic\n", "j").job.loss_scale, 0);
    EXPECT_EQ(parse_job("model: {type: mlp}\nloss_scale: 1024\n", "j").job.loss_scale, 1024);
    EXPECT_EQ(refusal([] { parse_job("model: {type: mlp}\nloss_scale: 0\n", "j"); }),
              "j: line 2, loss_scale: found '0', expected a number above 0, or dynamic");
}

TEST(JobFile, RefusesAndNamesTheNearest) {
    EXPECT_EQ(job_refusal_of("heads:", "head:"),
              "job.yaml: line 3, model.head: found 'head', expected heads (known: type, vocabulary, "
              "sequence, layers, hidden, heads, dropout)");
    EXPECT_THAT(job_refusal_of("type: gpt", "type: gpt2"), EndsWith("found 'gpt2', expected gpt (known: mlp, cnn, resnet18, resnet50, gpt, "
                                                                    "torchscript, emulated)"));
    EXPECT_THAT(job_refusal_of("adamw", "adamx"),
                HasSubstr("line 6, optimizer.type: found 'adamx', expected adam (known: sgd, adam, adamw)"));
    EXPECT_THAT(job_refusal_of("steps: 50", "step: 50"), HasSubstr("line 9, step: found 'step', expected steps"));
    EXPECT_THAT(job_refusal_of("samples: 4096", "samples: many"), HasSubstr("data.samples: found 'many', expected a whole number"));
    EXPECT_THAT(job_refusal_of("{type: synthetic, ", "{"), HasSubstr("data.type: expected a value, which is missing"));
}

TEST(JobFile, SettingsOfAnotherOptimizerAreRefused) {
    const auto refusal_with = [](const std::string& optimizer) {
        return refusal([&] { parse_job("model: {type: mlp}\noptimizer: {" + optimizer + "}\n", "j"); });
    };
    EXPECT_EQ(refusal_with("type: sgd, beta1: 0.9"),
              "j: line 2, optimizer.beta1: found 'beta1', expected a setting of sgd (adam and adamw have it)");
    EXPECT_THAT(refusal_with("epsilon: 1e-8"), HasSubstr("optimizer.epsilon: found 'epsilon'")) << "sgd is the default";
    for (const std::string type : {"adam", "adamw"}) {
        for (const std::string setting : {"momentum: 0.9", "nesterov: false"}) {
            EXPECT_THAT(refusal_with("type: " + type + ", " + setting), EndsWith("expected a setting of adam and adamw (sgd has it)"));
        }
    }
    EXPECT_EQ(refusal_with("type: sgd, momentum: 0.9, nesterov: true"), "");
    EXPECT_EQ(refusal_with("type: adam, beta1: 0.9, beta2: 0.99, epsilon: 1e-6"), "");
}

TEST(JobFile, WhatValidationRefusesHasItsLine) {
    EXPECT_EQ(job_refusal_of("heads: 4", "heads: 5"), "job.yaml: line 3, model.heads: found '5', expected a divisor of hidden, 128");
    EXPECT_EQ(job_refusal_of("learning_rate: 3e-4", "learning_rate: 0"),
              "job.yaml: line 6, optimizer.learning_rate: found '0', expected a finite number above 0");
}

/// Any model, data and settings that go together.
JobFile random_job(Rng& rng) {
    JobFile file;
    TrainingJob& job = file.job;
    job.name = rng.chance(0.5) ? "plain" : "a \"name\"\\ with: signs";
    const std::vector<ModelSpec> models = {MlpModel{.inputs = rng.between(1, 99), .hidden = {3, 4}, .dropout = 0.125},
                                           CnnModel{.filters = {2, 3, 4}, .batch_norm = rng.chance(0.5)},
                                           ResnetModel{.depth = rng.chance(0.5) ? 18 : 50},
                                           GptModel{.layers = rng.between(1, 9), .dropout = 1.0 / 3},
                                           TorchScriptModel{.file = "/m.pt", .input_shape = {}, .token_inputs = true},
                                           EmulatedModel{.profile = "resnet50", .seconds_per_sample = 1e-7, .parameters = 9}};
    job.model = models[static_cast<std::size_t>(rng.between(0, 5))];
    if (std::holds_alternative<GptModel>(job.model)) { job.data = TokenData{.tokens = "/t.npy"}; }
    if (std::holds_alternative<CnnModel>(job.model)) { job.data = ArrayData{.inputs = "/x.npy", .targets = ""}; }
    job.optimizer.kind = static_cast<OptimizerKind>(rng.between(0, 2));
    job.optimizer.learning_rate = 1.0 / static_cast<double>(rng.between(1, 1000));
    job.schedule = {.kind = static_cast<ScheduleKind>(rng.between(0, 2)), .warmup_steps = rng.between(0, 9), .final_fraction = 0.1};
    job.precision = static_cast<Precision>(rng.between(0, 3));
    job.loss_scale = rng.chance(0.5) ? 0 : 4;
    job.steps = rng.between(1, 1000000);
    job.seed = static_cast<std::uint64_t>(rng.between(0, 1000000));
    job.checkpoint = {.every_steps = rng.between(0, 100), .keep = static_cast<int>(rng.between(1, 5))};
    file.profile = rng.chance(0.5) ? "" : "a profile";
    return file;
}

TEST(JobFile, WhatIsWrittenIsReadBackUnchanged) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        Rng rng(seed);
        const JobFile file = random_job(rng);
        const std::string text = format_job(file);
        const JobFile again = parse_job(text, "again.yaml");
        EXPECT_EQ(format_job(again), text);
        EXPECT_EQ(again.job.model.index(), file.job.model.index());
        EXPECT_EQ(again.job.optimizer.learning_rate, file.job.optimizer.learning_rate);
        EXPECT_EQ(again.job.name, file.job.name);
        EXPECT_EQ(again.profile, file.profile);
    }
}

}  // namespace
}  // namespace medley::io
