/// The Microsoft ITP clusters through our importer, against sums taken from the files by other means.

#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "io/importers/importer.h"
#include "io/trace_file.h"
#include "io/trace_summary.h"
#include "tests/support/source_folder.h"

namespace medley::io {
namespace {

std::filesystem::path shared_data() {
    const char* stated = std::getenv("MEDLEY_SHARED_DATA");
    return stated != nullptr ? std::filesystem::path(stated) : test::source_folder() / ".." / "shared" / "data";
}

std::filesystem::path itp_file(const std::string& cluster) { return shared_data() / "elasticflow_itp" / ("cluster" + cluster + ".csv.gz"); }

struct ItpCluster {
    const char* number;
    std::size_t jobs;
    double gpu_seconds;
    int most_gpus;
};

// zcat clusterNN.csv.gz | awk -F, 'NR>1 {n++; s += $3*$4; if ($4 > m) m = $4} END {print n, s, m}'; 29,716 jobs in all.
constexpr ItpCluster kClusters[] = {{"01", 1595, 81'864'453, 64}, {"02", 5778, 445'494'106, 64}, {"03", 3011, 595'593'077, 64},
                                    {"05", 3629, 51'491'311, 8},  {"06", 2396, 445'963'163, 64}, {"08", 13047, 241'559'936, 32},
                                    {"10", 260, 14'484'569, 16}};

class ItpClusters : public testing::Test {
 protected:
    void SetUp() override {
        if (!std::filesystem::exists(itp_file("01"))) { GTEST_SKIP() << "no ITP traces under " << shared_data(); }
    }
    static Import import(const std::string& cluster, const ImportOptions& options = {}) {
        return find_importer("itp").import(itp_file(cluster), options);
    }
};

TEST_F(ItpClusters, EveryJobAndGpuSecondArrives) {
    std::size_t jobs = 0;
    for (const ItpCluster& cluster : kClusters) {
        const Import imported = import(cluster.number);
        const TraceSummary summary = summarize(imported.trace);
        EXPECT_EQ(summary.jobs, cluster.jobs) << cluster.number;
        EXPECT_EQ(imported.report.rows, cluster.jobs) << cluster.number;
        EXPECT_TRUE(imported.report.dropped.empty() && imported.report.changed.empty()) << cluster.number;
        EXPECT_DOUBLE_EQ(summary.gpu_hours, cluster.gpu_seconds / 3600) << cluster.number;
        EXPECT_EQ(summary.gpus->most, cluster.most_gpus) << cluster.number;
        EXPECT_GE(summary.duration_s->least, 600) << cluster.number;
        jobs += summary.jobs;
    }
    EXPECT_EQ(jobs, 29'716);
}

TEST_F(ItpClusters, FirstAndLastRowsAreThoseOfTheFile) {
    const Trace trace = import("01").trace;
    EXPECT_EQ(trace.jobs.front().id, "965d744f-0445-c1a8-12af-97e4c536c66e");
    EXPECT_EQ(trace.jobs.front().submit, SimTime{1'932'025'000'000'000});
    EXPECT_EQ(trace.jobs.front().duration, Seconds{2429});
    EXPECT_EQ(trace.jobs.front().gpus, 64);
    EXPECT_EQ(trace.jobs.back().id, "c05db774-132a-5e58-2a57-e880de9205ea");
    EXPECT_EQ(trace.jobs.back().submit, SimTime{4'848'400'000'000'000});
    EXPECT_EQ(trace.jobs.back().duration, Seconds{1032});
    EXPECT_EQ(trace.jobs.back().gpus, 1);
}

TEST_F(ItpClusters, ImportedTracesAreReadBackUnchanged) {
    const ImportOptions options{
        .seed = 3, .models = {{Name("resnet50"), 256}, {Name("transformer"), 0}}, .reference_gpu_type = Name("V100")};
    const std::string text = format_trace(import("10", options).trace);
    EXPECT_EQ(format_trace(parse_trace(text, "itp.csv")), text);
    EXPECT_EQ(format_trace(import("10", options).trace), text);
}

TEST_F(ItpClusters, ModelsChangeNoRecordedFigure) {
    const Trace plain = import("05").trace;
    const Trace with_models = import("05", {.seed = 1, .models = {{Name("a"), 1}, {Name("b"), 1}}}).trace;
    ASSERT_EQ(plain.jobs.size(), with_models.jobs.size());
    for (std::size_t index = 0; index < plain.jobs.size(); ++index) {
        const Job& a = plain.jobs[index];
        const Job& b = with_models.jobs[index];
        EXPECT_TRUE(a.id == b.id && a.submit == b.submit && a.duration == b.duration && a.gpus == b.gpus);
        EXPECT_FALSE(b.model.empty());
    }
}

}  // namespace
}  // namespace medley::io
