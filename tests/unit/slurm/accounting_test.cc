#include <algorithm>

#include <gmock/gmock.h>

#include "io/cluster_file.h"
#include "io/importers/importer.h"
#include "tests/unit/core/refusal.h"

namespace medley::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;
using testing::UnorderedElementsAre;

Import import_text(const std::string& text, const ImportOptions& options = {}) {
    return find_importer("slurm").import(ImportSource::of_text("sacct.psv", text), options);
}

const Job& job_of(const Import& imported, const std::string& id) {
    const auto& jobs = imported.trace.jobs;
    const auto found = std::find_if(jobs.begin(), jobs.end(), [&](const Job& job) { return job.id == id; });
    MEDLEY_ASSERT(found != jobs.end());
    return *found;
}

const std::string kHeader =
    "JobID|User|Account|Partition|QOS|State|Submit|Eligible|Start|End|Elapsed|Timelimit|NNodes|AllocTRES|ReqTRES|NodeList\n";

/// A job submitted at second 100 that waited 10 s and ran 60 s on two GPUs.
std::string row(const std::string& id, const std::string& state = "COMPLETED", const std::string& start = "110",
                const std::string& end = "170", const std::string& elapsed = "00:01:00") {
    return id + "|ana|vision|main|high|" + state + "|100|100|" + start + "|" + end + "|" + elapsed +
           "|00:10:00|1|cpu=4,gres/gpu:a100=2,gres/gpu=2,node=1|cpu=4,gres/gpu=2|a1\n";
}

TEST(SlurmAccounting, KeepsWhatWasRecorded) {
    const Import imported = import_text(kHeader + row("7"));
    const Job& job = job_of(imported, "7");
    EXPECT_EQ(job.submit, SimTime{0});
    EXPECT_EQ(job.gpus, 2);
    EXPECT_EQ(job.duration, Seconds{60});
    EXPECT_EQ(job.walltime, Seconds{600});
    EXPECT_EQ(job.reference_gpu_type, Name("a100"));
    ASSERT_TRUE(job.extras);
    EXPECT_THAT(job.extras->gpu_types, IsEmpty()) << "any type was asked for";
    EXPECT_EQ(job.extras->user, Name("ana"));
    EXPECT_EQ(job.extras->tenant, Name("vision"));
    EXPECT_EQ(job.extras->partition, Name("main"));
    EXPECT_EQ(job.extras->qos, Name("high"));
    EXPECT_EQ(job.extras->recorded_state, Name("COMPLETED"));
    EXPECT_EQ(job.extras->recorded_start, to_sim_time(Seconds{10}));
    EXPECT_EQ(job.extras->recorded_end, to_sim_time(Seconds{70}));
    EXPECT_EQ(job.extras->nodes, 1);
    EXPECT_EQ(imported.report.origin, "1970-01-01 00:01:40 UTC");
    EXPECT_THAT(imported.report.duration_meaning, HasSubstr("Elapsed"));
    EXPECT_THAT(imported.report.time_rule, HasSubstr("UTC"));
}

// Test vector of the sample's own repository: job 2736118_0 has one GPU, not two, and ran 17 min 2 s.
TEST(SlurmAccounting, AnArrayTasksTypedAndUntypedGpuIsOne) {
    const Import imported = import_text(
        "JobID|TotalCPU|Elapsed|AllocTRES|ReqTRES|Timelimit\n"
        "2736118_0|00:43.900|00:17:02|billing=11,cpu=8,gres/gpu:a100=1,gres/gpu=1,mem=64G,node=1|cpu=8,gres/gpu=1|12:00:00\n"
        "2736118_0.batch|00:43.900|00:17:02|cpu=8,gres/gpu:a100=1,gres/gpu=1||\n"
        "2736118_0.0|00:00:00|00:17:02|cpu=8,gres/gpu:a100=1,gres/gpu=1||\n");
    ASSERT_THAT(imported.trace.jobs, SizeIs(1));
    const Job& job = imported.trace.jobs[0];
    EXPECT_EQ(job.gpus, 1);
    EXPECT_EQ(job.duration, Seconds{1022});
    EXPECT_EQ(job.walltime, Seconds{12 * 3600});
    EXPECT_EQ(job.extras->array, Name("2736118"));
    EXPECT_EQ(imported.report.rows, 1) << "steps are no jobs";
    EXPECT_THAT(imported.report.notes, ElementsAre(HasSubstr("no columns Submit and Start")));
}

