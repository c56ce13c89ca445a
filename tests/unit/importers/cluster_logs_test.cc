/// Clusters' own logs, by hand-made rows whose figures can be checked by eye.

#include <gmock/gmock.h>

#include "tests/unit/core/refusal.h"
#include "tests/unit/importers/sample.h"

namespace medley::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

TEST(SwfImporter, KeepsWhatTheFieldsSay) {
    const Import imported = import_sample("swf", "swf/jobs.swf");
    ASSERT_EQ(imported.trace.jobs.size(), 3);
    const Job& first = job_of(imported, "1");
    EXPECT_EQ(first.gpus, 8);
    EXPECT_EQ(first.duration, Seconds{600});
    EXPECT_EQ(first.walltime, Seconds{3600});
    EXPECT_EQ(first.extras->recorded_start, at(10));
    EXPECT_EQ(first.extras->recorded_end, at(610));
    EXPECT_EQ(first.extras->recorded_state.text(), "COMPLETED");
    EXPECT_EQ(first.extras->user.text(), "3");
    EXPECT_EQ(first.extras->partition.text(), "1");
    EXPECT_EQ(job_of(imported, "3").gpus, 16);
    EXPECT_THAT(job_of(imported, "4").extras->depends_on, ElementsAre("1"));
    EXPECT_THAT(imported.report.dropped, UnorderedElementsAre(Pair("run time not known", 1), Pair("no duration", 1),
                                                              Pair("part of a checkpointed job that has a line of its own", 1)));
    EXPECT_THAT(imported.report.changed,
                UnorderedElementsAre(Pair("processors used are not known: those asked for", 1),
                                     Pair("the preceding job had not ended when it was submitted: no dependency", 1)));
    EXPECT_THAT(imported.report.time_rule, HasSubstr("UnixStartTime 1100000000, in Europe/Berlin"));
}

TEST(SwfImporter, CountsGpusWhereFieldNineteenHasThem) {
    const Import imported = import_sample("swf", "swf/frontier.swf");
    EXPECT_EQ(job_of(imported, "7").gpus, 8);
    EXPECT_EQ(job_of(imported, "8").gpus, 16);
}

TEST(SwfImporter, TakesLargeTimesWithoutHeaderForUnixTime) {
    const std::string rest = " 0 60 4 1 1024 4 86400 68719476736 1 62 1 1 -1 1 1 1 {12,12} queue 1:ppn=4\n";
    const Import imported = import_text("swf", "0 1356996147" + rest + "1 1356996157" + rest);
    EXPECT_EQ(job_of(imported, "0").submit, at(0));
    EXPECT_EQ(job_of(imported, "1").submit, at(10));
    EXPECT_EQ(job_of(imported, "1").gpus, 4);
    EXPECT_EQ(imported.report.origin, "2012-12-31 23:22:27 UTC");
}

TEST(SwfImporter, NamesLineAndFieldOfWhatIsWrong) {
    EXPECT_EQ(refusal([] { import_text("swf", "; x\n1 2 3\n"); }), "input: line 2: found '3 fields', expected at least 18");
    EXPECT_EQ(refusal([] { import_text("swf", "1 x 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n"); }),
              "input: line 1, field 2: found 'x', expected a number of seconds, or -1");
}

TEST(PhillyImporter, AddsUpTheAttemptsThatAreWhole) {
    const Import imported = import_sample("philly", "philly");
    const Job& retried = job_of(imported, "application_1_1");
    EXPECT_EQ(retried.gpus, 2);
    EXPECT_EQ(retried.duration, Seconds{60 + 7200});
    EXPECT_EQ(to_seconds(*retried.extras->recorded_start - retried.submit), Seconds{30});
    EXPECT_EQ(retried.extras->tenant.text(), "aa01");
    EXPECT_EQ(retried.extras->user.text(), "u1");
    const Job& partial = job_of(imported, "application_1_2");
    EXPECT_EQ(partial.duration, Seconds{40});
    EXPECT_TRUE(partial.extras->user.empty());
    EXPECT_THAT(imported.report.dropped, UnorderedElementsAre(Pair("never ran", 1), Pair("still running at the end of the source", 1)));
    EXPECT_EQ(imported.report.rows, 5);
}

