#include <algorithm>
#include <cstring>
#include <numeric>

#include <gtest/gtest.h>

#include "core/error.h"
#include "executor/data/sample_order.h"
#include "executor/engines/emulated/emulated_numbers.h"
#include "executor/engines/engine.h"

namespace medley::executor {
namespace {

EngineSetup small_setup() {
    EngineSetup setup;
    setup.job.model = EmulatedModel{.parameters = 37};
    setup.job.data = SyntheticData{.samples = 100};
    setup.job.seed = 11;
    setup.virtual_nodes = {8, 3, 5, 1};
    setup.device = "emulated";
    return setup;
}

std::string bytes_of_state(Engine& engine) {
    std::string bytes;
    for (const StateSection& section : engine.state()) {
        bytes.append(reinterpret_cast<const char*>(section.bytes.data()), section.bytes.size());
    }
    return bytes;
}

std::string bytes_of_state(EmulatedState state) {
    std::string bytes;
    for (const StateSection& section : state.sections()) {
        bytes.append(reinterpret_cast<const char*>(section.bytes.data()), section.bytes.size());
    }
    return bytes;
}

// Workers in one thread: each engine runs its nodes, the sums are added by hand.
class Workers {
 public:
    Workers(const EngineSetup& setup, std::vector<std::vector<std::uint32_t>> nodes)
        : setup_(setup), nodes_(std::move(nodes)), order_(100, setup.virtual_nodes, setup.job.seed) {
        for (std::size_t worker = 0; worker < nodes_.size(); ++worker) { engines_.push_back(make_engine(setup)); }
    }

    double step(std::int64_t step) {
        NodeResult total;
        for (std::size_t worker = 0; worker < nodes_.size(); ++worker) {
            engines_[worker]->begin_step({.step = step});
            for (const std::uint32_t node : nodes_[worker]) { add(total, run(*engines_[worker], step, node)); }
        }
        reduce();
        for (auto& engine : engines_) { engine->apply(total.weight); }
        return total.loss_sum / static_cast<double>(total.weight);
    }

    Engine& engine(std::size_t worker) { return *engines_[worker]; }

 private:
    NodeResult run(Engine& engine, std::int64_t step, std::uint32_t node) {
        std::vector<std::int64_t> samples;
        order_.fill(step, node, samples);
        return engine.run_node({.step = step, .virtual_node = node, .samples = samples});
    }
    static void add(NodeResult& total, const NodeResult& part) {
        total.loss_sum += part.loss_sum;
        total.weight += part.weight;
    }
    void reduce() {
        const std::size_t elements = engines_[0]->reduction().elements;
        std::vector<std::int64_t> sums(elements);
        for (auto& engine : engines_) {
            const auto* part = static_cast<const std::int64_t*>(engine->reduction().data);
            for (std::size_t index = 0; index < elements; ++index) {
                sums[index] = static_cast<std::int64_t>(static_cast<std::uint64_t>(sums[index]) + static_cast<std::uint64_t>(part[index]));
            }
        }
        for (auto& engine : engines_) { std::copy(sums.begin(), sums.end(), static_cast<std::int64_t*>(engine->reduction().data)); }
    }

