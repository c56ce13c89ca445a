/// Workloads of schedulers and simulators, and capacity over time.

#include <gmock/gmock.h>

#include "tests/unit/core/refusal.h"
#include "tests/unit/importers/sample.h"

namespace medley::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::UnorderedElementsAre;

/// "time target delta", one each.
std::vector<std::string> rows_of(const Import& imported) {
    std::vector<std::string> rows;
    for (const CapacityRow& row : imported.capacity) {
        rows.push_back(std::to_string(row.time.value / 1'000'000) + " ms " + row.target.text() + " " + std::to_string(row.delta));
    }
    return rows;
}

TEST(ChronusImporter, GivesStrictJobsTheirDeadline) {
    const Import imported = import_sample("chronus", "chronus/jobs.csv");
    EXPECT_EQ(job_of(imported, "0").deadline, Seconds{1105});
    EXPECT_FALSE(job_of(imported, "1").deadline);
    EXPECT_EQ(job_of(imported, "1").extras->tenant.text(), "vc_b");
    EXPECT_EQ(job_of(imported, "1").model.text(), "mobilenet_v2");
    EXPECT_THAT(imported.report.dropped, ElementsAre(Pair("no GPUs", 1)));
}

TEST(MuriImporter, ReadsMilliseconds) {
    const Import imported = import_sample("muri", "muri/jobs.csv");
    EXPECT_EQ(job_of(imported, "1").submit, at(1.5));
    EXPECT_EQ(job_of(imported, "1").duration, Seconds{21.4});
    EXPECT_EQ(job_of(imported, "0").batch_size, 4);
}

TEST(SynergyImporter, SaysThatAnIterationCountsAsASecond) {
    const Import imported = import_sample("synergy", "synergy/static_3job");
    EXPECT_EQ(job_of(imported, "1").duration, Seconds{26435});
    EXPECT_EQ(job_of(imported, "1").gpus, 4);
    EXPECT_THAT(imported.report.changed, ElementsAre(Pair("an iteration counts as a second", 3)));
}

TEST(LucidImporter, ReadsDatesOrSecondsAndTheVirtualClusters) {
    const Import imported = import_sample("lucid", "lucid");
    EXPECT_EQ(job_of(imported, "32").submit, at(30));
    EXPECT_EQ(job_of(imported, "32").model.text(), "ResNet50");
    EXPECT_EQ(imported.cluster->total_gpus(), 24);
    const Import seconds = import_text("lucid", "job_id,gpu_num,state,submit_time,duration\n7,2,COMPLETED,12.5,60\n");
    EXPECT_EQ(job_of(seconds, "7").submit, at(12.5));
}

TEST(TiresiasImporter, ReadsBothLayoutsAndTheCluster) {
    const Import imported = import_sample("tiresias", "tiresias/jobs.csv");
    EXPECT_EQ(job_of(imported, "1").gpus, 8);
    EXPECT_EQ(imported.cluster->total_gpus(), 2 * 4 * 4);
    const Import older = import_text("tiresias",
                                     "job_id,num_gpu,submit_time,start_time,duration,model_size,aggr_interval,model_name,model_scale\n"
                                     "10,12,11,14,20,400,0,vgg19,1\n10,12,11,14,20,400,0,vgg19,1\n");
    EXPECT_EQ(job_of(older, "10").duration, Seconds{20});
    EXPECT_THAT(older.report.dropped, ElementsAre(Pair("job_id seen before", 1)));
}

TEST(BatsimImporter, TakesRunTimesFromProfiles) {
    const Import imported = import_sample("batsim", "batsim/workload.json");
    EXPECT_EQ(job_of(imported, "0").duration, Seconds{10});
    EXPECT_EQ(job_of(imported, "late").duration, Seconds{3 * 20.5});
    EXPECT_EQ(job_of(imported, "late").submit, at(3.5));
    EXPECT_EQ(job_of(imported, "2").duration, Seconds{7});
    EXPECT_EQ(job_of(imported, "3").duration, Seconds{12.25});
    EXPECT_EQ(imported.cluster->total_gpus(), 8);
    EXPECT_THAT(imported.report.dropped, UnorderedElementsAre(Pair("no GPUs", 1), Pair("run time depends on the platform", 1)));
    EXPECT_THAT(imported.report.changed, ElementsAre(Pair("longer than its walltime: cut there, as Batsim kills it", 1)));
}

TEST(BatsimImporter, EndsWhereSequencesGoInACircle) {
    const Import imported =
        import_text("batsim",
                    R"({"profiles": {"a": {"type": "composed", "seq": ["b", "b"]}, "b": {"type": "composed", "seq": ["a", "a"]}},
                                            "jobs": [{"id": 1, "subtime": 0, "res": 1, "profile": "a"}]})");
    EXPECT_THAT(imported.report.dropped, ElementsAre(Pair("run time depends on the platform", 1)));
}