TEST(SlurmAccounting, TakesColumnsInAnyOrderAndABarAtTheEnd) {
    const Import plain =
        import_text("alloctres|jobid|submit|start|end\ngres/gpu=4|9|2026-06-24T06:26:44|2026-06-24T06:30:40|2026-06-24T06:50:58\n");
    const Import barred =
        import_text("AllocTRES|JobID|Submit|Start|End|\ngres/gpu=4|9|2026-06-24T06:26:44|2026-06-24T06:30:40|2026-06-24T06:50:58|\n");
    for (const Import* imported : {&plain, &barred}) {
        EXPECT_EQ(job_of(*imported, "9").gpus, 4);
        EXPECT_EQ(job_of(*imported, "9").duration, Seconds{20 * 60 + 18}) << "without Elapsed: end less start";
        EXPECT_EQ(imported->report.origin, "2026-06-24 06:26:44 UTC");
    }
}

TEST(SlurmAccounting, TheZoneIsThatOfTheOptions) {
    ImportOptions options;
    options.time_zone = "+08:00";
    const Import imported = import_text(
        "JobID|AllocTRES|Submit|Start|End\n9|gres/gpu=4|2026-06-24T06:26:44|2026-06-24T06:30:40|2026-06-24T06:50:58\n", options);
    EXPECT_EQ(imported.report.origin, "2026-06-23 22:26:44 UTC");
    EXPECT_THAT(imported.report.time_rule, HasSubstr("+08:00"));
}

TEST(SlurmAccounting, CancelledBySomebodyIsCancelled) {
    EXPECT_EQ(job_of(import_text(kHeader + row("7", "CANCELLED by 132794")), "7").extras->recorded_state, Name("CANCELLED"));
    ImportOptions options;
    options.states = {"cancelled"};
    const Import imported = import_text(kHeader + row("7", "CANCELLED by 132794") + row("8"), options);
    EXPECT_THAT(imported.trace.jobs, SizeIs(1));
    EXPECT_THAT(imported.report.dropped, ElementsAre(Pair("state not asked for", 1)));
}

TEST(SlurmAccounting, WhatNeverStartedIsReported) {
    const Import imported =
        import_text(kHeader + row("7") + row("8", "PENDING", "Unknown", "Unknown", "00:00:00") +
                    row("9_[3-8%2]", "PENDING", "Unknown", "Unknown", "00:00:00") + row("10", "CANCELLED by 5", "None", "150", "00:00:00") +
                    row("11", "CANCELLED by 5", "150", "150", "00:00:00"));
    EXPECT_THAT(imported.trace.jobs, SizeIs(1));
    EXPECT_THAT(imported.report.dropped, UnorderedElementsAre(Pair("never started", 3), Pair("no duration", 1)));
    EXPECT_EQ(imported.report.rows, 5);
}

TEST(SlurmAccounting, RunningAtTheEndIsDroppedOrCountedUntilThen) {
    const std::string text = kHeader + row("7") + row("8", "RUNNING", "120", "Unknown", "00:00:40");
    EXPECT_THAT(import_text(text).report.dropped, ElementsAre(Pair("still running at the end of the source", 1)));
    ImportOptions options;
    options.unfinished = Unfinished::kUntilEnd;
    EXPECT_EQ(job_of(import_text(text, options), "8").duration, Seconds{50}) << "until 170, the last moment seen";
}

TEST(SlurmAccounting, LimitsThatAreNoneAreNotStated) {
    for (const char* limit : {"UNLIMITED", "Partition_Limit", ""}) {
        const Import imported = import_text(std::string("JobID|AllocTRES|Elapsed|Timelimit\n1|gres/gpu=1|00:00:05|") + limit + "\n");
        EXPECT_EQ(job_of(imported, "1").walltime, std::nullopt) << limit;
    }
    EXPECT_EQ(job_of(import_text("JobID|AllocTRES|ElapsedRaw|TimelimitRaw\n1|gres/gpu=1|5|90\n"), "1").walltime, Seconds{5400});
}

TEST(SlurmAccounting, GpusComeFromWhereverTheyStand) {
    const auto gpus = [](const std::string& header, const std::string& cells) {
        return job_of(import_text("JobID|Elapsed|" + header + "\n1|00:00:05|" + cells + "\n"), "1").gpus;
    };
    EXPECT_EQ(gpus("AllocTRES", "gres/gpu:a100=3"), 3);
    EXPECT_EQ(gpus("ReqTRES", "gres/gpu=2"), 2);
    EXPECT_EQ(gpus("NNodes|AllocGRES", "4|gpu:v100:2"), 8) << "a node's share on four nodes";
    EXPECT_EQ(gpus("AllocTRES|ReqTRES", "gres/gpu=4|gres/gpu=2"), 4) << "what it got counts";
}

