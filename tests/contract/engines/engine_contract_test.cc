#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/support/engine_group.h"

namespace medley::executor {
namespace {

struct Subject {
    std::string name;
    TrainingJob job;
    bool exact = true;
};

void PrintTo(const Subject& subject, std::ostream* out) { *out << subject.name; }

TrainingJob job_of(ModelSpec model) {
    return {.name = "contract", .model = std::move(model), .data = SyntheticData{.samples = 100}, .seed = 7};
}

#if defined(MEDLEY_TEST_TORCH)

Subject torch_mlp() {
    TrainingJob job = job_of(MlpModel{.inputs = 8, .hidden = {16}, .outputs = 4, .dropout = 0.25});
    job.optimizer = {.kind = OptimizerKind::kSgd, .learning_rate = 0.1, .momentum = 0.9};
    return {"torch_mlp", job};
}

Subject torch_cnn() {
    TrainingJob job = job_of(CnnModel{.channels = 2, .size = 8, .filters = {4, 8}, .classes = 3});
    job.optimizer = {.kind = OptimizerKind::kAdamW, .learning_rate = 0.01, .weight_decay = 0.1, .clip_norm = 1};
    return {"torch_cnn", job};
}

Subject torch_gpt() {
    TrainingJob job = job_of(GptModel{.vocabulary = 16, .sequence = 8, .layers = 2, .hidden = 16, .heads = 2, .dropout = 0.1});
    job.data = SyntheticData{.samples = 100, .ragged = true};
    job.optimizer = {.kind = OptimizerKind::kAdam, .learning_rate = 0.01};
    job.precision = Precision::kFp64;
    return {"torch_gpt", job};
}

std::vector<Subject> torch_subjects() { return {torch_mlp(), torch_cnn(), torch_gpt()}; }

#else

std::vector<Subject> torch_subjects() { return {}; }

#endif

std::vector<Subject> subjects() {
    std::vector<Subject> all = {{"emulated", job_of(EmulatedModel{.parameters = 50})}};
    for (const Subject& subject : torch_subjects()) { all.push_back(subject); }
    return all;
}

// Short enough to be printed when an expectation fails.
std::size_t digest(const std::string& bytes) { return std::hash<std::string>{}(bytes); }

const std::vector<std::int64_t> kEqual = {4, 4, 4, 4};
const std::vector<std::int64_t> kUnequal = {1, 7, 3, 5};

class EngineContract : public testing::TestWithParam<Subject> {
 protected:
    std::string device() const { return GetParam().name == "emulated" ? "emulated" : "cpu"; }
    GroupSetup setup(const Mapping& mapping, const std::vector<std::int64_t>& virtual_nodes = kUnequal) const {
        return {.job = GetParam().job, .virtual_nodes = virtual_nodes, .mapping = mapping, .exact = GetParam().exact, .device = device()};
    }
    EngineGroup alone(const std::vector<std::int64_t>& virtual_nodes = kUnequal) const {
        return EngineGroup(setup(one_worker(4), virtual_nodes));
    }
};

INSTANTIATE_TEST_SUITE_P(All, EngineContract, testing::ValuesIn(subjects()), [](const auto& test) { return test.param.name; });

TEST_P(EngineContract, TheStateAtStepZeroComesFromTheSeedAlone) {
    EngineGroup first = alone();
    EngineGroup second(setup({{3}, {2, 1}, {0}}, kEqual));
    EXPECT_EQ(digest(first.state()), digest(second.state()));

    GroupSetup other = setup(one_worker(4));
    other.job.seed = 8;
    EXPECT_NE(digest(first.state()), digest(EngineGroup(other).state()));
}

TEST_P(EngineContract, InitialiseGoesBackToStepZero) {
    EngineGroup group = alone();
    const std::string before = group.state();
    group.run_steps(2);
    EXPECT_NE(digest(group.state()), digest(before));
    group.engine().initialise();
    EXPECT_EQ(digest(group.state()), digest(before));
}

TEST_P(EngineContract, TheReductionHasOneElementPerElementOfItsTensors) {
    EngineGroup group = alone();
    std::size_t elements = 0;
    for (const ReducedTensor& tensor : group.engine().reduced_tensors()) { elements += tensor.elements; }
    group.sum_nodes();
    EXPECT_EQ(group.engine().reduction().elements, elements);
    EXPECT_GT(elements, 0U);
}

TEST_P(EngineContract, AnyOrderOfVirtualNodesGivesTheSameReduction) {
    EngineGroup forwards = alone();
    EngineGroup backwards(setup({{3, 1, 0, 2}}));
    EXPECT_EQ(forwards.sum_nodes(), backwards.sum_nodes());
    EXPECT_EQ(digest(bytes_of(forwards.engine().reduction())), digest(bytes_of(backwards.engine().reduction())));
}

TEST_P(EngineContract, AnyMappingGivesTheSameStatesAndLosses) {
    for (const auto& virtual_nodes : {kEqual, kUnequal}) {
        EngineGroup one = alone(virtual_nodes);
        const std::vector<double> losses = one.run_steps(5);
        for (const Mapping& mapping : {Mapping{{0, 1, 2}, {3}}, Mapping{{3}, {1}, {0}, {2}}, Mapping{{2, 0}, {}, {1, 3}}}) {
            EngineGroup many(setup(mapping, virtual_nodes));
            EXPECT_EQ(many.run_steps(5), losses);
            for (std::size_t worker = 0; worker < mapping.size(); ++worker) { EXPECT_EQ(digest(many.state(worker)), digest(one.state())); }
        }
    }
}

TEST_P(EngineContract, OtherSamplesGiveAnotherState) {
    EngineGroup group = alone();
    group.run_steps(2);
    GroupSetup other = setup(one_worker(4));
    std::get<SyntheticData>(other.job.data).samples = 60;
    EngineGroup others(other);
    others.run_steps(2);
    EXPECT_NE(digest(group.state()), digest(others.state()));
}

TEST_P(EngineContract, AStateGivenToAnotherEngineGoesOnAsIfNothingHadHappened) {
    EngineGroup first = alone();
    first.run_steps(3);
    const std::string middle = first.state();
    EngineGroup second = alone();
    second.run_steps(3);
    second.run_steps(2);
    first.engine().initialise();
    first.set_state(middle);
    EXPECT_EQ(digest(first.state()), digest(middle));
    first.run_steps(2);
    EXPECT_EQ(digest(first.state()), digest(second.state()));
}

TEST_P(EngineContract, BeginningAStepAnewDropsWhatWasAccumulated) {
    EngineGroup once = alone();
    once.run_steps(2);
    EngineGroup again = alone();
    again.run_step();
    again.begin_step();
    again.run_node(0, 2);
    again.run_node(0, 2);
    again.run_step();
    EXPECT_EQ(digest(once.state()), digest(again.state()));
}

TEST_P(EngineContract, AStepThatIsNotAppliedLeavesTheStateAsItWas) {
    EngineGroup group = alone();
    group.run_steps(2);
    const std::string before = group.state();
    group.sum_nodes();
    EXPECT_EQ(digest(group.state()), digest(before));
}

TEST_P(EngineContract, AVirtualNodeTwiceIsNotTheSameAsOnce) {
    EngineGroup group = alone();
    group.sum_nodes();
    const std::size_t once = digest(bytes_of(group.engine().reduction()));
    group.run_node(0, 1);
    EXPECT_NE(digest(bytes_of(group.engine().reduction())), once);
}

TEST_P(EngineContract, StateSectionsHaveTheSameNamesAndSizesOnEveryWorker) {
    EngineGroup group(setup({{0, 1, 2, 3}, {}}));
    group.run_step();
    const auto first = group.engine(0).state();
    const auto second = group.engine(1).state();
    ASSERT_EQ(first.size(), second.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
        EXPECT_EQ(first[i].name, second[i].name);
        EXPECT_EQ(first[i].bytes.size(), second[i].bytes.size());
    }
}

TEST_P(EngineContract, OutputsAreThoseOfTheSamplesHoweverTheyAreGrouped) {
    EngineGroup group = alone();
    group.run_steps(2);
    Engine& engine = group.engine();
    const std::vector<std::int64_t> samples = {5, 0, 99, 42, 7, 13};
    const std::string all =
        engine.predict({.samples = std::span(samples).first(3)}) + engine.predict({.samples = std::span(samples).last(3)});
    std::size_t elements = 6;
    for (const std::int64_t extent : engine.output_shape()) { elements *= static_cast<std::size_t>(extent); }
    EXPECT_EQ(all.size(), elements * (GetParam().job.precision == Precision::kFp64 ? 8 : 4));

    EngineGroup another = alone();
    another.set_state(group.state());
    EXPECT_TRUE(another.engine().predict({.virtual_node = 3, .samples = std::span(samples).last(3)}) == all.substr(all.size() / 2));
    EXPECT_TRUE(another.engine().predict({.samples = std::span(samples).first(3)}) == all.substr(0, all.size() / 2));
}

TEST_P(EngineContract, InferenceLeavesTheStateAlone) {
    EngineGroup group = alone();
    group.run_steps(2);
    const std::string before = group.state();
    const std::vector<std::int64_t> samples = {1, 2, 3};
    group.engine().predict({.samples = samples});
    group.engine().output_shape();
    EXPECT_EQ(digest(group.state()), digest(before));
}

TEST(Engines, ADeviceThatIsNotThereIsRefusedInOneLine) {
    try {
        make_engine({.job = job_of(MlpModel{}), .virtual_nodes = {1}, .device = "cuda:63"});
        FAIL() << "no error";
    } catch (const Error& error) { EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what(); }
}

TEST(Engines, TheProcessorIsAlwaysTheFirstDevice) {
    const DevicesFound found = find_devices();
    ASSERT_FALSE(found.devices.empty());
    EXPECT_EQ(found.devices.front().device, "cpu");
    EXPECT_TRUE(found.devices.size() > 1 || found.note.starts_with("no GPU")) << found.note;
}

}  // namespace
}  // namespace medley::executor
