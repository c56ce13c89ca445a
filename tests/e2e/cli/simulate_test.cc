/// medley simulate.

#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/e2e/cli/program.h"
#include "tests/support/source_folder.h"
#include "tests/support/summary_fields.h"

namespace medley::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr const char* kFiles[] = {"events.jsonl", "jobs.csv", "utilization.csv", "summary.json"};

std::string without_wall_times(const std::string& summary) {
    json fields = json::parse(summary);
    fields.erase("wall_s");
    fields.erase("wall_policy_s");
    return fields.dump();
}

std::string comparable(const std::filesystem::path& file) {
    return file.filename() == "summary.json" ? without_wall_times(contents(file)) : contents(file);
}

void expect_same_results(const std::filesystem::path& first, const std::filesystem::path& second) {
    for (const char* file : kFiles) {
        EXPECT_FALSE(contents(first / file).empty()) << file;
        EXPECT_EQ(comparable(first / file), comparable(second / file)) << file;
    }
}

TEST(Simulate, WritesFourFilesThatPassTheIndependentChecker) {
    for (const char* policy : {"fifo", "sjf", "srtf", "priority", "easy-backfill", "conservative-backfill", "slurm-multifactor", "kueue",
                               "isolated", "wfs", "max-min", "max-min-het"}) {
        const TemporaryFolder folder;
        const std::string out = (folder / "out").string();
        const Outcome outcome = medley(simulate_command(policy, {"--out", out, "--startup-overhead", "75", "--restart-overhead", "75",
                                                                 "--resize-overhead", "1m", "--checkpoint-overhead", "5"}));
        ASSERT_EQ(outcome.exit_code, 0) << policy << outcome.error;
        const Outcome check = run_program(MEDLEY_LOG_CHECKER, {out});
        EXPECT_EQ(check.exit_code, 0) << policy << ": " << check.error;
        const Outcome read_back = medley({"compare", "--simulated", out, "--executed", out, "--json"});
        ASSERT_EQ(read_back.exit_code, 0) << policy << read_back.error;
        EXPECT_EQ(json::parse(read_back.out)["figures"]["avg_jct_s"]["simulated"],
                  json::parse(contents(folder / "out" / "summary.json"))["avg_jct_s"]);
    }
}

