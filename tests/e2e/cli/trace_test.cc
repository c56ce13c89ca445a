/// medley trace.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/e2e/cli/program.h"
#include "tests/support/source_folder.h"

namespace medley::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST(TraceCommand, GenerateIsReproducibleAndDependsOnTheSeed) {
    const auto generate = [](const std::string& seed) { return medley({"trace", "generate", "--jobs", "200", "--seed", seed}).out; };
    EXPECT_EQ(generate("1"), generate("1"));
    EXPECT_NE(generate("1"), generate("2"));
}

TEST(TraceCommand, GenerateTakesTheRateFromTheLoad) {
    const TemporaryFolder folder;
    const std::string file = (folder / "t.csv").string();
    EXPECT_EQ(medley({"trace", "generate", "--jobs", "20000", "--load", "0.8", "--gpus", "64", "-o", file}).exit_code, 0);
    const json summary = json::parse(medley({"trace", "summarize", file, "--json"}).out);
    EXPECT_EQ(summary["jobs"], 20000);
    EXPECT_NEAR(summary["offered_gpus"].get<double>(), 0.8 * 64, 0.05 * 64);
}

TEST(TraceCommand, GenerateTakesGangsModelsAndDurations) {
    const TemporaryFolder folder;
    const std::string file = (folder / "t.csv").string();
    EXPECT_EQ(medley({"trace", "generate", "--jobs", "500", "--gangs", "2=1,16=3", "--models", "a,b", "--shortest", "1m", "--longest", "2m",
                      "-o", file})
                  .exit_code,
              0);
    const json summary = json::parse(medley({"trace", "summarize", file, "--json"}).out);
    EXPECT_EQ(summary["jobs_by_gpus"].size(), 2U);
    EXPECT_GT(summary["jobs_by_gpus"]["16"], summary["jobs_by_gpus"]["2"]);
    EXPECT_EQ(summary["jobs_by_model"].size(), 2U);
    EXPECT_GE(summary["duration_s"]["min"], 60);
    EXPECT_LE(summary["duration_s"]["max"], 120);
}

TEST(TraceCommand, ExportReadsBackTheSame) {
    const TemporaryFolder folder;
    const std::string file = (folder / "t.csv").string();
    EXPECT_EQ(medley({"trace", "export", kTrace, "-o", file}).exit_code, 0);
    EXPECT_EQ(medley({"trace", "export", file}).out, contents(file));
}

TEST(TraceCommand, ExportTakesAWindowAndJsonLines) {
    const std::string text = medley({"trace", "export", kTrace, "--window", "3:5", "--format", "jsonl"}).out;
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
    EXPECT_EQ(json::parse(text.substr(0, text.find('\n')))["job_id"], "3");
    EXPECT_TRUE(medley({"trace", "export", kTrace, "--window", "3:50"}).is_one_line_refusal());
}

TEST(TraceCommand, JsonIsAboutTheFileThatWasWritten) {
    const TemporaryFolder folder;
    const std::string file = (folder / "t.csv").string();
    const json generated = json::parse(medley({"trace", "generate", "--jobs", "7", "--seed", "3", "-o", file, "--json"}).out);
    EXPECT_EQ(generated["jobs"], 7);
    EXPECT_EQ(generated["output"], file);
    const json exported = json::parse(medley({"trace", "export", file, "--format", "jsonl", "-o", (folder / "u").string(), "--json"}).out);
    EXPECT_EQ(exported["jobs"], 7);
    EXPECT_EQ(exported["trace_format"], "jsonl");
    for (const Arguments& arguments : {Arguments{"trace", "generate", "--json"}, Arguments{"trace", "export", file, "--json"},
                                       Arguments{"trace", "export", file, "--json", "-o", "-"}}) {
        const Outcome outcome = medley(arguments);
        EXPECT_TRUE(outcome.is_one_line_refusal()) << outcome.out << outcome.error;
    }
}

