#include "io/plan_file.h"

#include <gtest/gtest.h>

#include "core/rng.h"
#include "tests/unit/core/refusal.h"

namespace medley::io {
namespace {

// VirtualFlow's H3: 2 V100 with 8 virtual nodes of 256 each, 8 P100 with 2 of 256.
const std::string kMixed = R"(format: 1
model: "resnet50"
global_batch: 8192
groups:
  - gpu_type: "V100"
    replicas: 2
    virtual_nodes: [{batch: 256, count: 8}]
  - gpu_type: "P100"
    replicas: 8
    virtual_nodes: [{batch: 256, count: 2}]
)";

std::string plan_refusal_of(const std::string& from, const std::string& to) {
    std::string text = kMixed;
    text.replace(text.find(from), from.size(), to);
    return refusal([&] { parse_plan(text, "plan.yaml"); });
}

TEST(PlanFile, IsReadAndWrittenUnchanged) {
    const Plan plan = parse_plan(kMixed, "plan.yaml");
    EXPECT_EQ(plan.gpus(), 10);
    EXPECT_EQ(plan.groups.at(0).batch_per_replica(), Samples{2048});
    EXPECT_EQ(format_plan(plan), kMixed);
}

TEST(PlanFile, SizesMayBeListedOneByOneInAnyOrder) {
    const Plan plan =
        parse_plan("global_batch: 7\ngroups: [{gpu_type: K80, replicas: 1, virtual_nodes: [1, {batch: 2, count: 2}, 2]}]\n", "f");
    EXPECT_EQ(plan.groups.at(0).virtual_nodes, (std::vector<Samples>{Samples{2}, Samples{2}, Samples{2}, Samples{1}}));
    EXPECT_TRUE(plan.model.empty());
}

TEST(PlanFile, TheResultOfPlanIsAPlan) {
    const Plan plan = parse_plan(R"({"feasible": true, "global_batch": 768, "step_time_s": 0.5, "optimal": true, "assignments": [
        {"gpu_type": "V100", "gpus": 2, "per_gpu_batch": 256, "virtual_node_batches": [128, 128], "memory_bytes": null},
        {"gpu_type": "K80", "gpus": 4, "per_gpu_batch": 64, "virtual_node_batches": [64], "memory_bytes": null}]})",
                                 "plan.json");
    ASSERT_EQ(plan.groups.size(), 2);
    EXPECT_EQ(plan.groups[1].replicas, 4);
    EXPECT_EQ(plan.global_batch, Samples{768});
}

TEST(PlanFile, EveryDegreeSurvives) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        Rng rng(seed);
        Plan plan{.model = Name("a \"model\"\\"), .groups = {}};
        for (std::int64_t groups = rng.between(1, 4); groups > 0; --groups) {
            ReplicaGroup group{.gpu_type = Name(rng.chance(0.5) ? "V100" : "RTX 2080 Ti"), .replicas = static_cast<int>(rng.between(1, 9))};
            group.tensor = static_cast<int>(rng.between(1, 3));
            group.pipeline = static_cast<int>(rng.between(1, 3));
            group.sharded_state = rng.chance(0.5);
            for (std::int64_t size = rng.between(5, 9); size > rng.between(1, 4); --size) { group.virtual_nodes.emplace_back(size); }
            plan.global_batch += group.batch_per_replica() * group.replicas;
            plan.groups.push_back(group);
        }
        const std::string text = format_plan(plan);
        const Plan again = parse_plan(text, "again.yaml");
        EXPECT_EQ(format_plan(again), text);
        EXPECT_EQ(again.virtual_nodes(), plan.virtual_nodes());
        EXPECT_EQ(again.gpus(), plan.gpus());
        EXPECT_EQ(again.model, plan.model);
    }
}

TEST(PlanFile, WrongValuesAreRefused) {
    EXPECT_EQ(plan_refusal_of("8192", "8191"),
              "plan.yaml: line 3, global_batch: found '8191', expected the sum of the virtual nodes, 8192");
    EXPECT_EQ(plan_refusal_of("replicas: 2", "replicas: 0"),
              "plan.yaml: line 6, groups[0].replicas: found '0', expected a whole number from 1 to 100000000");
    EXPECT_EQ(plan_refusal_of("replicas: 2", "replica: 2"),
              "plan.yaml: line 6, groups[0].replica: found 'replica', expected replicas (known: gpu_type, replicas, tensor, pipeline, "
              "sharded_state, virtual_nodes)");
    EXPECT_EQ(plan_refusal_of("{batch: 256, count: 8}", ""),
              "plan.yaml: line 7, groups[0].virtual_nodes: expected at least one virtual node");
    EXPECT_EQ(plan_refusal_of("count: 8", "count: 1000001"),
              "plan.yaml: line 7, groups[0].virtual_nodes[0].count: found '1000001', expected a whole number from 1 to 1000000");
    EXPECT_EQ(plan_refusal_of("replicas: 8", "replicas: 99999999"),
              "plan.yaml: line 5, groups: found '100000001 GPUs in all', expected at most 100000000");
}

}  // namespace
}  // namespace medley::io