TEST(GavelImporter, ReadsTheThreeLayouts) {
    const Import physical = import_sample("gavel", "gavel/physical.trace");
    const Job& job = job_of(physical, "0");
    EXPECT_EQ(job.model.text(), "ResNet-18");
    EXPECT_EQ(job.batch_size, 64);
    EXPECT_EQ(job.steps, 500);
    EXPECT_EQ(job.gpus, 2);
    const Job& other = job_of(physical, "1");
    EXPECT_EQ(other.model.text(), "A3C");
    EXPECT_EQ(other.batch_size, 2);
    EXPECT_EQ(other.steps, 251);
    EXPECT_EQ(other.weight, 4);
    EXPECT_EQ(other.submit, at(12.5));
    EXPECT_EQ(physical.report.changed.size(), 3);
    const Import philly = import_sample("gavel", "gavel/msr.trace");
    EXPECT_EQ(job_of(philly, "1").submit, at(4));
    EXPECT_EQ(job_of(philly, "1").gpus, 2);
    const Import shockwave = import_sample("gavel", "gavel/shockwave.trace");
    EXPECT_EQ(job_of(shockwave, "1").extras->qos.text(), "static");
    EXPECT_EQ(job_of(shockwave, "1").gpus, 4);
    EXPECT_EQ(job_of(shockwave, "1").steps, 10460);
    EXPECT_EQ(job_of(shockwave, "1").submit, at(64));
}

TEST(GavelImporter, RefusesAFileOfSeveralLayouts) {
    const std::string seven = "LM (batch size 5)\tpython\t--steps\t1\t777\t3.0\t1\n";
    EXPECT_EQ(refusal([&] { import_text("gavel", seven + "LM\tx\n"); }),
              "input: line 2: found '2 fields', expected 7, as in the first line");
    EXPECT_THAT(refusal([&] { import_text("gavel", "LM (batch size 5)\tpython\t--steps\t1\tmany\t3.0\t1\n"); }),
                HasSubstr("line 1, field 5: found 'many'"));
}

TEST(SiaImporter, MakesStepsOfTheApplicationsEpochs) {
    const Import imported = import_sample("sia", "sia/workload.csv");
    const Job& job = job_of(imported, "cifar10-0");
    EXPECT_EQ(job.batch_size, 2048);
    EXPECT_EQ(job.steps, (39063 * 128 + 2047) / 2048);
    EXPECT_EQ(job_of(imported, "bert-1").extras->qos.text(), "rigid");
    EXPECT_THAT(refusal([] { import_text("sia", "name,time,application,num_replicas,batch_size\na,1,cifar,1,1\n"); }),
                HasSubstr("found 'cifar', expected cifar10"));
}

TEST(HeliosQuotaImporter, LetsVirtualClustersGrowAndShrink) {
    const Import imported = import_sample("helios-quota", "helios-quota");
    EXPECT_EQ(imported.report.origin, "2020-03-31 16:00:00 UTC");
    EXPECT_THAT(rows_of(imported),
                ElementsAre("0 ms vc2 -1", "0 ms vc3 -4", "86400000 ms vc2 1", "86400000 ms vc3 4", "172800000 ms vc1 -1"));
}

TEST(BambooImporter, TakesTheLastLineOfAMoment) {
    const Import imported = import_sample("bamboo", "bamboo/aws-spot-instances-g4dn-xlarge-invented.csv");
    EXPECT_EQ(imported.cluster->gpu_types[0].name.text(), "T4");
    EXPECT_EQ(imported.cluster->total_gpus(), 9);
    const std::string name = " ms aws-spot-instances-g4dn-xlarge-invented ";
    EXPECT_THAT(rows_of(imported), ElementsAre("0" + name + "-5", "60000" + name + "5", "120000" + name + "-7"));
    const Import hours = import_sample("bamboo", "bamboo/aws-spot-instances-p2-xlarge-hours.csv");
    EXPECT_EQ(hours.cluster->gpu_types[0].name.text(), "K80");
    EXPECT_EQ(hours.capacity[1].time, at(1800));
}

TEST(SkyPilotImporter, KnowsBothPolarities) {
    const Import one = import_sample("skypilot", "skypilot/1-node/us-east-9a_v100_8.json");
    EXPECT_EQ(one.cluster->total_gpus(), 8);
    EXPECT_EQ(one.cluster->gpu_types[0].name.text(), "V100");
    EXPECT_THAT(rows_of(one), ElementsAre("1200000 ms us-east-9a_v100_8 -1", "2400000 ms us-east-9a_v100_8 1"));
    const Import four = import_sample("skypilot", "skypilot/4-node/us-east-9a_k80_1.json");
    EXPECT_THAT(rows_of(four), ElementsAre("600000 ms us-east-9a_k80_1 -2", "900000 ms us-east-9a_k80_1 -2"));
}

TEST(ParcaeImporter, ReadsItsThreeLayouts) {
    EXPECT_THAT(rows_of(import_sample("parcae", "parcae/p3.csv")), ElementsAre("0 ms p3 -1", "60000 ms p3 -1", "120000 ms p3 2"));
    const Import events = import_sample("parcae", "parcae/p3trace.csv");
    EXPECT_THAT(rows_of(events), ElementsAre("60000 ms p3trace -1", "120000 ms p3trace 1"));
    EXPECT_THAT(events.report.changed, ElementsAre(Pair("removed while not there: ignored", 1)));
    EXPECT_THAT(rows_of(import_sample("parcae", "parcae/trace_hh.jsonl")), ElementsAre("120000 ms trace_hh -1"));
}

TEST(SailorImporter, FollowsEachTypeAndZone) {
    const Import imported = import_sample("sailor", "sailor/gpu_trace.csv");
    EXPECT_EQ(imported.cluster->total_gpus(), 128 + 384);
    EXPECT_THAT(rows_of(imported), ElementsAre("0 ms A100-40_us-central1-a -96", "0 ms V100-16_us-central1-a -288",
                                               "123173 ms A100-40_us-central1-a 48", "123173 ms V100-16_us-central1-a -96",
                                               "244504 ms A100-40_us-central1-a 48", "244504 ms V100-16_us-central1-a 384"));
}

}  // namespace
}  // namespace medley::io
