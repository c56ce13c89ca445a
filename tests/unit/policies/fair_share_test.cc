#include "planner/policies/slurm/fair_share.h"

#include <cmath>

#include <gtest/gtest.h>

#include "core/rng.h"
#include "planner/policies/slurm/job_priority.h"

namespace medley::planner {
namespace {

UserRule user(const char* name, double shares, double usage) { return {.name = Name(name), .shares = shares, .usage = usage}; }

AccountRule account(const char* name, const char* parent, double shares, std::vector<UserRule> users = {}) {
    return {.name = Name(name), .parent = Name(parent), .shares = shares, .users = std::move(users)};
}

double factor(FairShareTree& tree, const char* account_name, const char* user_name) {
    return tree.factor(tree.find_or_add(Name(account_name), Name(user_name)));
}

// The example of Slurm's page "Classic Fairshare Algorithm" (figure 3): shares A 40 (B 30, C 10), D 60 (E 25, F 35); users 2 and 3 share C.
// Actual usage: user 1 0.2, user 2 0.25, user 4 0.25 of the machine; the remaining 0.3 is nobody's who is in the tree, so here the
// usages are scaled to one another and the rest goes to an account without shares.
SiteRules classic_example() {
    SiteRules rules;
    rules.priority.fair_share = FairShareRule::kClassic;
    rules.accounts = {account("A", "", 40),
                      account("B", "A", 30, {user("1", 1, 20)}),
                      account("C", "A", 10, {user("2", 1, 25), user("3", 1, 0)}),
                      account("D", "", 60),
                      account("E", "D", 25, {user("4", 1, 25)}),
                      account("F", "D", 35, {user("5", 1, 0)}),
                      account("others", "", 0, {user("6", 1, 30)})};
    return rules;
}

TEST(FairShare, TheClassicRuleGivesTheFactorsOfSlurmsExample) {
    const SiteRules rules = classic_example();
    FairShareTree tree(rules);
    tree.calculate(rules.priority);
    EXPECT_NEAR(factor(tree, "B", "1"), 0.408479, 1e-6);
    EXPECT_NEAR(factor(tree, "C", "2"), 0.022097, 1e-6);
    EXPECT_NEAR(factor(tree, "C", "3"), 0.125000, 1e-6);
    EXPECT_NEAR(factor(tree, "E", "4"), 0.500000, 1e-6);
    EXPECT_NEAR(factor(tree, "F", "5"), 0.749154, 1e-5);  // the page rounds the effective usage to 0.1458
}

TEST(FairShare, DampingFlattensTheClassicRule) {
    SiteRules rules = classic_example();
    rules.priority.damping = 2;
    FairShareTree tree(rules);
    tree.calculate(rules.priority);
    EXPECT_NEAR(factor(tree, "E", "4"), std::sqrt(0.5), 1e-12);
}

// Fair Tree by hand. Level factor = share among siblings / usage among siblings. Root usage 100: a has 1/2 of the shares and 60 % of the
// usage (0.83), b 1/2 and 40 % (1.25): all of b go before all of a. In b: y (no usage, infinite) before x. In a: u has 3/4 of the shares
// and 1/3 of the usage (2.25), v 1/4 and 2/3 (0.375). Ranks of four users: y 4, x 3, u 2, v 1.
TEST(FairShare, TheTreeRanksUsersOfABetterAccountFirst) {
    SiteRules rules;
    rules.accounts = {account("a", "", 1, {user("u", 3, 20), user("v", 1, 40)}), account("b", "", 1, {user("x", 1, 40), user("y", 1, 0)})};
    FairShareTree tree(rules);
    tree.calculate(rules.priority);
    EXPECT_DOUBLE_EQ(factor(tree, "b", "y"), 1.0);
    EXPECT_DOUBLE_EQ(factor(tree, "b", "x"), 0.75);
    EXPECT_DOUBLE_EQ(factor(tree, "a", "u"), 0.5);
    EXPECT_DOUBLE_EQ(factor(tree, "a", "v"), 0.25);
}

// "Sibling users with the same Level Fairshare receive the same rank", and the next rank counts them both.
TEST(FairShare, TiedUsersShareARank) {
    SiteRules rules;
    rules.accounts = {account("a", "", 1, {user("u", 1, 10), user("v", 1, 10), user("w", 1, 20)})};
    FairShareTree tree(rules);
    tree.calculate(rules.priority);
    EXPECT_DOUBLE_EQ(factor(tree, "a", "u"), 1.0);
    EXPECT_DOUBLE_EQ(factor(tree, "a", "v"), 1.0);
    EXPECT_DOUBLE_EQ(factor(tree, "a", "w"), 1.0 / 3);
}

// "Sibling accounts with the same Level Fairshare have their children lists merged": a and b are tied (1/2 : 1/2), so their users are
// ranked as one list by their own level factors: u 0.5 / 0.25 = 2 and x 2 are tied, then v and y with 0.5 / 0.75.
TEST(FairShare, TiedAccountsAreMerged) {
    SiteRules rules;
    rules.accounts = {account("a", "", 1, {user("u", 1, 10), user("v", 1, 30)}), account("b", "", 1, {user("x", 1, 10), user("y", 1, 30)})};
    FairShareTree tree(rules);
    tree.calculate(rules.priority);
    EXPECT_DOUBLE_EQ(factor(tree, "a", "u"), 1.0);
    EXPECT_DOUBLE_EQ(factor(tree, "b", "x"), 1.0);
    EXPECT_DOUBLE_EQ(factor(tree, "a", "v"), 0.5);
    EXPECT_DOUBLE_EQ(factor(tree, "b", "y"), 0.5);
}

// "A user with the same Level Fairshare as a sibling account will receive the same rank as its highest ranked user."
TEST(FairShare, AUserTiedWithAnAccountSharesItsBestUsersRank) {
    SiteRules rules;
    rules.accounts = {account("a", "", 1, {user("u", 1, 10)}), account("b", "a", 1, {user("x", 1, 3), user("y", 1, 7)})};
    FairShareTree tree(rules);
    tree.calculate(rules.priority);
    EXPECT_DOUBLE_EQ(factor(tree, "a", "u"), 1.0);
    EXPECT_DOUBLE_EQ(factor(tree, "b", "x"), 1.0);
    EXPECT_DOUBLE_EQ(factor(tree, "b", "y"), 1.0 / 3);
}

TEST(FairShare, AnAccountsUsageIsThatOfAllBelow) {
    const SiteRules rules = classic_example();
    FairShareTree tree(rules);
    const AssociationId user_2 = tree.find_or_add(Name("C"), Name("2"));
    tree.charge(user_2, 5);
    EXPECT_DOUBLE_EQ(tree.usage(user_2), 30);
    EXPECT_DOUBLE_EQ(tree.usage(tree.parent(user_2)), 30);
    EXPECT_DOUBLE_EQ(tree.usage(tree.parent(tree.parent(user_2))), 50);
    tree.decay(0.5);
    EXPECT_DOUBLE_EQ(tree.usage(user_2), 15);
}

// Slurm decays by 1 - 0.693 / half-life a second, so after one half-life slightly less than half is left: (1 - 0.693/300)^300 = 0.49968.
TEST(FairShare, UsageHalvesInAHalfLife) {
    EXPECT_NEAR(usage_decay(Seconds{300}, Seconds{300}), 0.49968, 1e-5);
    EXPECT_NEAR(usage_decay(Seconds{604800}, Seconds{604800}), 0.50007, 1e-5);
    EXPECT_EQ(usage_decay(Seconds{0}, Seconds{1000}), 1);
}

TEST(FairShare, InEveryTreeFactorsAreRanksAndBetterAccountsGoFirst) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        Rng random(seed);
        SiteRules rules;
        for (int index = 0; index < 6; ++index) {
            AccountRule& each = rules.accounts.emplace_back(account(("a" + std::to_string(index)).c_str(), "", random.uniform(1, 9)));
            if (index > 2) { each.parent = Name("a" + std::to_string(random.below(3))); }
            for (int person = 0; person < 3; ++person) {
                each.users.push_back(user(("u" + std::to_string(person)).c_str(), random.uniform(1, 5), random.uniform(1, 100)));
            }
        }
        FairShareTree tree(rules);
        tree.calculate(rules.priority);
        std::vector<double> factors;
        for (const AccountRule& each : rules.accounts) {
            for (const UserRule& person : each.users) { factors.push_back(tree.factor(tree.find_or_add(each.name, person.name))); }
        }
        std::sort(factors.begin(), factors.end());
        for (std::size_t rank = 0; rank < factors.size(); ++rank) {
            ASSERT_DOUBLE_EQ(factors[rank], static_cast<double>(rank + 1) / static_cast<double>(factors.size())) << seed;
        }
    }
}

