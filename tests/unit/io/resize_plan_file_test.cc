#include "io/resize_plan_file.h"

#include <gtest/gtest.h>

#include "tests/unit/core/refusal.h"

namespace medley::io {
namespace {

TEST(ResizePlanFile, ChangesAreReadInOrder) {
    const auto steps = parse_resize_plan("resizes:\n  - {at_step: 20, to: \"V100=1\"}\n  - {at_step: 40, to: 4}\n", "/plans/r.yaml");
    ASSERT_EQ(steps.size(), 2);
    EXPECT_EQ(steps[0].at_step, 20);
    EXPECT_EQ(steps[0].to, "V100=1");
    EXPECT_EQ(steps[1].to, "4");
    EXPECT_EQ(steps[1].place, "line 3, resizes[1].to");
}

TEST(ResizePlanFile, PlansAreLookedForFromItsFolder) {
    EXPECT_EQ(parse_resize_plan("resizes: [{at_step: 1, to: small.yaml}]\n", "/plans/r.yaml").front().to, "/plans/small.yaml");
    EXPECT_TRUE(names_plan_file("a.json"));
    EXPECT_FALSE(names_plan_file("V100=1"));
}

TEST(ResizePlanFile, WhatIsWrittenIsReadBackUnchanged) {
    const auto steps = parse_resize_plan("resizes: [{at_step: 1, to: \"4,2,2\"}, {at_step: 2, to: small.yaml}]\n", "/plans/r.yaml");
    const std::string text = format_resize_plan(steps);
    EXPECT_EQ(format_resize_plan(parse_resize_plan(text, "/elsewhere/s.yaml")), text);
    EXPECT_TRUE(parse_resize_plan(format_resize_plan({}), "r.yaml").empty());
}

TEST(ResizePlanFile, RefusesSteps) {
    EXPECT_EQ(refusal([] { parse_resize_plan("resizes: [{at_step: 5, to: 1}, {at_step: 5, to: 2}]\n", "r.yaml"); }),
              "r.yaml: line 1, resizes[1].at_step: found '5', expected a step after the one before");
    EXPECT_EQ(refusal([] { parse_resize_plan("resizes: [{at_steps: 5, to: 1}]\n", "r.yaml"); }),
              "r.yaml: line 1, resizes[0].at_steps: found 'at_steps', expected at_step (known: at_step, to)");
}

}  // namespace
}  // namespace medley::io
