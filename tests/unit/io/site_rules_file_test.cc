#include "io/site_rules_file.h"

#include <gtest/gtest.h>

#include "tests/unit/core/refusal.h"

namespace medley::io {
namespace {

std::string refusal_of(const std::string& text) {
    return refusal([&] { parse_site_rules(text, "r.yaml"); });
}

const std::string kAll = R"(format: 1
priority:
  weights: {age: 1000, fair_share: 10000, qos: 2000, tres: {gpu: 100, "gpu:V100": 50}}
  max_age: 7d
  usage_reset: 30d
  fair_share: classic
  billing: {cpu: 1}
scheduling: {main_interval: 60s, on_submit: false, backfill: {interval: 15, window: 1d}}
preemption: {by: qos, mode: suspend, exempt: 1m}
partitions: [{name: gpu, nodes: [v], max_walltime: 2d, default: true, qos: high}, {name: all, gpu_types: [V100]}]
qos: [{name: high, priority: 100, preempts: [low], max_gpus_per_user: 8, preempt_mode: cancel}, {name: low, group_gpus: 4}]
accounts: [{name: b, parent: a, users: [{name: u, shares: 2, max_jobs: 3}]}, {name: a, parent: root, shares: 10}]
reservations: [{name: m, start_s: 1h, end_s: 2h, gpus: {V100: 4}, maintenance: true}, {name: r, start_s: 0, nodes: [v], users: [u]}]
max_running_per_array: 5
queues: [{name: q, cohort: c, strategy: strict, quotas: {V100: {nominal: 8, lending_limit: 2}}, preemption: {reclaim: any}}]
)";

TEST(SiteRulesFile, EveryKindOfRuleIsRead) {
    const SiteRules rules = parse_site_rules(kAll, "r.yaml");
    EXPECT_EQ(rules.priority.weights.fair_share, 10000);
    ASSERT_EQ(rules.priority.weights.resources.size(), 2U);
    EXPECT_EQ(rules.priority.weights.resources[1], (ResourceWeight{.resource = "gpu:V100", .weight = 50}));
    EXPECT_EQ(rules.priority.usage_reset, Seconds{30 * 86400.0});
    EXPECT_EQ(rules.priority.fair_share, FairShareRule::kClassic);
    EXPECT_FALSE(rules.scheduling.on_submit);
    EXPECT_EQ(rules.scheduling.backfill.interval, Seconds{15});
    EXPECT_EQ(rules.preemption.mode, PreemptionMode::kSuspend);
    EXPECT_EQ(rules.find_partition(Name("gpu"))->max_walltime, Seconds{2 * 86400.0});
    EXPECT_EQ(rules.find_qos(Name("high"))->max_gpus_per_user, 8);
    EXPECT_EQ(rules.find_qos(Name("high"))->mode, PreemptionMode::kCancel);
    EXPECT_EQ(rules.find_qos(Name("low"))->max_gpus_per_user, std::nullopt);
    EXPECT_TRUE(rules.accounts[1].parent.empty());
    EXPECT_EQ(rules.accounts[0].users[0].max_jobs, 3);
    EXPECT_EQ(rules.reservations[0].start, SimTime{3'600'000'000'000});
    EXPECT_EQ(rules.reservations[1].end, kNever);
    EXPECT_EQ(rules.queues[0].order, QueueOrder::kStrictFifo);
    EXPECT_EQ(rules.queues[0].quotas[0].lending_limit, 2);
    EXPECT_EQ(rules.queues[0].reclaim, QueuePreemption::kAny);
}

TEST(SiteRulesFile, AnEmptyMapIsTheDefaults) { EXPECT_EQ(parse_site_rules("format: 1\n", "r.yaml"), SiteRules{}); }

TEST(SiteRulesFile, WhatIsWrittenReadsBackTheSame) {
    for (const SiteRules& rules : {SiteRules{}, parse_site_rules(kAll, "r.yaml")}) {
        EXPECT_EQ(parse_site_rules(format_site_rules(rules), "written"), rules) << format_site_rules(rules);
    }
}

TEST(SiteRulesFile, UnknownKeysAndValuesAreRefusedWithTheNearest) {
    EXPECT_NE(refusal_of("qos: [{name: a, priorty: 3}]").find("line 1, qos[0]"), std::string::npos);
    EXPECT_NE(refusal_of("qos: [{name: a, priorty: 3}]").find("priority"), std::string::npos);
    EXPECT_NE(refusal_of("priority: {fair_share: treee}").find("expected tree"), std::string::npos);
    EXPECT_NE(refusal_of("priority: {max_age: soon}").find("expected a number of seconds"), std::string::npos);
}

TEST(SiteRulesFile, RulesThatContradictOneAnotherAreRefused) {
    const std::pair<const char*, const char*> wrong[] = {
        {"qos: [{name: a}, {name: a}]", "qos[1].name: found 'a', expected each name once"},
        {"qos: [{name: a, preempts: [b]}]", "qos[0].preempts[0]: found 'b', expected one of the qos listed"},
        {"partitions: [{name: p, qos: x}]", "partitions[0].qos: found 'x'"},
        {"partitions: [{name: p, default: true}, {name: q, default: true}]", "one default partition"},
        {"partitions: [{name: p, nodes: [v], gpu_types: [V100]}]", "nodes or gpu_types, not both"},
        {"accounts: [{name: a, parent: b}, {name: b, parent: a}]", "accounts without a circle"},
        {"accounts: [{name: a, parent: c}]", "accounts[0].parent: found 'c'"},
        {"reservations: [{name: r, start_s: 5, end_s: 5, gpus: {V100: 1}}]", "a time after start_s"},
        {"reservations: [{name: r, start_s: 5, end_s: 6}]", "either nodes or gpus"},
        {"queues: [{name: q, quotas: {V100: {nominal: 1, borrowing_limit: 1}}}]", "without a cohort"},
        {"queues: [{name: q, cohort: c, quotas: {V100: {nominal: 1, lending_limit: 2}}}]", "at most nominal"},
        {"queues: [{name: q, preemption: {within: any}}]", "queues[0].preemption.within"},
        {"priority: {weights: {tres: {mem: 1}}}", "gpu, cpu, node or gpu:TYPE"},
        {"priority: {calc_period: 0}", "priority.calc_period"},
        {"scheduling: {backfill: {resolution: 0}}", "scheduling.backfill.resolution"},
    };
    for (const auto& [text, said] : wrong) {
        EXPECT_NE(refusal_of(text).find(said), std::string::npos) << text << ": " << refusal_of(text);
    }
}

TEST(SiteRulesFile, NamesThatTheClusterLacksAreRefused) {
    const Cluster cluster{.gpu_types = {{.name = Name("V100")}}, .nodes = {{.name = "v", .gpu = GpuTypeId(0), .gpus = 8}}};
    parse_site_rules(kAll, "r.yaml").require_fit(cluster);
    const std::pair<const char*, const char*> wrong[] = {
        {"partitions: [{name: p, nodes: [v, w]}]", "partitions[0].nodes[1]: found 'w'"},
        {"partitions: [{name: p, gpu_types: [A100]}]", "partitions[0].gpu_types: found 'A100'"},
        {"reservations: [{name: r, start_s: 0, gpus: {A100: 1}}]", "reservations[0].gpus: found 'A100'"},
        {"queues: [{name: q, quotas: {A100: {nominal: 1}}}]", "queues[0].quotas: found 'A100'"},
        {"priority: {weights: {tres: {\"gpu:A100\": 1}}}", "priority.weights.tres: found 'A100'"},
    };
    for (const auto& [text, said] : wrong) {
        const SiteRules rules = parse_site_rules(text, "r.yaml");
        EXPECT_NE(refusal([&] { rules.require_fit(cluster); }).find(said), std::string::npos) << text;
    }
}

}  // namespace
}  // namespace medley::io
