#include "io/profile_writing.h"

#include <gtest/gtest.h>

#include "core/rng.h"
#include "io/profile_file.h"
#include "tests/unit/core/refusal.h"

namespace medley::io {
namespace {

void expect_equal(const Profile& a, const Profile& b) {
    EXPECT_EQ(a.model, b.model);
    EXPECT_EQ(a.sample, b.sample);
    EXPECT_EQ(a.source, b.source);
    EXPECT_EQ(a.parameters, b.parameters);
    EXPECT_EQ(a.gradient, b.gradient);
    EXPECT_EQ(a.state, b.state);
    EXPECT_EQ(a.scaling_exponent, b.scaling_exponent);
    ASSERT_EQ(a.link.has_value(), b.link.has_value());
    if (a.link) {
        EXPECT_DOUBLE_EQ(a.link->bandwidth.value, b.link->bandwidth.value);
        EXPECT_DOUBLE_EQ(a.link->latency.value, b.link->latency.value);
    }
    ASSERT_EQ(a.gpus.size(), b.gpus.size());
    for (const auto& [type, gpu] : a.gpus) {
        const GpuProfile* other = b.find(type);
        ASSERT_NE(other, nullptr);
        EXPECT_EQ(gpu.update, other->update);
        ASSERT_EQ(gpu.points.size(), other->points.size());
        for (std::size_t index = 0; index < gpu.points.size(); ++index) {
            EXPECT_EQ(gpu.points[index].batch, other->points[index].batch);
            EXPECT_EQ(gpu.points[index].seconds, other->points[index].seconds);
            EXPECT_EQ(gpu.points[index].memory, other->points[index].memory);
        }
        ASSERT_EQ(gpu.scaling.size(), other->scaling.size());
        for (std::size_t index = 0; index < gpu.scaling.size(); ++index) {
            EXPECT_EQ(gpu.scaling[index].gpus, other->scaling[index].gpus);
            EXPECT_EQ(gpu.scaling[index].batch, other->scaling[index].batch);
            EXPECT_EQ(gpu.scaling[index].samples_per_s, other->scaling[index].samples_per_s);
        }
    }
}

GpuProfile random_gpu(Rng& rng) {
    GpuProfile gpu;
    for (std::int64_t batch = 1; batch <= 64; batch *= 2) {
        gpu.points.push_back({.batch = Samples{batch}, .seconds = Seconds{rng.uniform() + 1e-6}, .memory = {}});
        if (rng.chance(0.5)) { gpu.points.back().memory = Bytes{static_cast<double>(rng.between(1, 1'000'000'000))}; }
    }
    if (rng.chance(0.5)) { gpu.scaling.push_back({.gpus = 4, .batch = Samples{256}, .samples_per_s = rng.uniform() + 1}); }
    if (rng.chance(0.5)) { gpu.update = Seconds{rng.uniform() + 1e-9}; }
    return gpu;
}

TEST(ProfileWriting, WhatIsWrittenIsReadBackEqual) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        Rng rng(seed);
        Profile profile;
        profile.model = Name("a \"model\"");
        profile.source = rng.chance(0.5) ? "" : "measured: by us, #1";
        profile.parameters = static_cast<double>(rng.between(0, 1'000'000'000));
        profile.gradient = Bytes{rng.uniform() * 1e9};
        profile.state = Bytes{static_cast<double>(rng.between(0, 1000))};
        profile.gpus[Name("RTX 2080 Ti")] = random_gpu(rng);
        if (rng.chance(0.5)) { profile.gpus[Name("V100")] = random_gpu(rng); }
        if (rng.chance(0.5)) { profile.scaling_exponent = rng.uniform(); }
        if (rng.chance(0.5)) { profile.link = Link{.bandwidth = BytesPerSecond{rng.uniform() * 1e10 + 1}, .latency = Seconds{3e-5}}; }
        expect_equal(parse_profile(format_profile(profile), "p.yaml"), profile);
    }
}

TEST(ProfileWriting, LinkAndUpdateAreRead) {
    const Profile profile = parse_profile(
        "model: m\ngpus: {cpu: [{batch: 1, seconds: 1}]}\nupdate_seconds: {cpu: 0.5}\nlink: {gb_per_s: 2, latency_us: 30}\n", "p.yaml");
    EXPECT_EQ(profile.find(Name("cpu"))->update, Seconds{0.5});
    EXPECT_DOUBLE_EQ(profile.link->bandwidth.value, 2e9);
    EXPECT_DOUBLE_EQ(profile.link->latency.value, 30e-6);
    EXPECT_EQ(refusal([] { parse_profile("model: m\ngpus: {}\nlink: {gb_per_s: 1, latency_us: -1}\n", "p.yaml"); }),
              "p.yaml: line 3, link.latency_us: found '-1', expected a finite number of at least 0");
}

}  // namespace
}  // namespace medley::io