// ---- Priorities -------------------------------------------------------------------------------------------------------------------

// A Slurm 22.05's own figures (sprio -l): weights age 1000, fair share 2000, job size 500, partition 500, QOS 1000, TRES gres/gpu 400; 10
// nodes, 640 CPUs, 40 GPUs in the partition. A new job of 1 CPU and 8 GPUs on 2 nodes has job size 500 x (2/10 + 2/640) / 2 = 50.8 and TRES
// 400 x 8/40 = 80; with fair share 1 and partition factor 1 its priority is 2000 + 50.8 + 500 + 80 = 2630.
TEST(JobPriority, IsWhatSprioShows) {
    PriorityRules rules;
    rules.weights = {
        .age = 1000, .fair_share = 2000, .job_size = 500, .partition = 500, .qos = 1000, .resources = {{.resource = "gpu", .weight = 400}}};
    rules.max_age = Seconds{600};
    PriorityFigures job{
        .fair_share = 1, .partition = 1, .nodes = 2, .cluster_nodes = 10, .cpus = 2, .cluster_cpus = 640, .resource_shares = {8.0 / 40}};
    EXPECT_EQ(job_priority(job, rules), 2630U);
    job = {
        .fair_share = 1, .partition = 0.2, .nodes = 1, .cluster_nodes = 10, .cpus = 1, .cluster_cpus = 640, .resource_shares = {1.0 / 40}};
    EXPECT_EQ(job_priority(job, rules), 2135U);  // 2000 + 25.4 + 100 + 10, rounded down
    job.waited = Seconds{150};
    EXPECT_EQ(job_priority(job, rules), 2385U);
    job.waited = Seconds{6000};
    EXPECT_EQ(job_priority(job, rules), 3135U);
}

TEST(JobPriority, FavouringSmallTurnsTheSizeRound) {
    const PriorityFigures job{.nodes = 1, .cluster_nodes = 4, .cpus = 8, .cluster_cpus = 16};
    EXPECT_DOUBLE_EQ(job_size_factor(job, false), (0.25 + 0.5) / 2);
    EXPECT_DOUBLE_EQ(job_size_factor(job, true), (0.75 + 0.5) / 2);
}

TEST(JobPriority, StaysWithin32BitsAndAboveZero) {
    PriorityRules rules;
    EXPECT_EQ(job_priority({}, rules), 1U);
    rules.weights.qos = 1e12;
    EXPECT_EQ(job_priority({.qos = 1}, rules), 4294967295U);
}

}  // namespace
}  // namespace medley::planner