    EngineSetup setup_;
    std::vector<std::vector<std::uint32_t>> nodes_;
    SampleOrder order_;
    std::vector<std::unique_ptr<Engine>> engines_;
};

TEST(EmulatedEngine, EveryMappingLeadsToTheForetoldState) {
    const EngineSetup setup = small_setup();
    const std::string foretold = bytes_of_state(emulated_state_after(setup.job, setup.virtual_nodes, 6));
    for (const auto& mapping :
         std::vector<std::vector<std::vector<std::uint32_t>>>{{{0, 1, 2, 3}}, {{3, 1}, {2, 0}}, {{2}, {0}, {3}, {1}}}) {
        Workers workers(setup, mapping);
        for (std::int64_t step = 0; step < 6; ++step) {
            EXPECT_NEAR(workers.step(step), emulated_loss_at(setup.job, setup.virtual_nodes, step), 1e-12);
        }
        for (std::size_t worker = 0; worker < mapping.size(); ++worker) { EXPECT_EQ(bytes_of_state(workers.engine(worker)), foretold); }
    }
}

TEST(EmulatedEngine, AMistakeInTheMappingChangesTheState) {
    const EngineSetup setup = small_setup();
    const std::string foretold = bytes_of_state(emulated_state_after(setup.job, setup.virtual_nodes, 1));
    for (const auto& wrong : std::vector<std::vector<std::vector<std::uint32_t>>>{{{0, 1, 2}}, {{0, 1, 2, 3, 3}}, {{0, 1}, {1, 2, 3}}}) {
        Workers workers(setup, wrong);
        workers.step(0);
        EXPECT_NE(bytes_of_state(workers.engine(0)), foretold);
    }
}

TEST(EmulatedEngine, StepSampleOrWeightMistakenChangeTheState) {
    const std::vector<std::int64_t> samples = {4, 5, 6};
    const std::vector<std::int64_t> swapped = {5, 4, 6};
    const auto gradient = [](std::uint64_t seed, const NodeWork& work) {
        std::vector<std::int64_t> sums(4);
        add_emulated_gradient(seed, work, sums);
        return sums;
    };
    const NodeWork work{.step = 2, .virtual_node = 1, .samples = samples};
    EXPECT_EQ(gradient(9, work), gradient(9, work));
    EXPECT_NE(gradient(9, work), gradient(8, work));
    EXPECT_NE(gradient(9, work), gradient(9, {.step = 3, .virtual_node = 1, .samples = samples}));
    EXPECT_NE(gradient(9, work), gradient(9, {.step = 2, .virtual_node = 0, .samples = samples}));
    EXPECT_NE(gradient(9, work), gradient(9, {.step = 2, .virtual_node = 1, .samples = swapped}));

    const auto engine = make_engine(small_setup());
    engine->begin_step({});
    engine->apply(17);
    const std::string with_17 = bytes_of_state(*engine);
    engine->initialise();
    engine->begin_step({});
    engine->apply(16);
    EXPECT_NE(bytes_of_state(*engine), with_17);
}

TEST(EmulatedEngine, BeginningAStepAnewDropsWhatWasAdded) {
    Workers workers(small_setup(), {{0, 1, 2, 3}});
    workers.engine(0).begin_step({});
    workers.engine(0).run_node({.step = 0, .virtual_node = 0, .samples = {}});
    workers.step(0);
    EXPECT_EQ(bytes_of_state(workers.engine(0)), bytes_of_state(emulated_state_after(small_setup().job, small_setup().virtual_nodes, 1)));
}

TEST(EmulatedEngine, StateWrittenIntoAnotherEngineContinuesThere) {
    const EngineSetup setup = small_setup();
    Workers first(setup, {{0, 1, 2, 3}});
    first.step(0);
    Workers second(setup, {{0, 2}, {1, 3}});
    const auto from = first.engine(0).state();
    for (std::size_t worker = 0; worker < 2; ++worker) {
        const auto to = second.engine(worker).state();
        ASSERT_EQ(to.size(), from.size());
        for (std::size_t section = 0; section < to.size(); ++section) {
            ASSERT_EQ(to[section].name, from[section].name);
            std::copy(from[section].bytes.begin(), from[section].bytes.end(), to[section].bytes.begin());
        }
        second.engine(worker).state_changed();
    }
    second.step(1);
    EXPECT_EQ(bytes_of_state(second.engine(1)), bytes_of_state(emulated_state_after(setup.job, setup.virtual_nodes, 2)));
}

TEST(EmulatedEngine, TheLossFalls) {
    const EngineSetup setup = small_setup();
    EXPECT_GT(emulated_loss_at(setup.job, setup.virtual_nodes, 0), 2);
    EXPECT_LT(emulated_loss_at(setup.job, setup.virtual_nodes, 200), 0.5);
}

TEST(EmulatedEngine, PredictionsDependOnTheSampleAlone) {
    EngineSetup setup = small_setup();
    setup.inference = true;
    const auto engine = make_engine(setup);
    const std::vector<std::int64_t> both = {7, 8};
    const std::vector<std::int64_t> second = {8};
    const std::string outputs = engine->predict({.virtual_node = 0, .samples = both});
    ASSERT_EQ(outputs.size(), 2 * sizeof(float));
    EXPECT_EQ(outputs.substr(sizeof(float)), engine->predict({.virtual_node = 3, .samples = second}));
    EXPECT_NE(outputs.substr(sizeof(float)), outputs.substr(0, sizeof(float)));
    setup.job.precision = Precision::kFp64;
    EXPECT_EQ(make_engine(setup)->predict({.samples = second}).size(), sizeof(double));
}

TEST(EmulatedEngine, ReducesWholeNumbersInHostMemory) {
    const auto engine = make_engine(small_setup());
    engine->begin_step({});
    const Buffer buffer = engine->reduction();
    EXPECT_EQ(buffer.type, ElementType::kInt64);
    EXPECT_EQ(buffer.elements, 37u);
    EXPECT_EQ(engine->reduced_tensors().size(), 1u);
    EXPECT_EQ(engine->reduced_tensors()[0].elements, 37u);
    EXPECT_FALSE(engine->fixed_point_status().overflow);
    EXPECT_EQ(engine->fixed_point_status().largest_exponent.size(), 1u);
}

TEST(EmulatedEngine, RefusesDataThatAreNotSynthetic) {
    EngineSetup setup = small_setup();
    setup.job.data = TokenData{.tokens = "tokens.npy"};
    EXPECT_THROW(make_engine(setup), Error);
}

TEST(EmulatedEngine, RefusesASpeedOfZero) {
    EngineSetup setup = small_setup();
    setup.speed = 0;
    EXPECT_THROW(make_engine(setup), Error);
}

TEST(MakeEngine, AModelThatComputesCannotRunOnAnEmulatedDevice) {
    EngineSetup setup = small_setup();
    setup.job.model = MlpModel{};
    EXPECT_THROW(make_engine(setup), Error);
}

}  // namespace
}  // namespace medley::executor