TEST(PhillyImporter, SpansFirstStartToLastEndWhereAsked) {
    ImportOptions options;
    options.retries = Retries::kSpan;
    const Import imported = import_sample("philly", "philly", options);
    EXPECT_EQ(job_of(imported, "application_1_1").duration, Seconds{60 + 10 + 7200});
    EXPECT_EQ(job_of(imported, "application_1_2").duration, Seconds{540});
}

TEST(PhillyImporter, MakesAJobOfEachAttemptWhereAsked) {
    ImportOptions options;
    options.retries = Retries::kSeparate;
    const Import imported = import_sample("philly", "philly", options);
    EXPECT_EQ(job_of(imported, "application_1_1.1").duration, Seconds{60});
    EXPECT_EQ(job_of(imported, "application_1_1.2").duration, Seconds{7200});
    EXPECT_EQ(job_of(imported, "application_1_1.2").submit - job_of(imported, "application_1_1.1").submit, at(90));
}

// The clock went back from 2 to 1 at night on 2017-11-05: from 00:30 to 02:30 three hours passed.
TEST(PhillyImporter, CountsTheHourThatThePacificClockShowsTwice) {
    EXPECT_EQ(job_of(import_sample("philly", "philly"), "application_1_4").duration, Seconds{3 * 3600});
    ImportOptions options;
    options.time_zone = "-08:00";
    EXPECT_EQ(job_of(import_sample("philly", "philly", options), "application_1_4").duration, Seconds{2 * 3600});
}

TEST(PhillyImporter, CountsAMachineByTheHighestGpuUsed) {
    const Import imported = import_sample("philly", "philly");
    ASSERT_TRUE(imported.cluster);
    EXPECT_EQ(imported.cluster->total_gpus(), 8 + 8 + 8);
    EXPECT_THAT(imported.report.notes, testing::Contains(HasSubstr("1 machines have more GPUs in use than listed")));
}

TEST(PhillyImporter, CountsRunningJobsUntilTheEndWhereAsked) {
    ImportOptions options;
    options.unfinished = Unfinished::kUntilEnd;
    const Import imported = import_sample("philly", "philly", options);
    EXPECT_EQ(job_of(imported, "application_1_5").duration, Seconds{1});  // it began when the log ends
    EXPECT_THAT(imported.report.changed, testing::Contains(Pair("still running at the end of the source: counted until then", 1)));
}

TEST(PhillyImporter, NamesTheLineOfARecordThatIsNone) {
    EXPECT_THAT(refusal([] { import_text("philly", "[\n {\"jobid\": 5}]"); }), HasSubstr("input: line 2: found '{\"jobid\": 5}'"));
    EXPECT_THAT(refusal([] { import_text("philly", "[{\"submitted_time\": \"noon\"}]"); }), HasSubstr("found 'noon'"));
    EXPECT_THAT(refusal([] { import_text("philly", "[{}] x"); }), HasSubstr("expected the end of the file"));
}

TEST(PhillyFlatImporter, NumbersRowsAndReadsThePacificClock) {
    const Import imported = import_sample("philly-flat", "philly-flat/philly.csv");
    EXPECT_EQ(job_of(imported, "2").submit, at(0));
    EXPECT_EQ(job_of(imported, "1").submit, at(3600));
    EXPECT_EQ(imported.report.origin, "2017-10-09 13:01:55 UTC");
    EXPECT_THAT(imported.report.dropped, ElementsAre(Pair("no duration", 1)));
}

TEST(HeliosImporter, RecomputesDurationsAndFollowsTheQuota) {
    const Import imported = import_sample("helios", "helios");
    const Job& job = job_of(imported, "13");
    EXPECT_EQ(job.duration, Seconds{100});
    EXPECT_EQ(job.gpus, 16);
    EXPECT_EQ(job.extras->tenant.text(), "vc2");
    EXPECT_EQ(imported.report.origin, "2020-04-01 00:00:00 UTC");  // 08:00 in China
    EXPECT_THAT(imported.report.changed, ElementsAre(Pair("column duration is not end - start: recomputed", 1)));
    EXPECT_THAT(imported.report.dropped, UnorderedElementsAre(Pair("no GPUs", 1), Pair("still running at the end of the source", 1),
                                                              Pair("run time not known", 1), Pair("no duration", 1)));
    ASSERT_TRUE(imported.cluster);
    EXPECT_EQ(imported.cluster->total_gpus(), 16 + 16 + 4);
    // vc2 has one of its two nodes at first, vc3 nothing; midnight in China is 16 hours into the trace's first day.
    ASSERT_EQ(imported.capacity.size(), 5);
    EXPECT_EQ(imported.capacity[0].target.text(), "vc2");
    EXPECT_EQ(imported.capacity[0].delta, -1);
    EXPECT_EQ(imported.capacity[1].target.text(), "vc3");
    EXPECT_EQ(imported.capacity[1].delta, -4);
    EXPECT_EQ(imported.capacity[2].time, at(16 * 3600));
    EXPECT_EQ(imported.capacity[4].target.text(), "vc1");
    EXPECT_EQ(imported.capacity[4].delta, -1);
}

