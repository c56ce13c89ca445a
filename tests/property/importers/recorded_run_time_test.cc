/// The anchor of every replay: on the allocation that was recorded, with room for everybody, each job takes exactly the time that was
/// recorded.

#include <map>

#include <gtest/gtest.h>

#include "cost/profile_cost_model.h"
#include "io/importers/importer.h"
#include "planner/policies/policy_table.h"
#include "tests/support/simulated_run.h"
#include "tests/support/source_folder.h"

namespace medley::test {
namespace {

struct Source {
    const char* format;
    const char* path;
};

constexpr Source kSources[] = {
    {"swf", "swf/jobs.swf"},
    {"philly", "philly"},
    {"philly-flat", "philly-flat/philly.csv"},
    {"helios", "helios"},
    {"arrival-service", "arrival-service/jobs.csv"},
    {"pai2020", "pai2020"},
    {"openb", "openb"},
    {"alibaba-spot-2026", "alibaba-spot-2026"},
    {"acme", "acme/trace_kalos.csv"},
    {"itp", "itp/cluster.csv"},
    {"chronus", "chronus/jobs.csv"},
    {"muri", "muri/jobs.csv"},
    {"synergy", "synergy/static_3job"},
    {"lucid", "lucid"},
    {"tiresias", "tiresias/jobs.csv"},
    {"batsim", "batsim/workload.json"},
};

// Of each type that a job ran on, or may run on, as many as all jobs together want.
Cluster ample_cluster(const Trace& trace) {
    std::map<Name, int> gpus;
    int wanted = 0;
    for (const Job& job : trace.jobs) {
        wanted += job.gpus;
        if (!job.reference_gpu_type.empty()) { gpus[job.reference_gpu_type]; }
        for (const Name& type : job.allowed_types()) { gpus[type]; }
    }
    if (gpus.empty()) { gpus[Name("GPU")]; }
    Cluster cluster;
    for (const auto& [type, count] : gpus) {
        cluster.nodes.push_back({.name = "", .count = 1, .gpu = GpuTypeId(cluster.gpu_types.size()), .gpus = wanted, .intra = {}});
        cluster.gpu_types.push_back(GpuType{.name = type});
    }
    return cluster;
}

class RecordedRunTime : public testing::TestWithParam<Source> {};

TEST_P(RecordedRunTime, ComesBackExactlyOnTheRecordedAllocation) {
    const std::filesystem::path path = test::source_folder() / "tests/data/importers" / GetParam().path;
    io::ImportOptions options;
    options.zero_gpus = io::ZeroGpus::kOneGpu;
    options.unfinished = io::Unfinished::kUntilEnd;
    const io::Import imported = io::find_importer(GetParam().format).import(path, options);
    Trace trace = imported.trace;
    for (Job& job : trace.jobs) {  // what a job waited for is not what is tested here
        if (!job.extras || job.extras->depends_on.empty()) { continue; }
        JobExtras extras = *job.extras;
        extras.depends_on.clear();
        job.extras = std::make_shared<const JobExtras>(extras);
    }
    const Cluster cluster = ample_cluster(trace);
    const ProfileCostModel speeds(cluster, {});
    const auto policy = planner::make_policy("fifo");
    const SimulatedRun run = run_simulation(cluster, trace, speeds, *policy);
    ASSERT_EQ(run.rows.size(), trace.jobs.size());
    ASSERT_FALSE(run.rows.empty());
    for (std::size_t index = 0; index < run.rows.size(); ++index) {
        const Job& job = trace.jobs[index];
        const JobRow& row = run.rows[index];
        ASSERT_TRUE(row.first_start && row.finish) << job.id;
        EXPECT_EQ(*row.first_start, job.submit) << job.id;
        EXPECT_EQ(*row.finish - *row.first_start, to_sim_time(job.duration)) << job.id;
    }
}

INSTANTIATE_TEST_SUITE_P(Formats, RecordedRunTime, testing::ValuesIn(kSources), [](const auto& source) {
    std::string name(source.param.format);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

}  // namespace
}  // namespace medley::test