TEST(Simulate, PoliciesFollowTheSitesRules) {
    const TemporaryFolder folder;
    const std::string closed =
        write_file(folder, "closed.yaml", "reservations: [{name: m, start_s: 0, end_s: 100h, gpus: {V100: 8}, maintenance: true}]");
    const auto first_start = [&](const Arguments& arguments) {
        const Outcome outcome = medley(simulate_command("conservative-backfill", arguments));
        EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
        return json::parse(outcome.out)["avg_queueing_s"].get<double>();
    };
    EXPECT_LT(first_start({"--json"}), 100'000);
    EXPECT_GT(first_start({"--json", "--rules", closed}), 300'000);
}

TEST(Simulate, RulesThatDoNotFitAreRefused) {
    const TemporaryFolder folder;
    const std::string rules = write_file(folder, "rules.yaml", "partitions: [{name: p, gpu_types: [H900]}]");
    const Outcome outcome = medley(simulate_command("kueue", {"--rules", rules}));
    EXPECT_TRUE(outcome.is_one_line_refusal());
    EXPECT_THAT(outcome.error, HasSubstr("rules.yaml: partitions[0].gpu_types: found 'H900'"));
}

TEST(Simulate, GivesTheSameBytesTwice) {
    const TemporaryFolder folder;
    for (const char* name : {"first", "second"}) {
        ASSERT_EQ(medley(simulate_command("wfs", {"--out", (folder / name).string(), "--speed-noise", "0.3", "--seed", "5"})).exit_code, 0);
    }
    expect_same_results(folder / "first", folder / "second");
}

TEST(Simulate, AnotherSeedGivesAnotherNoise) {
    const auto simulated = [](const std::string& seed) {
        return json::parse(medley(simulate_command("wfs", {"--speed-noise", "0.3", "--seed", seed, "--json"})).out)["avg_jct_s"];
    };
    EXPECT_NE(simulated("1"), simulated("2"));
}

TEST(Simulate, GivesTheSameBytesForShuffledRows) {
    const TemporaryFolder folder;
    std::istringstream text(contents(test::source_folder() / kTrace));
    std::string header;
    std::getline(text, header);
    std::vector<std::string> rows;
    for (std::string row; std::getline(text, row);) { rows.push_back(row); }
    std::reverse(rows.begin(), rows.end());
    std::rotate(rows.begin(), rows.begin() + 7, rows.end());
    std::string shuffled = header + "\n";
    for (const std::string& row : rows) { shuffled += row + "\n"; }
    const std::string file = write_file(folder, "shuffled.csv", shuffled);
    for (const auto& [name, trace] : {std::pair<std::string, std::string>{"first", kTrace}, {"second", file}}) {
        ASSERT_EQ(medley({"simulate", "--cluster", kCluster, "--trace", trace, "--profiles", kProfiles, "--policy", "wfs", "--out",
                          (folder / name).string()})
                      .exit_code,
                  0);
    }
    expect_same_results(folder / "first", folder / "second");
}

TEST(Simulate, PrintsWhatItWritesAsTheSummary) {
    const TemporaryFolder folder;
    const Outcome outcome = medley(simulate_command("fifo", {"--json", "--out", (folder / "out").string()}));
    EXPECT_EQ(outcome.out, contents(folder / "out" / "summary.json"));
    EXPECT_EQ(outcome.error, "") << "no progress and no notes where nobody watches";
}

TEST(Simulate, HasTheFieldsOfTheInterface) {
    const json summary = json::parse(medley(simulate_command("fifo", {"--json"})).out);
    for (const char* field : test::kSummaryFields) { EXPECT_TRUE(summary.contains(field)) << field; }
    EXPECT_EQ(summary["jobs_total"], 20);
    EXPECT_EQ(summary["jobs_completed"], 20);
    EXPECT_EQ(summary["window"], nullptr);
    EXPECT_EQ(summary["cost_usd"], nullptr) << "8xV100.yaml states no price";
}

// Two jobs of 100 s on one GPU, both there at 0. fifo: 100 and 200, mean 150. A start-up of 10 s: 110 and 220, mean 165.
TEST(Simulate, ChargesWhatTheOptionsSay) {
    const TemporaryFolder folder;
    const std::string cluster = write_file(folder, "c.yaml", "gpu_types: {A: {price_usd_per_hour: 3.6}}\nnodes: [{gpu: A, gpus: 1}]\n");
    const std::string trace = write_file(folder, "t.csv", "job_id,submit_s,gpus,duration_s\n1,0,1,100\n2,0,1,100\n");
    const auto simulated = [&](Arguments more) {
        Arguments arguments{"simulate", "--cluster", cluster, "--trace", trace, "--policy", "fifo", "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return json::parse(medley(arguments).out);
    };
    EXPECT_EQ(simulated({})["avg_jct_s"], 150);
    EXPECT_NEAR(simulated({})["cost_usd"].get<double>(), 0.2, 1e-12) << "200 GPU-seconds at 3.6 USD an hour";
    EXPECT_EQ(simulated({"--startup-overhead", "10"})["avg_jct_s"], 165);
    EXPECT_EQ(simulated({"--policy-latency", "5"})["avg_jct_s"], 157.5) << "5 s before each start: 105 and 210";
    EXPECT_EQ(simulated({"--round", "60"})["avg_jct_s"], 160) << "the second starts at 120: 100 and 220";
    EXPECT_EQ(simulated({"--window", "1:2"})["avg_jct_s"], 200);
}

TEST(Simulate, FollowsAnAvailabilityFile) {
    const TemporaryFolder folder;
    const std::string availability = write_file(folder, "a.csv", "time_s,gpu_type_or_node,delta\n600,V100,-8\n4200,V100,8\n");
    const json summary = json::parse(medley(simulate_command("fifo", {"--availability", availability, "--json"})).out);
    EXPECT_EQ(summary["ledger_gpu_seconds"]["down"], 3600 * 8);
    EXPECT_GT(summary["preemptions"], 0);
}

TEST(Simulate, CountsAsThePublishedLogsDidWhereToldTo) {
    const Arguments arguments{"simulate",
                              "--cluster",
                              "profiles/clusters/virtualflow-a.yaml",
                              "--trace",
                              "traces/virtualflow-het-4.csv",
                              "--profiles",
                              "profiles",
                              "--policy",
                              "virtualflow",
                              "--compat",
                              "virtualflow-logs",
                              "--json"};
    const Outcome outcome = medley(arguments);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_EQ(json::parse(outcome.out)["compat"], "virtualflow-logs");
}

TEST(Simulate, TellsPeopleTheKeyFiguresAndWhereTheFilesAre) {
    const TemporaryFolder folder;
    const std::string out = (folder / "out").string();
    const std::string text = medley(simulate_command("priority", {"--out", out})).out;
    for (const std::string part : {"JCT mean", "makespan", "utilization", "useful", " %", "20 of 20 completed", "written to "}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
    EXPECT_THAT(text, HasSubstr(out));
}

TEST(Simulate, SaysWhatItHadToAssume) {
    const TemporaryFolder folder;
    const std::string trace = write_file(folder, "t.csv", "job_id,submit_s,gpus,duration_s,model\n1,0,1,100,unheard-of\n");
    const Arguments arguments{"simulate", "--cluster", kCluster, "--trace", trace, "--policy", "fifo"};
    EXPECT_THAT(medley(arguments).error, HasSubstr("no profile of unheard-of"));
    Arguments quiet = arguments;
    quiet.emplace_back("--quiet");
    EXPECT_EQ(medley(quiet).error, "");
}

TEST(Simulate, SaysWhatItDoesNotTakeIntoAccount) {
    const TemporaryFolder folder;
    const std::string trace = write_file(folder, "t.csv", "job_id,submit_s,gpus,duration_s,gpu_fraction\n1,0,1,100,0.5\n2,0,1,100,\n");
    Arguments arguments{"simulate", "--cluster", "profiles/clusters/mixed-lab.yaml", "--trace", trace, "--policy", "fifo"};
    const Outcome outcome = medley(arguments);
    EXPECT_THAT(outcome.error, HasSubstr("note: 1 job with a gpu_fraction below 1: whole GPUs are given"));
    EXPECT_THAT(outcome.error, HasSubstr("note: 2 jobs with a duration that is the same on every GPU type"));
    arguments.emplace_back("--quiet");
    EXPECT_EQ(medley(arguments).error, "");
}

TEST(Simulate, SaysHowManyJobsDidNotFinish) {
    const TemporaryFolder folder;
    const std::string availability = write_file(folder, "a.csv", "time_s,gpu_type_or_node,delta\n600,V100,-8\n");
    const Outcome outcome = medley(simulate_command("fifo", {"--availability", availability}));
    EXPECT_THAT(outcome.error, HasSubstr(" unfinished"));
    const Outcome quiet = medley(simulate_command("fifo", {"--availability", availability, "--quiet", "--out", (folder / "out").string()}));
    EXPECT_EQ(quiet.error, "");
    EXPECT_THAT(quiet.out, testing::Not(HasSubstr("written to")));
}

TEST(Simulate, ReplacesOlderResultsWhole) {
    const TemporaryFolder folder;
    const std::string out = (folder / "out").string();
    ASSERT_EQ(medley(simulate_command("fifo", {"--out", out})).exit_code, 0);
    ASSERT_EQ(medley(simulate_command("srtf", {"--out", out})).exit_code, 0);
    EXPECT_THAT(contents(folder / "out" / "events.jsonl"), HasSubstr("\"policy\":\"srtf\""));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(out), std::filesystem::directory_iterator()), 4) << "no temporary files";
}

}  // namespace
}  // namespace medley::test