TEST(HeliosImporter, KeepsTheStatesAskedFor) {
    ImportOptions options;
    options.states = {"completed", "Timeout"};
    const Import imported = import_sample("helios", "helios", options);
    EXPECT_EQ(imported.trace.jobs.size(), 1);
    EXPECT_THAT(imported.report.dropped, UnorderedElementsAre(Pair("state not asked for", 4), Pair("no GPUs", 1)));
    EXPECT_THAT(imported.report.notes, ElementsAre("no job of the source has the state Timeout"));
}

TEST(HeliosImporter, OffersEveryChoice) {
    ImportOptions options;
    options.zero_gpus = ZeroGpus::kOneGpu;
    options.zero_duration = ZeroDuration::kOneSecond;
    options.unfinished = Unfinished::kUntilEnd;
    options.too_wide = TooWide::kClamp;
    options.cluster = Cluster{.gpu_types = {GpuType{.name = Name("GPU")}}, .nodes = {NodeGroup{.gpu = GpuTypeId(0), .gpus = 12}}};
    const Import imported = import_sample("helios", "helios", options);
    EXPECT_EQ(job_of(imported, "12").gpus, 1);
    EXPECT_EQ(job_of(imported, "16").duration, Seconds{1});
    EXPECT_EQ(job_of(imported, "13").gpus, 12);
    EXPECT_EQ(job_of(imported, "14").duration, Seconds{3604});  // until 11:00:09, when the last row ends
    EXPECT_THAT(imported.report.dropped, ElementsAre(Pair("run time not known", 1)));
    EXPECT_EQ(imported.report.changed.size(), 5);
    options.too_wide = TooWide::kDrop;
    EXPECT_THAT(import_sample("helios", "helios", options).report.dropped, testing::Contains(Pair("more GPUs than any pool", 1)));
}

TEST(HeliosImporter, BeginsAtTheOriginGiven) {
    ImportOptions options;
    options.origin = "2020-04-01 08:01:30";
    const Import imported = import_sample("helios", "helios", options);
    EXPECT_EQ(job_of(imported, "13").submit, at(30));
    EXPECT_THAT(imported.report.dropped, testing::Contains(Pair("submitted before the origin", 2)));
    options.origin = "yesterday";
    EXPECT_THAT(refusal([&] { import_sample("helios", "helios", options); }), HasSubstr("origin: found 'yesterday'"));
}

// ps: one instance of 600 % CPU; worker: two of 400 % CPU and 50 % GPU: 14 cores and one GPU in all.
TEST(Pai2020Importer, CountsPercentOfEachInstance) {
    const Import imported = import_sample("pai2020", "pai2020");
    const Job& job = job_of(imported, "jobA");
    EXPECT_EQ(job.gpus, 2);
    EXPECT_EQ(job.extras->gpu_fraction, 0.5);
    EXPECT_EQ(job.extras->cpus, 14);
    EXPECT_EQ(job.submit, at(1000));
    EXPECT_EQ(job.duration, Seconds{1095 - 1015});
    EXPECT_EQ(job.reference_gpu_type.text(), "T4");
    EXPECT_THAT(job.extras->gpu_types, ElementsAre(Name("T4")));
    const Job& wide = job_of(imported, "jobD");
    EXPECT_EQ(wide.gpus, 9);
    EXPECT_DOUBLE_EQ(wide.extras->gpu_fraction * wide.gpus, 7.5);
    EXPECT_EQ(wide.duration, Seconds{100});
    EXPECT_THAT(imported.report.dropped, UnorderedElementsAre(Pair("no GPUs", 1), Pair("still running at the end of the source", 1)));
    ASSERT_TRUE(imported.cluster);
    EXPECT_EQ(imported.cluster->total_gpus(), 2 + 2 + 2 + 8);
}