TEST(TraceCommand, NothingPlainIsWrittenUnderACompressedName) {
    const TemporaryFolder folder;
    const std::string file = (folder / "t.csv.gz").string();
    const std::string source = write_file(folder, "itp.csv", "job_id,submission_time,duration,num_gpu\na,0,700,1\n");
    for (const Arguments& arguments : {Arguments{"trace", "generate", "-o", file}, Arguments{"trace", "export", kTrace, "-o", file},
                                       Arguments{"trace", "import", "--format", "itp", source, "-o", file}}) {
        EXPECT_TRUE(medley(arguments).is_one_line_refusal());
    }
    EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(TraceCommand, SummarizeShowsPoolJobsBesideTheOthers) {
    const TemporaryFolder folder;
    const std::string file = write_file(folder, "t.csv", "job_id,submit_s,gpus,duration_s\n1,0,pool,5\n2,0,4,5\n3,0,4,5\n4,0,pool,5\n");
    EXPECT_THAT(medley({"trace", "summarize", file}).out, testing::ContainsRegex("pool +2 +50.0 %"));
}

TEST(TraceCommand, ValidateChecksAgainstAClusterWhereToldTo) {
    EXPECT_EQ(medley({"trace", "validate", kTrace}).exit_code, 0);
    EXPECT_EQ(medley({"trace", "validate", kTrace, "--cluster", kCluster}).exit_code, 0);
    const Outcome outcome = medley({"trace", "validate", kTrace, "--cluster", "profiles/clusters/4xV100.yaml"});
    EXPECT_TRUE(outcome.is_one_line_refusal());
    EXPECT_THAT(outcome.error, HasSubstr("at most 4"));
}

TEST(TraceCommand, EveryShippedTraceIsValid) {
    for (const auto& entry : std::filesystem::directory_iterator(test::source_path("traces"))) {
        if (entry.path().extension() == ".csv") {
            EXPECT_EQ(medley({"trace", "validate", entry.path().string()}).exit_code, 0) << entry.path();
        }
    }
}

TEST(TraceCommand, ImportReportsEveryRowAndWritesAValidTrace) {
    const TemporaryFolder folder;
    const std::string source = write_file(folder, "itp.csv", "job_id,submission_time,duration,num_gpu\na,0,700,1\nb,5,800,0\nc,9,900,8\n");
    const std::string file = (folder / "t.csv").string();
    const Outcome outcome = medley({"trace", "import", "--format", "itp", source, "-o", file, "--json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
    const json report = json::parse(outcome.out);
    EXPECT_EQ(report["rows"], 3);
    EXPECT_EQ(report["jobs"], 2);
    EXPECT_EQ(report["dropped"].size(), 1U);
    EXPECT_EQ(medley({"trace", "validate", file}).exit_code, 0);
    const Outcome direct =
        medley({"simulate", "--cluster", kCluster, "--trace", source, "--trace-format", "itp", "--policy", "fifo", "--json"});
    EXPECT_EQ(json::parse(direct.out)["jobs_completed"], 2) << direct.error;
}

TEST(TraceCommand, ImportWritesClusterAndCapacityThatSimulateReads) {
    const TemporaryFolder folder;
    const std::string helios = test::source_path("tests/data/importers/helios");
    const std::string trace = (folder / "t.csv").string();
    const std::string cluster = (folder / "c.yaml").string();
    const std::string capacity = (folder / "a.csv").string();
    const Outcome outcome = medley({"trace", "import", "--format", "helios", helios, "-o", trace, "--cluster-out", cluster,
                                    "--availability-out", capacity, "--zero-gpus", "one", "--too-wide", "clamp"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_THAT(outcome.out, HasSubstr("no GPUs: counted as one"));
    EXPECT_THAT(outcome.out, HasSubstr("second 0 is"));
    const Outcome run =
        medley({"simulate", "--cluster", cluster, "--trace", trace, "--availability", capacity, "--policy", "fifo", "--json"});
    EXPECT_EQ(json::parse(run.out)["jobs_completed"], 3) << run.error;
}

TEST(TraceCommand, ImportRefusesChoicesAndOutputsThatMakeNoSense) {
    const TemporaryFolder folder;
    const std::string itp = test::source_path("tests/data/importers/itp/cluster.csv");
    const std::string quota = test::source_path("tests/data/importers/helios-quota");
    const std::string out = (folder / "o").string();
    for (const Arguments& arguments :
         {Arguments{"--format", "itp", itp, "--zero-gpus", "two"}, Arguments{"--format", "itp", itp, "--cluster-out", out},
          Arguments{"--format", "itp", itp, "--availability-out", out}, Arguments{"--format", "itp", itp, "--time-zone", "Mars"},
          Arguments{"--format", "itp", itp, "--origin", "2020-01-01"}, Arguments{"--format", "itp", itp, "--too-wide", "drop"},
          Arguments{"--format", "helios-quota", quota, "-o", out}}) {
        Arguments whole = {"trace", "import"};
        whole.insert(whole.end(), arguments.begin(), arguments.end());
        const Outcome outcome = medley(whole);
        EXPECT_TRUE(outcome.is_one_line_refusal()) << outcome.out << outcome.error;
    }
    EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(TraceCommand, ExportOfAnImportIsTheSameAgain) {
    const TemporaryFolder folder;
    const std::string first = (folder / "1.csv").string();
    const std::string swf = (folder / "2.swf").string();
    const std::string second = (folder / "3.csv").string();
    const std::string source = test::source_path("tests/data/importers/swf/jobs.swf");
    EXPECT_EQ(medley({"trace", "import", "--format", "swf", source, "-o", first}).exit_code, 0);
    EXPECT_EQ(medley({"trace", "export", first, "--format", "swf", "-o", swf}).exit_code, 0);
    EXPECT_EQ(medley({"trace", "import", "--format", "swf", swf, "-o", second}).exit_code, 0);
    EXPECT_EQ(contents(second), contents(first));
    EXPECT_THAT(medley({"trace", "export", kTrace, "--format", "itp", "--window", "0:1"}).error, HasSubstr("cannot hold"));
}

}  // namespace
}  // namespace medley::test