TEST(SlurmAccounting, AStepGivesOnlyWhatItsJobLacks) {
    const Import imported = import_text(
        "JobID|Elapsed|AllocTRES\n1|00:00:05|\n1.batch|00:00:04|cpu=1,gres/gpu:v100=2,gres/gpu=2\n2|00:00:05|gres/gpu=1\n"
        "2.0|00:00:04|gres/gpu=8\n3.0|00:00:01|gres/gpu=8\n");
    EXPECT_EQ(job_of(imported, "1").gpus, 2);
    EXPECT_EQ(job_of(imported, "1").reference_gpu_type, Name("v100"));
    EXPECT_EQ(job_of(imported, "1").duration, Seconds{5});
    EXPECT_EQ(job_of(imported, "2").gpus, 1);
    EXPECT_THAT(imported.trace.jobs, SizeIs(2));
}

const Cluster kCluster = parse_cluster(
    "gpu_types: {A100: , T4: }\nnodes: [{name: 'a[1-2]', count: 2, gpu: A100, gpus: 4}, {name: t1, gpu: T4, gpus: 2}]\n", "cluster.yaml");

TEST(SlurmAccounting, TheClusterTellsTheTypeByNode) {
    ImportOptions options;
    options.cluster = kCluster;
    const Import imported = import_text(
        "JobID|Elapsed|AllocTRES|ReqTRES|NodeList\n1|00:00:05|gres/gpu=2|gres/gpu=2|t1\n"
        "2|00:00:05|gres/gpu=2|gres/gpu:a100=2|a[1-2]\n3|00:00:05|gres/gpu:h100=2|gres/gpu=2|h9\n",
        options);
    EXPECT_EQ(job_of(imported, "1").reference_gpu_type, Name("T4"));
    EXPECT_EQ(job_of(imported, "1").extras, nullptr) << "no constraint";
    EXPECT_EQ(job_of(imported, "2").reference_gpu_type, Name("A100"));
    EXPECT_THAT(job_of(imported, "2").extras->gpu_types, ElementsAre(Name("A100"))) << "asked for, in the cluster's words";
    EXPECT_EQ(job_of(imported, "3").reference_gpu_type, Name("h100")) << "an unknown node: as accounted";
}

TEST(SlurmAccounting, WithoutAccountedGpusThoseOfTheNodesCount) {
    const std::string text = "JobID|Elapsed|AllocTRES|NodeList\n1|00:20:18|cpu=112,node=2|a[1-2]\n2|00:00:05|cpu=2|x1\n";
    ImportOptions options;
    options.cluster = kCluster;
    const Import imported = import_text(text, options);
    EXPECT_EQ(job_of(imported, "1").gpus, 8);
    EXPECT_THAT(imported.report.changed, ElementsAre(Pair("GPUs not accounted: all of the nodes it ran on", 1)));
    EXPECT_THAT(imported.report.dropped, ElementsAre(Pair("no GPUs", 1)));
    const Import without = import_text(text);
    EXPECT_THAT(without.report.dropped, ElementsAre(Pair("no GPUs", 2)));
    EXPECT_THAT(without.report.notes, testing::Contains(HasSubstr("AccountingStorageTRES")));
}

// sacct -D: the job ran 60 s, was requeued, waited, and ran 30 s more.
const std::string kRequeued = kHeader + row("7", "NODE_FAIL") + row("8") + row("7", "COMPLETED", "300", "330", "00:00:30");

TEST(SlurmAccounting, AttemptsOfAJobAreSummed) {
    const Import imported = import_text(kRequeued);
    const Job& job = job_of(imported, "7");
    EXPECT_EQ(job.duration, Seconds{90});
    EXPECT_EQ(job.extras->recorded_start, to_sim_time(Seconds{10}));
    EXPECT_EQ(job.extras->recorded_end, to_sim_time(Seconds{230}));
    EXPECT_EQ(job.extras->recorded_state, Name("COMPLETED"));
    EXPECT_THAT(imported.report.dropped, ElementsAre(Pair("an earlier attempt: part of its job", 1)));
    EXPECT_EQ(imported.report.rows, 3);
}

TEST(SlurmAccounting, AttemptsOfAJobCanBeASpanOrJobs) {
    ImportOptions options;
    options.retries = Retries::kSpan;
    EXPECT_EQ(job_of(import_text(kRequeued, options), "7").duration, Seconds{220});
    options.retries = Retries::kSeparate;
    const Import separate = import_text(kRequeued, options);
    EXPECT_EQ(job_of(separate, "7.1").duration, Seconds{60});
    EXPECT_EQ(job_of(separate, "7.2").duration, Seconds{30});
    EXPECT_EQ(job_of(separate, "7.2").submit, to_sim_time(Seconds{70})) << "when the one before it ended";
    EXPECT_THAT(separate.report.dropped, IsEmpty());
}

