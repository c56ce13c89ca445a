#include "planner/policies/policy_table.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace medley::planner {
namespace {

std::string refusal(const std::string& spec) {
    try {
        make_policy(spec);
    } catch (const Error& error) { return error.what(); }
    return "accepted";
}

TEST(PolicyTable, KnowsItsPolicies) {
    std::vector<std::string> names;
    for (const PolicyInfo& info : known_policies()) { names.emplace_back(info.name); }
    EXPECT_THAT(names, testing::ElementsAre("fifo", "sjf", "srtf", "priority", "easy-backfill", "conservative-backfill",
                                            "slurm-multifactor", "kueue", "isolated", "wfs", "max-min", "max-min-het", "virtualflow"));
}

TEST(PolicyTable, MakesEveryPolicyWithTheTraitsOfItsRow) {
    for (const PolicyInfo& info : known_policies()) {
        const auto policy = make_policy(info.name);
        EXPECT_EQ(policy->traits().name, info.name);
        EXPECT_EQ(policy->traits().information, info.information);
        EXPECT_EQ(policy->traits().default_round, info.default_round);
        EXPECT_EQ(policy->traits().options.size(), info.options.size());
        EXPECT_FALSE(info.description.empty());
    }
}

TEST(PolicyTable, DefaultsOfOptionsAreAllowedValues) {
    for (const PolicyInfo& info : known_policies()) {
        for (const PolicyOption& option : info.options) {
            const std::string spec = std::string(info.name) + ":" + std::string(option.name) + "=" + std::string(option.default_value);
            EXPECT_EQ(refusal(spec), "accepted");
        }
    }
}

TEST(PolicyTable, OptionsInForceAreInTheTraits) {
    using Options = std::vector<std::pair<std::string, std::string>>;
    EXPECT_EQ(make_policy("virtualflow")->traits().options, (Options{{"mixed", "true"}}));
    EXPECT_EQ(make_policy("virtualflow:mixed=false")->traits().options, (Options{{"mixed", "false"}}));
}

TEST(PolicyTable, AnUnknownNameIsRefusedWithTheNearestKnownOne) {
    EXPECT_THAT(refusal("fifi"), testing::AllOf(testing::HasSubstr("fifi"), testing::HasSubstr("the nearest is fifo")));
    EXPECT_THAT(refusal("max-min-hat"), testing::HasSubstr("the nearest is max-min-het"));
    EXPECT_THAT(refusal(""), testing::HasSubstr("a known policy"));
    EXPECT_THAT(refusal("fifo,x=1"), testing::HasSubstr("the nearest is fifo"));
}

TEST(PolicyTable, WrongOptionsAreRefused) {
    EXPECT_THAT(refusal("virtualflow:mixt=true"), testing::AllOf(testing::HasSubstr("mixt"), testing::HasSubstr("the nearest is mixed")));
    EXPECT_THAT(refusal("fifo:mixed=true"), testing::HasSubstr("no options"));
    EXPECT_THAT(refusal("virtualflow:mixed=maybe"), testing::AllOf(testing::HasSubstr("maybe"), testing::HasSubstr("true|false")));
    EXPECT_THAT(refusal("virtualflow:mixed=true|false"), testing::HasSubstr("true|false"));
    EXPECT_THAT(refusal("virtualflow:mixed=true,mixed=false"), testing::HasSubstr("each option once"));
    for (const char* spec : {"fifo:", "virtualflow:mixed", "virtualflow:=true", "virtualflow:mixed=true,"}) {
        EXPECT_THAT(refusal(spec), testing::HasSubstr("key=value")) << spec;
    }
}

TEST(PolicyTable, RefusalsStandOnOneLine) { EXPECT_EQ(refusal("nonsense").find('\n'), std::string::npos); }

}  // namespace
}  // namespace medley::planner
