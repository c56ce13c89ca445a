/// Public traces through our importers, against the figures that their publishers state or that were taken from the files by other means.

#include <cstdlib>
#include <filesystem>
#include <map>
#include <numeric>

#include <gmock/gmock.h>

#include "core/error.h"
#include "io/civil_time.h"
#include "io/csv_table.h"
#include "io/importers/importer.h"
#include "io/scalar.h"
#include "io/trace_file.h"
#include "tests/support/source_folder.h"

namespace medley::io {
namespace {

namespace fs = std::filesystem;

class PublicTraces : public testing::Test {
 protected:
    void SetUp() override {
        const char* stated = std::getenv("MEDLEY_SHARED_DATA");
        data_ = stated != nullptr ? fs::path(stated) : test::source_folder() / ".." / "shared" / "data";
        if (!fs::exists(data_ / "philly")) { GTEST_SKIP() << "no public traces under " << data_; }
    }
    Import import(const std::string& format, const std::string& path, const ImportOptions& options = {}) const {
        return find_importer(format).import(data_ / path, options);
    }

    fs::path data_;
};

const Job& job_of(const Import& imported, const std::string& ending) {
    for (const Job& job : imported.trace.jobs) {
        if (job.id.ends_with(ending)) { return job; }
    }
    throw Error("no job " + ending);
}

double gpus_requested(const Trace& trace) {
    return std::accumulate(trace.jobs.begin(), trace.jobs.end(), 0.0,
                           [](double sum, const Job& job) { return sum + job.gpus * (job.extras ? job.extras->gpu_fraction : 1); });
}

double gpu_hours(const Trace& trace) {
    return std::accumulate(trace.jobs.begin(), trace.jobs.end(), 0.0,
                           [](double sum, const Job& job) { return sum + job.gpus * job.duration.value / 3600; });
}

// Shared by the publishers' example and the copy that Pollux and Sia use: the sum is what theirs has.
TEST_F(PublicTraces, PhillysExampleJobs) {
    const Import sum = import("philly", "philly/cluster_job_log.sample.json");
    const Job& retried = job_of(sum, "_14199");
    EXPECT_EQ(retried.gpus, 8);
    EXPECT_EQ(to_seconds(*retried.extras->recorded_start - retried.submit), Seconds{30});
    EXPECT_EQ(retried.duration, Seconds{193256});
    EXPECT_EQ(job_of(sum, "_16565").duration, Seconds{43});
    EXPECT_EQ(job_of(sum, "_16565").gpus, 1);
    EXPECT_EQ(job_of(sum, "_12703").gpus, 8);
    EXPECT_EQ(job_of(sum, "_12703").duration, Seconds{225554});
    EXPECT_THAT(sum.report.dropped, testing::ElementsAre(testing::Pair("never ran", 1)));
    ImportOptions options;
    options.retries = Retries::kSpan;
    const Import span = import("philly", "philly/cluster_job_log.sample.json", options);
    EXPECT_EQ(job_of(span, "_14199").duration, Seconds{193263});
    EXPECT_EQ(job_of(span, "_16565").duration, Seconds{469});
}

TEST_F(PublicTraces, PhillyFlatHasEveryJobOfTheSlice) {
    const Import imported = import("philly-flat", "philly/philly_jobs_flat.csv.gz");
    EXPECT_EQ(imported.report.rows, 52'849);
    std::size_t accounted = imported.trace.jobs.size();
    for (const auto& [reason, rows] : imported.report.dropped) { accounted += rows; }
    EXPECT_EQ(accounted, 52'849);
}

TEST_F(PublicTraces, AcmesExampleRows) {
    const Import kalos = import("acme", "acme/trace_kalos.sample.csv");
    EXPECT_EQ(job_of(kalos, "dlctk696s0jbvitv").duration, Seconds{8});
    EXPECT_EQ(job_of(kalos, "dlc1t2ypl09b8qtp").duration, Seconds{70});
    EXPECT_EQ(import("acme", "acme/trace_seren.sample.csv").trace.jobs.size(), 2);
}

TEST_F(PublicTraces, HeliosExampleRows) {
    const Import imported = import("helios", "helios/cluster_log.sample.csv");
    EXPECT_EQ(job_of(imported, "1425511").duration, Seconds{36848});
    EXPECT_EQ(job_of(imported, "1425513").duration, Seconds{675233});
    EXPECT_TRUE(imported.report.changed.empty());
}

// The README's three days: 784, 1,144 and 1,208 GPUs.
TEST_F(PublicTraces, EarthsQuotaAddsUpDayByDay) {
    const Import imported = import("helios-quota", "helios/earth_cluster_gpu_number.csv");
    EXPECT_EQ(imported.report.rows, 181);
    std::map<Name, int> per_node;
    for (const NodeGroup& group : imported.cluster->nodes) { per_node[Name(group.name)] = group.gpus; }
    const auto gpus_on = [&](int day) {
        std::int64_t gpus = imported.cluster->total_gpus();
        for (const CapacityRow& row : imported.capacity) {
            if (to_seconds(row.time).value <= 86400.0 * day) { gpus += row.delta * per_node.at(row.target); }
        }
        return gpus;
    };
    EXPECT_EQ(gpus_on(0), 784);
    EXPECT_EQ(gpus_on(153), 1144);  // 2020-09-01
    EXPECT_EQ(gpus_on(180), 1208);  // 2020-09-28
}

// Two independent extracts of Venus: arrivals agree in every ten minutes, from the second file's first bin up to where the first one ends.
TEST_F(PublicTraces, VenusArrivalsEqualTheSecondFileInEveryBin) {
    const Import imported = import("arrival-service", "helios/venus_gpu_jobs_flat.csv.gz");
    EXPECT_EQ(imported.report.rows, 86'855);
    constexpr std::int64_t kBin = 600;
    const auto utc = [](const char* text) { return ZoneRule().to_utc(*parse_civil_time(text)).value / 1'000'000'000; };
    const std::int64_t epoch = utc("2020-03-18 04:01:39");
    std::map<std::int64_t, std::int64_t> arrivals;
    for (const Job& job : imported.trace.jobs) { ++arrivals[(epoch + job.submit.value / 1'000'000'000) / kBin]; }
    std::size_t zero_long = 0;
    for (const auto& [reason, rows] : imported.report.dropped) { zero_long += rows; }
    EXPECT_EQ(imported.trace.jobs.size() + zero_long, 86'855);
    ByteSource bytes(data_ / "helios" / "venus_submissions_per_10min.csv.gz");
    CsvTable table(bytes);
    const std::size_t time = table.require("time");
    const std::size_t submitted = table.require("submit_gpu_job");
    std::size_t bins = 0;
    std::int64_t missing = 0;
    while (table.next()) {
        const std::int64_t bin = utc(std::string(table.cell(time)).c_str());
        if (bin >= utc("2020-08-15")) { break; }
        missing += *to_whole(table.cell(submitted)) - arrivals[bin / kBin];
        EXPECT_GE(*to_whole(table.cell(submitted)), arrivals[bin / kBin]) << table.cell(time);
        ++bins;
    }
    EXPECT_EQ(bins, 136 * 144);
    EXPECT_LE(missing, static_cast<std::int64_t>(zero_long));
    if (zero_long == 0) { EXPECT_EQ(missing, 0); }
}

TEST_F(PublicTraces, OpenbsNodesAndRequests) {
    const Import imported = import("openb-packing", "alibaba2023/openb_pod_list_default.first70pct.csv.gz");
    EXPECT_EQ(imported.report.rows, 5'706);
    EXPECT_EQ(imported.cluster->total_gpus(), 6'212);
    EXPECT_NEAR(gpus_requested(imported.trace), 4'233.1, 0.05);
    for (const char* variant : {"gpushare100", "gpuspec33", "multigpu50"}) {
        const Import other = import("openb-packing", std::string("alibaba2023/openb_pod_list_") + variant + ".first70pct.csv.gz");
        EXPECT_GT(other.trace.jobs.size(), 1'000) << variant;
    }
    EXPECT_GT(import("openb", "alibaba2023/openb_pod_list_default.first70pct.csv.gz").trace.jobs.size(), 1'000);
}

TEST_F(PublicTraces, PaisMachines) {
    const Import imported = import("pai2020", "pai2020");
    EXPECT_EQ(imported.cluster->total_gpus(), 6'742);
    EXPECT_EQ(imported.trace.jobs.size(), 1);
    EXPECT_EQ(imported.trace.jobs[0].extras->gpu_fraction, 0.5);
    EXPECT_EQ(imported.trace.jobs[0].duration, Seconds{38});
}

TEST_F(PublicTraces, SpotGpusOf2026) {
    const Import imported = import("alibaba-spot-2026", "alibaba2026_spot/job_info_df.sample.csv");
    EXPECT_EQ(imported.cluster->total_gpus(), 10'412);
    EXPECT_EQ(imported.trace.jobs.size(), 4);
    EXPECT_EQ(job_of(imported, "437261").gpus, 94);
}

// All of the ITP clusters that are at hand: sum over files of duration x GPUs by awk.
TEST_F(PublicTraces, ItpsGpuHours) {
    double hours = 0;
    std::size_t jobs = 0;
    for (const char* number : {"01", "02", "03", "05", "06", "08", "10"}) {
        const Import imported = import("itp", std::string("elasticflow_itp/cluster") + number + ".csv.gz");
        hours += gpu_hours(imported.trace);
        jobs += imported.trace.jobs.size();
    }
    EXPECT_EQ(jobs, 29'716);
    EXPECT_NEAR(hours, 521'236.3, 0.05);
}

// bert's traces by hour: nodes up on average 27.5 (hh), 29.6 (hl), 16.8 (lh), 14.6 (ll), as their README says.
TEST_F(PublicTraces, ParcaesMeanNodes) {
    const std::map<std::string, double> expected = {{"hh_55_65", 27.5}, {"hl_15_25", 29.6}, {"lh_80_90", 16.8}, {"ll_10_11", 14.6}};
    for (const auto& [name, mean] : expected) {
        const Import imported = import("parcae", "spot/parcae/bert/trace_" + name + ".jsonl.gz");
        double node_seconds = 0;
        double last = 0;
        std::int64_t up = imported.cluster->total_gpus();
        for (const CapacityRow& row : imported.capacity) {
            node_seconds += static_cast<double>(up) * (to_seconds(row.time).value - last);
            last = to_seconds(row.time).value;
            up += row.delta;
        }
        constexpr double kHour = 3600;
        node_seconds += static_cast<double>(up) * (kHour - last);
        EXPECT_NEAR(node_seconds / kHour, mean, 0.3) << name;
    }
}

struct Supported {
    const char* format;
    const char* folder;
    const char* beginning;  ///< of the file's name
};

constexpr Supported kSupported[] = {
    {"swf", "swf", "hpc2n"},
    {"swf", "swf", "wagap"},
    {"swf", "swf", "accasim"},
    {"philly", "philly", "cluster_job_log"},
    {"chronus", "chronus", "trace"},
    {"muri", "muri", "trace"},
    {"muri", "muri", "cluster_trace"},
    {"synergy", "synergy", "static"},
    {"tiresias", "tiresias", "60_"},
    {"tiresias", "tiresias", "tf_"},
    {"batsim", "batsim", "test_"},
    {"batsim", "batsim", "example_"},
    {"gavel", "gavel/traces_physical", ""},
    {"gavel", "shockwave/traces", ""},
    {"sia", "pollux/workloads", ""},
    {"sia", "sia/workloads", ""},
    {"itp", "elasticflow_itp", "cluster"},
    {"arrival-service", "pai2020", "pai_tasks_flat"},
    {"bamboo", "spot/bamboo", ""},
    {"skypilot", "spot/skypilot", ""},
    {"parcae", "spot/parcae", ""},
    {"sailor", "sailor/availability", ""},
    {"parcae", "varuna", "bamboo_p3"},
    {"parcae", "varuna", "bamboo_g4dn"},
};

TEST_F(PublicTraces, EveryFileOfASupportedFormatIsReadWithItsReport) {
    std::size_t files = 0;
    for (const Supported& supported : kSupported) {
        for (const auto& entry : fs::recursive_directory_iterator(data_ / supported.folder)) {
            const std::string name = entry.path().filename().string();
            if (!entry.is_regular_file() || !name.starts_with(supported.beginning) || name.ends_with(".md")) { continue; }
            const Importer& importer = find_importer(supported.format);
            Import imported;
            ASSERT_NO_THROW(imported = importer.import(entry.path(), {})) << entry.path();
            std::size_t rows = imported.trace.jobs.size();
            for (const auto& [reason, count] : imported.report.dropped) { rows += count; }
            EXPECT_GT(imported.report.rows, 0) << entry.path();
            if (importer.kind() == SourceKind::kJobs) { EXPECT_EQ(rows, imported.report.rows) << entry.path(); }
            ++files;
        }
    }
    EXPECT_GT(files, 150);
}

// What is no trace of the format is refused in one line with the reason.
TEST_F(PublicTraces, FilesOfAnotherKindAreRefused) {
    const std::map<std::string, std::string> wrong = {{"tiresias/yarn-gput1000.csv", "tiresias"},
                                                      {"elasticflow_itp/elasticflow_195job.csv", "itp"},
                                                      {"lucid/single_data.csv", "lucid"},
                                                      {"alibaba2025/disaggregated_DLRM_trace.half_of_apps.csv.gz", "openb"},
                                                      {"varuna/bamboo_gcp_v100_east1c.csv", "bamboo"},
                                                      {"gavel/philly_msr_seed0.tsv", "gavel"}};
    for (const auto& [path, format] : wrong) { EXPECT_THROW(import(format, path), Error) << path; }
}

}  // namespace
}  // namespace medley::io
