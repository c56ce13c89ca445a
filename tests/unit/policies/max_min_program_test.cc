#include "planner/policies/max_min_program.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "core/rng.h"
#include "planner/solvers/lp_solver_table.h"

namespace medley::planner {
namespace {

MaxMinSolution solve(const std::vector<MaxMinGroup>& groups, const std::vector<int>& capacity, TieBreak tie_break = TieBreak::kNone) {
    return solve_max_min(groups, capacity, tie_break, *make_lp_solver());
}

std::vector<MaxMinGroup> random_groups(Rng& random, int types) {
    std::vector<MaxMinGroup> groups(random.below(8) + 1);
    for (MaxMinGroup& group : groups) {
        group.jobs = static_cast<int>(random.between(1, 5));
        const int gang = 1 << random.between(0, 3);
        for (int type = 0; type < types; ++type) {
            group.gain.push_back(type > 0 && random.chance(0.2) ? 0 : random.uniform(0.5, 4));
            group.gpus.push_back(gang);
        }
    }
    return groups;
}

std::vector<int> random_capacity(Rng& random, int types) {
    std::vector<int> capacity;
    for (int type = 0; type < types; ++type) { capacity.push_back(static_cast<int>(random.between(8, 24))); }
    return capacity;
}

void expect_sound(const std::vector<MaxMinGroup>& groups, const std::vector<int>& capacity, const MaxMinSolution& solution) {
    std::vector<double> used(capacity.size(), 0);
    for (std::size_t group = 0; group < groups.size(); ++group) {
        const std::vector<double>& shares = solution.shares[group];
        EXPECT_LE(std::accumulate(shares.begin(), shares.end(), 0.0), 1 + 1e-6);
        double gain = 0;
        for (std::size_t type = 0; type < capacity.size(); ++type) {
            EXPECT_TRUE(groups[group].gain[type] > 0 || shares[type] == 0);
            gain += groups[group].gain[type] * shares[type];
            used[type] += groups[group].jobs * groups[group].gpus[type] * shares[type];
        }
        EXPECT_GE(gain, solution.value * (1 - 1e-6));
    }
    for (std::size_t type = 0; type < capacity.size(); ++type) { EXPECT_LE(used[type], capacity[type] + 1e-6); }
}

TEST(MaxMinProgram, OneJobTakesItsBestType) {
    const MaxMinSolution solution = solve({{.gain = {1, 3}, .gpus = {1, 1}}}, {1, 1});
    EXPECT_NEAR(solution.value, 3, 1e-9);
    EXPECT_NEAR(solution.shares[0][1], 1, 1e-9);
}

TEST(MaxMinProgram, TwoEqualJobsOnOneGpuGetHalfEach) {
    const MaxMinSolution solution = solve({{.jobs = 2, .gain = {1}, .gpus = {1}}}, {1});
    EXPECT_NEAR(solution.value, 0.5, 1e-9);
    EXPECT_NEAR(solution.shares[0][0], 0.5, 1e-9);
}

TEST(MaxMinProgram, EachJobGoesWhereItIsBetterThanTheOther) {
    // Both prefer type 0 (gains 4 and 4), but the second loses less on type 1 (1 and 3). With a share x of type 0 to the first and the
    // rest of the time on type 1, and the reverse for the second: 4x + (1 - x) = 4(1 - x) + 3x gives x = 3/4, value 3.25.
    const MaxMinSolution solution = solve({{.gain = {4, 1}, .gpus = {1, 1}}, {.gain = {4, 3}, .gpus = {1, 1}}}, {1, 1});
    EXPECT_NEAR(solution.value, 3.25, 1e-9);
    EXPECT_NEAR(solution.shares[0][0], 0.75, 1e-9);
}

TEST(MaxMinProgram, GroupingChangesNothing) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE(seed);
        Rng random(seed);
        const int types = static_cast<int>(random.between(1, 4));
        const std::vector<MaxMinGroup> groups = random_groups(random, types);
        const std::vector<int> capacity = random_capacity(random, types);
        std::vector<MaxMinGroup> ungrouped;
        for (const MaxMinGroup& group : groups) {
            MaxMinGroup single = group;
            single.jobs = 1;
            ungrouped.insert(ungrouped.end(), static_cast<std::size_t>(group.jobs), single);
        }
        const MaxMinSolution together = solve(groups, capacity);
        EXPECT_NEAR(together.value, solve(ungrouped, capacity).value, 1e-6 * together.value);
        expect_sound(groups, capacity, together);
    }
}

