#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include <torch/script.h>

#include "core/error.h"
#include "tests/unit/engines_torch/torch_group.h"

namespace medley::executor {
namespace {

class ScriptModel : public testing::Test {
 protected:
    ScriptModel() : folder_(std::filesystem::path(testing::TempDir()) / ("medley-script-" + std::to_string(getpid()))) {
        std::filesystem::create_directories(folder_);
    }
    ~ScriptModel() override { std::filesystem::remove_all(folder_); }

    std::string path(const char* name) const { return folder_ / name; }

    // One linear layer after a normalisation that counts its batches, as batch-norm modules do, and drops out.
    std::string save_network(bool trainable) const {
        torch::jit::Module module("network");
        module.register_parameter("weight", torch::full({3, 8}, 0.01).set_requires_grad(trainable), false);
        module.register_buffer("mean", torch::zeros({8}));
        module.register_buffer("variance", torch::ones({8}));
        module.register_buffer("batches", torch::zeros({}, torch::kLong));
        module.register_attribute("training", torch::jit::BoolType::get(), true);
        module.define(R"(
            def forward(self, input):
                if self.training:
                    self.batches.add_(1)
                normed = torch.batch_norm(input, None, None, self.mean, self.variance, self.training, 0.1, 1e-5, False)
                return torch.matmul(torch.dropout(normed, 0.2, self.training), self.weight.t())
        )");
        module.save(path("network.pt"));
        return path("network.pt");
    }

    TrainingJob job(const std::string& file) const {
        return {.model = TorchScriptModel{.file = file, .input_shape = {8}, .classes = 3},
                .data = SyntheticData{.samples = 64},
                .optimizer = {.learning_rate = 0.1},
                .seed = 4};
    }

    GroupSetup group(const std::string& file, const Mapping& mapping) const {
        GroupSetup setup = torch_group(job(file), {4, 12, 8});
        setup.mapping = mapping;
        setup.exact = true;
        return setup;
    }

    std::filesystem::path folder_;
};

TEST_F(ScriptModel, Learns) {
    EngineGroup group(this->group(save_network(true), one_worker(3)));
    const std::vector<double> losses = group.run_steps(80);
    EXPECT_LT(losses.back(), 0.9 * losses.front());
}

TEST_F(ScriptModel, GivesTheSameBitsForAnyMapping) {
    const std::string file = save_network(true);
    EngineGroup one(group(file, one_worker(3)));
    EngineGroup many(group(file, {{2}, {0}, {1}}));
    EXPECT_EQ(one.run_steps(10), many.run_steps(10));
    EXPECT_TRUE(one.state() == many.state(2));
}

TEST_F(ScriptModel, CountsItsBatchesOncePerStep) {
    EngineGroup group(this->group(save_network(true), one_worker(3)));
    group.run_steps(7);
    for (const StateSection& section : group.engine().state()) {
        if (section.name == "counters") { EXPECT_EQ(*reinterpret_cast<const std::int64_t*>(section.bytes.data()), 7); }
    }
    EXPECT_EQ(group.engine().state()[2].name, "counters");
}

TEST_F(ScriptModel, InitialiseReadsTheFileAgain) {
    EngineGroup group(this->group(save_network(true), one_worker(3)));
    const std::string before = group.state();
    group.run_steps(3);
    group.engine().initialise();
    EXPECT_TRUE(group.state() == before);
}

TEST_F(ScriptModel, WorksInDouble) {
    TrainingJob job = this->job(save_network(true));
    job.precision = Precision::kFp64;
    EngineGroup group(torch_group(job, {8}));
    group.run_steps(2);
    EXPECT_EQ(group.engine().reduction().type, ElementType::kFloat64);
}

TEST_F(ScriptModel, WithoutTrainableParametersIsRefusedForTrainingAlone) {
    const std::string file = save_network(false);
    EXPECT_THROW(make_linked_engine({.job = job(file), .virtual_nodes = {4}}), Error);
    const auto engine = make_linked_engine({.job = job(file), .virtual_nodes = {4}, .inference = true});
    const std::vector<std::int64_t> samples = {0, 1};
    EXPECT_EQ(engine->predict({.samples = samples}).size(), 2 * 3 * sizeof(float));
}

TEST_F(ScriptModel, ThatIsMissingOrSomethingElseIsRefusedByName) {
    std::ofstream(path("text.pt")) << "not a model";
    for (const char* name : {"none.pt", "text.pt"}) {
        try {
            make_linked_engine({.job = job(path(name)), .virtual_nodes = {4}});
            FAIL() << "no error";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
            EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
        }
    }
}

TEST_F(ScriptModel, WhoseOutputsDoNotFitTheLabelsIsRefused) {
    TrainingJob job = this->job(save_network(true));
    job.loss = LossKind::kMeanSquaredError;
    std::get<TorchScriptModel>(job.model).classes = 5;
    const auto engine = make_linked_engine({.job = job, .virtual_nodes = {4}});
    engine->begin_step({});
    const std::vector<std::int64_t> samples = {0, 1};
    EXPECT_THROW(engine->run_node({.samples = samples}), Error);
}

}  // namespace
}  // namespace medley::executor