TEST(OpenbImporter, KeepsLifetimesAndShares) {
    const Import imported = import_sample("openb", "openb");
    const Job& shared = job_of(imported, "pod-1");
    EXPECT_EQ(shared.gpus, 1);
    EXPECT_EQ(shared.extras->gpu_fraction, 0.46);
    EXPECT_EQ(shared.duration, Seconds{1000});
    const Job& wide = job_of(imported, "pod-2");
    EXPECT_EQ(wide.gpus, 8);
    EXPECT_EQ(wide.duration, Seconds{595});
    EXPECT_THAT(wide.extras->gpu_types, ElementsAre(Name("V100"), Name("T4")));
    EXPECT_THAT(imported.report.dropped,
                UnorderedElementsAre(Pair("no GPUs", 1), Pair("never scheduled", 1), Pair("still running at the end of the source", 1)));
    EXPECT_EQ(imported.cluster->total_gpus(), 12);
    ImportOptions options;
    options.unfinished = Unfinished::kUntilEnd;
    EXPECT_EQ(job_of(import_sample("openb", "openb", options), "pod-0").duration, Seconds{8995});
}

TEST(OpenbPackingImporter, LetsPodsArriveInOrderAndNoneLeave) {
    const Import imported = import_sample("openb-packing", "openb");
    ASSERT_EQ(imported.trace.jobs.size(), 4);
    for (const Job& job : imported.trace.jobs) { EXPECT_GT(job.submit + to_sim_time(job.duration), at(100'000'000)); }
    EXPECT_EQ(job_of(imported, "pod-4").submit, at(4));
    EXPECT_EQ(import_sample("openb-packing", "openb/openb_pod_list_multigpu.csv").trace.jobs.size(), 2);
    EXPECT_THAT(refusal([] { import_sample("openb", "openb/openb_pod_list_multigpu.csv"); }), HasSubstr("expected a column creation_time"));
}

TEST(AlibabaSpotImporter, MultipliesWorkersAndKeepsTheClass) {
    const Import imported = import_sample("alibaba-spot-2026", "alibaba-spot-2026");
    const Job& shares = job_of(imported, "2");
    EXPECT_EQ(shares.gpus, 3);
    EXPECT_EQ(shares.extras->gpu_fraction, 0.5);
    EXPECT_EQ(shares.priority, 1);
    EXPECT_EQ(job_of(imported, "1").priority, 2);
    EXPECT_EQ(job_of(imported, "3").gpus, 16);
    EXPECT_EQ(job_of(imported, "3").reference_gpu_type.text(), "A800");
    EXPECT_THAT(imported.report.dropped, ElementsAre(Pair("no GPUs", 1)));
    EXPECT_EQ(imported.cluster->total_gpus(), 6 + 16);
}

// Kalos's own column counts the queue: 40 = 10 + 30.
TEST(AcmeImporter, RecomputesKalosAndReadsOffsets) {
    const Import kalos = import_sample("acme", "acme/trace_kalos.csv");
    EXPECT_EQ(job_of(kalos, "dlc1").duration, Seconds{30});
    EXPECT_EQ(kalos.report.origin, "2023-05-17 11:00:50 UTC");
    EXPECT_THAT(kalos.report.changed, ElementsAre(Pair("column duration is not end - start: recomputed", 1)));
    const Import seren = import_sample("acme", "acme/trace_seren.csv");
    EXPECT_EQ(job_of(seren, "21").duration, Seconds{120});
    EXPECT_EQ(seren.report.origin, "2023-02-28 16:18:00 UTC");
    EXPECT_THAT(seren.report.changed, IsEmpty());
    EXPECT_THAT(seren.report.dropped, ElementsAre(Pair("run time not known", 1)));
}

TEST(ArrivalServiceImporter, SaysHowManyDurationsStandAtTheCut) {
    const Import imported = import_sample("arrival-service", "arrival-service/jobs.csv");
    EXPECT_EQ(job_of(imported, "101#2").submit, at(12.5));
    EXPECT_THAT(imported.report.notes, testing::Contains("1 durations stand at the cut and were longer"));
}

}  // namespace
}  // namespace medley::io
