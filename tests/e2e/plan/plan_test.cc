// `medley plan` as its users call it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/plan_file.h"
#include "tests/e2e/cli/program.h"

namespace medley::test {
namespace {

using ::testing::HasSubstr;

const Arguments kMixedResnet{"plan", "--model", "resnet50", "--global-batch", "8192", "--gpus", "V100=2,P100=8", "--profiles", "profiles"};

Arguments with(Arguments arguments, const Arguments& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

TEST(Plan, PrintsEveryPromisedField) {
    const Outcome outcome = medley(with(kMixedResnet, {"--json", "--comm", "1.06118506"}));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
    const auto report = nlohmann::json::parse(outcome.out);
    for (const char* field : {"feasible", "objective", "global_batch", "step_time_s", "throughput_samples_per_s", "compute_time_s",
                              "comm_time_s", "cost_usd_per_million_samples", "energy_j_per_sample", "optimal", "binding_constraint",
                              "baseline", "equal_size", "marginal", "assignments", "wall_solve_s"}) {
        EXPECT_TRUE(report.contains(field)) << field;
    }
    EXPECT_NEAR(report["throughput_samples_per_s"].get<double>(), 2855.36, 0.3);
    EXPECT_TRUE(report["optimal"].get<bool>());
    EXPECT_TRUE(report["cost_usd_per_million_samples"].is_null());
    EXPECT_EQ(report["assignments"][0]["virtual_node_batches"].size(), 8U);
    EXPECT_EQ(report["marginal"].size(), 2U);
}

TEST(Plan, WritesAPlanThatReadsBack) {
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "plan.yaml").string();
    ASSERT_EQ(medley(with(kMixedResnet, {"-o", file})).exit_code, 0);
    const Plan plan = io::load_plan(file);
    EXPECT_EQ(plan.global_batch, Samples{8192});
    EXPECT_EQ(plan.gpus(), 10);
}

TEST(Plan, KeepsGivenVirtualNodes) {
    const Outcome outcome = medley(
        {"plan", "--model", "resnet50", "--virtual-nodes", "256*10,192*4", "--gpus", "V100=2,P100=2", "--profiles", "profiles", "--json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_EQ(nlohmann::json::parse(outcome.out)["global_batch"], 256 * 10 + 192 * 4);
}

TEST(Plan, ThatIsInfeasibleEndsWithOneAndSaysWhy) {
    Arguments arguments = kMixedResnet;
    arguments[4] = "8191";
    const Outcome outcome = medley(arguments);
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.error, HasSubstr("no multiple of 64"));
    const auto report = nlohmann::json::parse(medley(with(arguments, {"--json"})).out);
    EXPECT_FALSE(report["feasible"].get<bool>());
    for (const char* field : {"step_time_s", "throughput_samples_per_s", "compute_time_s", "comm_time_s", "cost_usd_per_million_samples",
                              "energy_j_per_sample", "binding_constraint"}) {
        EXPECT_TRUE(report.contains(field) && report[field].is_null()) << field;
    }
    EXPECT_EQ(report["optimal"], false);
    EXPECT_EQ(report["assignments"], nlohmann::json::array());
    for (const char* other : {"baseline", "equal_size"}) {
        for (const auto& [field, value] : report.items()) {
            const bool of_the_whole = field == "format" || field == "model" || field == "wall_solve_s" || report[field].is_object();
            EXPECT_TRUE(of_the_whole || report[other].contains(field)) << other << '.' << field;
        }
    }
}

TEST(Plan, FollowsTheSuffixOfItsOutput) {
    const TemporaryFolder folder;
    const std::string file = (folder / "plan.json").string();
    ASSERT_EQ(medley(with(kMixedResnet, {"-o", file})).exit_code, 0);
    EXPECT_EQ(nlohmann::json::parse(contents(file))["global_batch"], 8192);
    EXPECT_EQ(io::load_plan(file).gpus(), 10);
    EXPECT_TRUE(medley(with(kMixedResnet, {"-o", file + ".gz"})).is_one_line_refusal());
}

TEST(Plan, ComparesSizesOnlyWhereTheyAreFree) {
    const Arguments given{"plan",   "--model",       "resnet50",   "--virtual-nodes", "256*10,192*4",
                          "--gpus", "V100=2,P100=2", "--profiles", "profiles"};
    EXPECT_TRUE(nlohmann::json::parse(medley(with(given, {"--json"})).out)["equal_size"].is_null());
    EXPECT_THAT(medley(given).out, testing::Not(HasSubstr("one equal size")));
    EXPECT_THAT(medley(kMixedResnet).out, HasSubstr("one equal size"));
}

// A P100 costs an eighth of a V100 and has more than an eighth of its rate: the cheap plan is the slow one.
TEST(Plan, ComparesByTheObjectiveItWasAskedFor) {
    const TemporaryFolder folder;
    const std::string cluster = write_file(folder, "c.yaml",
                                           "gpu_types: {V100: {price_usd_per_hour: 4}, P100: {price_usd_per_hour: 0.5}}\n"
                                           "nodes: [{gpu: V100, gpus: 2}, {gpu: P100, gpus: 2}]\n");
    const Arguments arguments{"plan",  "--model",    "resnet50", "--global-batch", "2048", "--cluster",
                              cluster, "--profiles", "profiles", "--objective",    "cost"};
    const Outcome outcome = medley(arguments);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_THAT(outcome.out, testing::ContainsRegex("best single type +[0-9.]+ USD per million images on [0-9]+ P100 .plan above: .0.0 %"));
    EXPECT_THAT(outcome.out, HasSubstr("one more GPU saves (USD per million images)"));
    const auto report = nlohmann::json::parse(medley(with(arguments, {"--json"})).out);
    for (const auto& marginal : report["marginal"]) { EXPECT_GE(marginal["objective_gain_of_one_more"].get<double>(), 0); }
}

TEST(Plan, SaysWhereAMissingFigureBelongs) {
    const TemporaryFolder folder;
    const std::string cluster = write_file(folder, "noprice.yaml", "gpu_types: {V100: }\nnodes: [{gpu: V100, gpus: 2}]\n");
    const Outcome no_price = medley(
        {"plan", "--model", "resnet50", "--global-batch", "2048", "--cluster", cluster, "--profiles", "profiles", "--objective", "cost"});
    EXPECT_TRUE(no_price.is_one_line_refusal());
    EXPECT_THAT(no_price.error, HasSubstr("noprice.yaml: gpu_types.V100.price_usd_per_hour"));
    EXPECT_THAT(medley(with(kMixedResnet, {"--objective", "energy"})).error, HasSubstr("give a --cluster FILE that states it"));
    EXPECT_THAT(medley(with(kMixedResnet, {"--virtual-nodes", "256,256"})).error, HasSubstr("--virtual-nodes: found"));
    const std::string profile = write_file(folder, "p.yaml", "model: tiny\ngpus: {V100: [{batch: 8, seconds: 1}]}\n");
    const Outcome inexact =
        medley({"plan", "--model", "tiny", "--global-batch", "8", "--gpus", "V100=1", "--profiles", profile, "--exact"});
    EXPECT_THAT(inexact.error, HasSubstr("p.yaml: profile of tiny: parameters"));
}

TEST(Plan, SaysWhichOfferedTypesItCannotUse) {
    const TemporaryFolder folder;
    const std::string cluster =
        write_file(folder, "c.yaml", "gpu_types: {V100: , H100: }\nnodes: [{gpu: V100, gpus: 2}, {gpu: H100, gpus: 2}]\n");
    const Outcome outcome =
        medley({"plan", "--model", "resnet50", "--global-batch", "2048", "--cluster", cluster, "--profiles", "profiles"});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_THAT(outcome.error, HasSubstr("note: no profile of resnet50 with sizes of one GPU on H100: not used"));
}

TEST(Plan, RefusesWrongInputOnOneLine) {
    Arguments unknown_gpu = kMixedResnet;
    unknown_gpu[6] = "V10=2";
    EXPECT_TRUE(medley(unknown_gpu).is_one_line_refusal());
    Arguments unknown_model = kMixedResnet;
    unknown_model[2] = "resnet51";
    EXPECT_TRUE(medley(unknown_model).is_one_line_refusal());
    EXPECT_TRUE(medley(with(kMixedResnet, {"--objective", "cost"})).is_one_line_refusal());
    EXPECT_TRUE(medley(with(kMixedResnet, {"--virtual-nodes", "256,256"})).is_one_line_refusal());
}

TEST(Plan, KnowsMemoryPricesAndNetworkFromACluster) {
    const Outcome outcome = medley({"plan", "--model", "resnet50", "--global-batch", "4096", "--cluster",
                                    "profiles/clusters/mixed-lab.yaml", "--profiles", "profiles", "--objective", "cost", "--json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
    const auto report = nlohmann::json::parse(outcome.out);
    EXPECT_GT(report["cost_usd_per_million_samples"].get<double>(), 0);
    EXPECT_LE(report["cost_usd_per_million_samples"].get<double>(),
              report["baseline"]["cost_usd_per_million_samples"].get<double>() * (1 + 1e-9));
}

}  // namespace
}  // namespace medley::test
