#include "io/results/plan_formats.h"

#include <gmock/gmock.h>

#include "io/plan_file.h"

namespace medley::io {
namespace {

const Plan kPlan = {.model = Name("a \"b\""),
                    .global_batch = Samples{40},
                    .groups = {{.gpu_type = Name("V100"), .replicas = 2, .virtual_nodes = {Samples{8}, Samples{8}}},
                               {.gpu_type = Name("K80"), .pipeline = 2, .sharded_state = true, .virtual_nodes = {Samples{8}}}}};

TEST(PlanFormats, JsonReadsBackTheSame) { EXPECT_EQ(parse_plan(format_plan_json(kPlan), "plan.json"), kPlan); }

TEST(PlanFormats, TheNameDecides) {
    EXPECT_EQ(format_plan_for("a/plan.json", kPlan), format_plan_json(kPlan));
    EXPECT_EQ(format_plan_for("plan.yaml", kPlan), format_plan(kPlan));
    EXPECT_EQ(format_plan_for("json", kPlan), format_plan(kPlan));
    EXPECT_THAT(format_plan_json(kPlan), testing::StartsWith("{"));
}

}  // namespace
}  // namespace medley::io
