#include "core/profile.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/unit/core/refusal.h"

namespace medley {
namespace {

Profile resnet() {
    Profile profile;
    profile.model = Name("resnet50");
    profile.parameters = 25557032;
    profile.gradient = Bytes{102228128};
    profile.gpus[Name("V100")] = {.points = {{.batch = Samples{192}, .seconds = Seconds{0.17}, .memory = Bytes{8.7e9}},
                                             {.batch = Samples{256}, .seconds = Seconds{0.22}}},
                                  .scaling = {{.gpus = 4, .batch = Samples{256}, .samples_per_s = 4460}}};
    return profile;
}

TEST(Profile, FindsGpuTypesByName) {
    const Profile profile = resnet();
    ASSERT_NE(profile.find(Name("V100")), nullptr);
    EXPECT_EQ(profile.find(Name("V100"))->points.size(), 2U);
    EXPECT_EQ(profile.find(Name("K80")), nullptr);
}

TEST(Profile, AcceptsWhatIsInOrder) {
    EXPECT_EQ(refusal([] { resnet().validate(); }), "");
}

TEST(Profile, RefusesEachWrongFigureByPlaceValueAndExpectation) {
    const auto point = [](Profile& p, std::size_t index) -> ProfilePoint& { return p.gpus[Name("V100")].points[index]; };
    const auto scaling = [](Profile& p) -> ScalingPoint& { return p.gpus[Name("V100")].scaling[0]; };
    const std::vector<Spoiled<Profile>> cases = {
        {[](Profile& p) { p.model = Name(); }, "model: expected the model's name"},
        {[](Profile& p) { p.parameters = -1; }, "parameters: found '-1', expected a count of at least 0"},
        {[](Profile& p) { p.gradient.value = std::nan(""); }, "gradient_bytes: found 'nan', expected at least 0"},
        {[](Profile& p) { p.state.value = -8; }, "state_bytes: found '-8', expected at least 0"},
        {[](Profile& p) { p.scaling_exponent = 2.5; }, "scaling.exponent: found '2.5', expected a number from 0 to 2"},
        {[=](Profile& p) { point(p, 0).batch = Samples{0}; }, "gpus.V100[0].batch: found '0', expected a whole number of at least 1"},
        {[=](Profile& p) { point(p, 1).seconds.value = 0; }, "gpus.V100[1]: found '0 s', expected a finite time above 0"},
        {[=](Profile& p) { point(p, 0).memory = Bytes{HUGE_VAL}; },
         "gpus.V100[0].memory_bytes: found 'inf', expected a finite number above 0"},
        {[=](Profile& p) { point(p, 1).batch = Samples{192}; }, "gpus.V100[1].batch: found '192', expected each batch size once"},
        {[=](Profile& p) { scaling(p).gpus = 0; }, "scaling.V100[0].gpus: found '0', expected a whole number of at least 1"},
        {[=](Profile& p) { scaling(p).samples_per_s = -1; }, "scaling.V100[0].samples_per_s: found '-1', expected a finite number above 0"},
    };
    for (const auto& [spoil, expected] : cases) {
        Profile profile = resnet();
        spoil(profile);
        EXPECT_EQ(refusal([&] { profile.validate(); }), expected);
    }
}

}  // namespace
}  // namespace medley