/// Constraints that hold with equality: the most positive shares that a vertex can have.
std::size_t binding(const std::vector<MaxMinGroup>& groups, const std::vector<int>& capacity, const MaxMinSolution& solution) {
    std::size_t count = 0;
    std::vector<double> used(capacity.size(), 0);
    for (std::size_t group = 0; group < groups.size(); ++group) {
        const std::vector<double>& shares = solution.shares[group];
        count += std::accumulate(shares.begin(), shares.end(), 0.0) > 1 - 1e-6 ? 1 : 0;
        count += std::inner_product(shares.begin(), shares.end(), groups[group].gain.begin(), 0.0) < solution.value * (1 + 1e-6) ? 1 : 0;
        for (std::size_t type = 0; type < capacity.size(); ++type) {
            used[type] += groups[group].jobs * groups[group].gpus[type] * shares[type];
        }
    }
    for (std::size_t type = 0; type < capacity.size(); ++type) { count += used[type] > capacity[type] - 1e-6 ? 1 : 0; }
    return count;
}

TEST(MaxMinProgram, SolutionsAreAsSparseAsVertices) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Rng random(seed);
        const std::vector<MaxMinGroup> groups = random_groups(random, 3);
        const std::vector<int> capacity = random_capacity(random, 3);
        for (const TieBreak tie_break : {TieBreak::kNone, TieBreak::kProgressThenHome}) {
            const MaxMinSolution solution = solve(groups, capacity, tie_break);
            std::size_t positive = 0;
            for (const auto& shares : solution.shares) {
                positive += static_cast<std::size_t>(std::count_if(shares.begin(), shares.end(), [](double share) { return share > 0; }));
            }
            EXPECT_LE(positive, binding(groups, capacity, solution)) << seed;
        }
    }
}

TEST(MaxMinProgram, AmongEqualOptimaJobsStayAtHome) {
    for (const bool swapped : {false, true}) {
        const std::vector<int> on_0{1, 0}, on_1{0, 1};
        const MaxMinSolution solution = solve({{.gain = {2, 2}, .gpus = {4, 4}, .at_home = swapped ? on_1 : on_0},
                                               {.gain = {2, 2}, .gpus = {4, 4}, .at_home = swapped ? on_0 : on_1}},
                                              {4, 4}, TieBreak::kProgressThenHome);
        EXPECT_NEAR(solution.value, 2, 1e-9);
        EXPECT_NEAR(solution.shares[0][swapped ? 1 : 0], 1, 1e-6);
        EXPECT_NEAR(solution.shares[1][swapped ? 0 : 1], 1, 1e-6);
    }
}

TEST(MaxMinProgram, AmongEqualOptimaTheOneWithMostProgressIsTaken) {
    // t is 1 whatever happens, since the first job gains 1 at most. The second may have 4 instead of 1, although its home is type 1.
    const MaxMinSolution solution =
        solve({{.gain = {1, 1}, .gpus = {1, 1}}, {.gain = {4, 1}, .gpus = {1, 1}, .at_home = {0, 1}}}, {1, 1}, TieBreak::kProgressThenHome);
    EXPECT_NEAR(solution.value, 1, 1e-9);
    EXPECT_NEAR(solution.shares[0][1], 1, 1e-6);
    EXPECT_NEAR(solution.shares[1][0], 1, 1e-6);
}

double progress(const std::vector<MaxMinGroup>& groups, const MaxMinSolution& solution) {
    double sum = 0;
    for (std::size_t group = 0; group < groups.size(); ++group) {
        const std::vector<double>& shares = solution.shares[group];
        sum += groups[group].jobs * std::inner_product(shares.begin(), shares.end(), groups[group].gain.begin(), 0.0);
    }
    return sum;
}

TEST(MaxMinProgram, BreakingTiesCostsNoFairnessAndAddsProgress) {
    int improved = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE(seed);
        Rng random(seed);
        std::vector<MaxMinGroup> groups = random_groups(random, 3);
        const std::vector<int> capacity = random_capacity(random, 3);
        const MaxMinSolution any = solve(groups, capacity);
        const MaxMinSolution most = solve(groups, capacity, TieBreak::kProgressThenHome);
        EXPECT_NEAR(most.value, any.value, 1e-9 * any.value);
        EXPECT_GE(progress(groups, most), progress(groups, any) * (1 - 1e-6));
        improved += progress(groups, most) > progress(groups, any) * (1 + 1e-6) ? 1 : 0;
        for (MaxMinGroup& group : groups) {
            group.at_home.assign(3, 0);
            group.at_home[random.below(3)] = group.jobs;
        }
        const MaxMinSolution still = solve(groups, capacity, TieBreak::kProgressThenHome);
        EXPECT_NEAR(still.value, any.value, 1e-9 * any.value);
        expect_sound(groups, capacity, still);
    }
    EXPECT_GT(improved, 100);
}

TEST(MaxMinProgram, NobodyToServeIsNoProgram) { EXPECT_EQ(solve({}, {4}).value, 0); }

}  // namespace
}  // namespace medley::planner