TEST(SlurmAccounting, DependenciesAndArrayLimitsComeFromTheSubmission) {
    const Import imported = import_text(
        "JobID|AllocTRES|Submit|Eligible|Start|End|SubmitLine\n1|gres/gpu=1|100|100|100|200|sbatch a.sh\n"
        "2|gres/gpu=1|110|200|201|300|sbatch --dependency=afterok:1 b.sh\n"
        "3|gres/gpu=1|110|250|251|300|sbatch --begin=now+140 c.sh\n"
        "4|gres/gpu=1|110|200|201|300|sbatch -d afterok:1:99 d.sh\n"
        "5_1|gres/gpu=1|110|111|251|300|sbatch --array=1-4%2 e.sh\n");
    EXPECT_THAT(job_of(imported, "2").extras->depends_on, ElementsAre("1"));
    EXPECT_EQ(job_of(imported, "2").submit, to_sim_time(Seconds{10})) << "the dependency holds it back, not its submission";
    EXPECT_EQ(job_of(imported, "3").submit, to_sim_time(Seconds{150})) << "when it became eligible";
    EXPECT_EQ(job_of(imported, "4").submit, to_sim_time(Seconds{100})) << "a dependency outside the trace";
    EXPECT_EQ(job_of(imported, "5_1").extras->array_limit, 2);
    EXPECT_EQ(job_of(imported, "5_1").submit, to_sim_time(Seconds{10})) << "split off a second after its submission";
    EXPECT_THAT(imported.report.changed, ElementsAre(Pair("held back after submission: submitted when it became eligible", 2)));
}

TEST(SlurmAccounting, HeterogeneousComponentsAreJobs) {
    const Import imported = import_text("JobID|Elapsed|AllocTRES\n5+0|00:01:00|gres/gpu=1\n5+1|00:01:00|gres/gpu=4\n");
    EXPECT_EQ(job_of(imported, "5+1").gpus, 4);
    EXPECT_THAT(imported.report.changed, ElementsAre(Pair("component of a heterogeneous job: a job of its own", 2)));
}

// sacct does not escape: a bar in a job's name makes a cell too many.
TEST(SlurmAccounting, ABarInTheOneFreeTextIsPutRight) {
    EXPECT_EQ(job_of(import_text("JobID|JobName|AllocTRES|Elapsed\n1|a|b|c|gres/gpu=3|00:00:05\n"), "1").gpus, 3);
    const Import two =
        import_text("JobID|JobName|Comment|AllocTRES|Elapsed\n1|a|b|x|gres/gpu=3|00:00:05\n2|a|b|gres/gpu=3\n3|a|b|gres/gpu=3|00:00:05\n");
    EXPECT_THAT(two.report.dropped, UnorderedElementsAre(Pair("more cells than the header names (a bar in a text)", 1),
                                                         Pair("fewer cells than the header names", 1)));
    EXPECT_EQ(job_of(two, "3").gpus, 3);
}

TEST(SlurmAccounting, FilesJoinedTogetherRepeatTheirHeader) {
    EXPECT_THAT(import_text(kHeader + row("7") + "\n" + kHeader + row("8")).trace.jobs, SizeIs(2));
}

TEST(SlurmAccounting, RefusesByLineAndColumn) {
    EXPECT_THAT(refusal([] { import_text("User|State\nana|COMPLETED\n"); }), HasSubstr("sacct.psv: line 1: "));
    EXPECT_THAT(refusal([] { import_text(""); }), HasSubstr("with JobID"));
    const auto refused = [](const std::string& header, const std::string& cells) {
        return refusal([&] { import_text("JobID|AllocTRES|" + header + "\n1|gres/gpu=1|" + cells + "\n"); });
    };
    EXPECT_THAT(refused("Elapsed", "soon"), HasSubstr("line 2, column Elapsed: found 'soon'"));
    EXPECT_THAT(refused("ElapsedRaw", "-1"), HasSubstr("column ElapsedRaw"));
    EXPECT_THAT(refused("Elapsed|Timelimit", "00:00:05|1 day"), HasSubstr("column Timelimit"));
    EXPECT_THAT(refused("Elapsed|Submit", "00:00:05|monday"), HasSubstr("column Submit"));
    EXPECT_THAT(refused("Elapsed|NNodes", "00:00:05|many"), HasSubstr("column NNodes"));
}

}  // namespace
}  // namespace medley::io
