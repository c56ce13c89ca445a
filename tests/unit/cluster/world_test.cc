#include "simulator/cluster/world.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/toy_cluster.h"

namespace medley::simulator {
namespace {

using test::type_id;

std::vector<Job> jobs(std::size_t count) {
    std::vector<Job> made;
    for (std::size_t index = 0; index < count; ++index) { made.push_back(test::toy_job(std::to_string(index), 0, 2, 100)); }
    return made;
}

TEST(World, WithoutNoiseIsTheCostModel) {
    const auto some = jobs(1);
    const test::ToySpeeds speeds;
    const World world(some, speeds, {});
    EXPECT_EQ(world.speed(JobId(std::size_t{0}), Allocation::of(type_id(0), 3)).work_per_s, 1.5);
}

TEST(World, NoiseIsOneDrawPerJobAndTypeAndHasTheStatedSpread) {
    const auto some = jobs(4000);
    const test::ToySpeeds speeds;
    const World world(some, speeds, {.speed_noise = 0.2, .seed = 3});
    double sum = 0;
    double squares = 0;
    for (std::size_t index = 0; index < some.size(); ++index) {
        const double once = std::log(world.speed(JobId(index), Allocation::of(type_id(0), 2)).work_per_s);
        const double again = std::log(world.speed(JobId(index), Allocation::of(type_id(0), 4)).work_per_s / 2);
        EXPECT_NEAR(once, again, 1e-12);
        EXPECT_NE(once, std::log(world.speed(JobId(index), Allocation::of(type_id(1), 2)).work_per_s));
        sum += once;
        squares += once * once;
    }
    const double count = static_cast<double>(some.size());
    EXPECT_NEAR(sum / count, 0, 4 * 0.2 / std::sqrt(count));
    EXPECT_NEAR(std::sqrt(squares / count), 0.2, 0.01);
}

TEST(World, ARemainderOfMixedTypesWorksWithItsFastestTypeAndNeverFasterThanBefore) {
    const auto some = jobs(1);
    const test::ToySpeeds speeds;
    const World world(some, speeds, {});
    const Allocation rest{.grants = {{type_id(0), 2}, {type_id(1), 3}}, .plan = nullptr};
    EXPECT_EQ(world.interim_speed(JobId(std::size_t{0}), rest, {.work_per_s = 5}).work_per_s, 1.5);
    EXPECT_EQ(world.interim_speed(JobId(std::size_t{0}), rest, {.work_per_s = 1.2}).work_per_s, 1.2);
}

}  // namespace
}  // namespace medley::simulator
