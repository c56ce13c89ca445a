#include <gmock/gmock.h>

#include "io/slurm/files.h"
#include "io/slurm/nodes.h"
#include "io/slurm/records.h"
#include "io/slurm/submit_line.h"
#include "io/slurm/times.h"
#include "io/slurm/tres.h"
#include "tests/unit/core/refusal.h"

namespace medley::io::slurm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::pair<std::string, int>> gpus_of(std::string_view gres) {
    std::vector<std::pair<std::string, int>> gpus;
    for (const NodeGpus& each : node_gpus(gres)) { gpus.emplace_back(each.type.text(), each.count); }
    return gpus;
}

// Slurm writes the typed and the untyped figure of the same GPUs: adding them up counts twice.
TEST(Tres, TypedAndUntypedGpusAreTheSameGpus) {
    const TresGpus both = tres_gpus("billing=11,cpu=8,gres/gpu:a100=1,gres/gpu=1,mem=64G,node=1");
    EXPECT_EQ(both.total, 1);
    EXPECT_EQ(both.type, "a100");
    EXPECT_EQ(tres_gpus("cpu=8,gres/gpu=4").total, 4);
    EXPECT_EQ(tres_gpus("cpu=8,gres/gpu=4").type, "");
    EXPECT_EQ(tres_gpus("gres/gpu:v100=2").total, 2);
}

TEST(Tres, SeveralTypesAreSummedAndNotNamed) {
    const TresGpus mixed = tres_gpus("gres/gpu:a100=1,gres/gpu:v100=2");
    EXPECT_EQ(mixed.total, 3);
    EXPECT_TRUE(mixed.several_types);
    EXPECT_EQ(mixed.type, "");
}

TEST(Tres, SaysNothingOfGpusWhereTheyAreNotAccounted) {
    EXPECT_EQ(tres_gpus("billing=1792,cpu=1792,energy=18969404,mem=8000G,node=16").total, std::nullopt);
    EXPECT_EQ(tres_gpus("").total, std::nullopt);
    EXPECT_EQ(tres_gpus("gres/gpu=0").total, 0);
    EXPECT_EQ(tres_gpus("gres/gpumem=4,gres/shard=2").total, std::nullopt);
    EXPECT_EQ(tres_count("cpu=8,node=2", "node"), 2);
    EXPECT_EQ(tres_count("cpu=8,node=2", "gres/gpu"), std::nullopt);
}

TEST(Gres, CountsTheGpusOfANodeByType) {
    using Gpus = std::vector<std::pair<std::string, int>>;
    EXPECT_EQ(gpus_of("gpu:a100:4(S:0-1)"), (Gpus{{"a100", 4}}));
    EXPECT_EQ(gpus_of("gpu:a100:2(S:0,2),gpu:v100:2,mps:400"), (Gpus{{"a100", 2}, {"v100", 2}}));
    EXPECT_EQ(gpus_of("gpu:4"), (Gpus{{"", 4}}));
    EXPECT_EQ(gpus_of("gpu:a100_3g.20gb:2,gpu:a100_3g.20gb:3"), (Gpus{{"a100_3g.20gb", 5}}));
    EXPECT_EQ(gpus_of("gpu:tesla:no_consume:4"), (Gpus{{"tesla", 4}}));
    EXPECT_EQ(gpus_of("(null)"), Gpus{});
    EXPECT_EQ(gpus_of("nic:2,gpu:0"), Gpus{});
    EXPECT_THAT(refusal([] { node_gpus("gpu:a100"); }), HasSubstr("gpu:TYPE:COUNT"));
    EXPECT_THAT(refusal([] { node_gpus("gpu"); }), HasSubstr("gpu:TYPE:COUNT"));
}

TEST(Times, SpansInEverySpelling) {
    EXPECT_EQ(to_span("00:17:02"), Seconds{1022});
    EXPECT_EQ(to_span("3-00:00:00"), Seconds{3 * 86400});
    EXPECT_EQ(to_span("1-02"), Seconds{86400 + 7200});
    EXPECT_EQ(to_span("1-02:03"), Seconds{86400 + 7200 + 180});
    EXPECT_EQ(to_span("12:03"), Seconds{723});
    EXPECT_EQ(to_span("00:43.900"), Seconds{43.9});
    EXPECT_EQ(to_span("100:00:00"), Seconds{360000});
    EXPECT_EQ(to_span("60 sec"), Seconds{60});
    EXPECT_EQ(to_span("5 min"), Seconds{300});
    for (const char* text : {"", "90", "1:2:3:4", "a:b", "-1:00", "UNLIMITED", "1-", "9999999999-00:00:00"}) {
        EXPECT_EQ(to_span(text), std::nullopt) << text;
    }
}

TEST(Times, LimitsAndMomentsThatAreNone) {
    for (const char* text : {"UNLIMITED", "Partition_Limit", "INFINITE", "", "NONE"}) { EXPECT_TRUE(is_unlimited(text)) << text; }
    EXPECT_FALSE(is_unlimited("1:00:00"));
    for (const char* text : {"Unknown", "None", "", "N/A"}) { EXPECT_TRUE(is_unknown_moment(text)) << text; }
}

TEST(Times, MomentsNeverTakeTheHostsZone) {
    EXPECT_EQ(to_moment("1970-01-02T00:00:01", ZoneRule()), to_sim_time(Seconds{86401}));
    EXPECT_EQ(to_moment("1970-01-02T00:00:01", ZoneRule("+08:00")), to_sim_time(Seconds{86401 - 8 * 3600}));
    EXPECT_EQ(to_moment("1970-01-02T00:00:01+00:00", ZoneRule("+08:00")), to_sim_time(Seconds{86401}));
    EXPECT_EQ(to_moment("1796064144", ZoneRule("+08:00")), to_sim_time(Seconds{1796064144}));
    EXPECT_EQ(to_moment("-5", ZoneRule()), std::nullopt);
    EXPECT_EQ(to_moment("yesterday", ZoneRule()), std::nullopt);
}

TEST(Records, OneLineAndSeveralAreTheSame) {
    const std::string lines =
        "NodeName=a1 Arch=x86_64\n   Gres=gpu:a100:4(S:0-1)\n   OS=Linux 6.1.0 #1 SMP\n   State=IDLE\n\nNodeName=a2 State=DOWN\n";
    const std::string one = "NodeName=a1 Arch=x86_64 Gres=gpu:a100:4(S:0-1) OS=Linux 6.1.0 #1 SMP State=IDLE \nNodeName=a2 State=DOWN\n";
    for (const std::string& text : {lines, one}) {
        const auto records = read_records(text, "NodeName");
        ASSERT_EQ(records.size(), 2);
        EXPECT_EQ(records[0].value("Gres"), "gpu:a100:4(S:0-1)");
        EXPECT_EQ(records[0].value("OS"), "Linux 6.1.0 #1 SMP");
        EXPECT_EQ(records[0].value("State"), "IDLE");
        EXPECT_EQ(records[1].value("NodeName"), "a2");
    }
}

// A drained node's reason is free text of an administrator.
TEST(Records, FreeTextAtTheEndReplacesNothing) {
    const std::string text = "NodeName=a1 Gres=gpu:a100:4 State=DRAINED Reason=Gres=gpu:0 was wrong State=IDLE [root@2026-01-01]\n";
    const auto records = read_records(text, "NodeName");
    EXPECT_EQ(records[0].value("Gres"), "gpu:a100:4");
    EXPECT_EQ(records[0].value("State"), "DRAINED");
}

TEST(Records, NullIsNothing) {
    const auto records = read_records("NodeName=a1 Gres=(null) Comment=N/A\n", "NodeName");
    EXPECT_EQ(records[0].value("Gres"), "");
    EXPECT_EQ(records[0].value("Comment"), "");
    EXPECT_EQ(records[0].value("Missing"), "");
}

TEST(Nodes, StatesInWhichNothingRuns) {
    for (const char* state :
         {"DOWN", "DOWN*", "IDLE+DRAIN", "MIXED+DRAIN", "drained*", "drng", "FUTURE", "IDLE+NOT_RESPONDING", "down$", "inval"}) {
        EXPECT_FALSE(is_available(state)) << state;
    }
    for (const char* state :
         {"IDLE", "ALLOCATED", "MIXED", "mix-", "idle~", "RESERVED", "MAINT", "IDLE+CLOUD+POWERED_DOWN", "comp", "PLANNED", ""}) {
        EXPECT_TRUE(is_available(state)) << state;
    }
}

TEST(Files, AreToldApartByWhatIsInThem) {
    const SiteFiles files = sort_files({{"a", "NodeName=a1 Gres=gpu:1\n"},
                                        {"b", "Configuration data as of 1796063991\nX = 1\n"},
                                        {"c", "PartitionName=main Nodes=a1\n"},
                                        {"d", "No reservations in the system\n"},
                                        {"e", "Name|Priority\nnormal|0\n"},
                                        {"f", "Cluster|Account\nc|root\n"}});
    EXPECT_EQ(files.nodes->name, "a");
    EXPECT_EQ(files.config->name, "b");
    EXPECT_EQ(files.partitions->name, "c");
    EXPECT_EQ(files.reservations->name, "d");
    EXPECT_EQ(files.qos->name, "e");
    EXPECT_EQ(files.associations->name, "f");
    EXPECT_TRUE(sort_files({{"s", "NODELIST|GRES\na1|gpu:1\n"}}).sinfo.has_value());
    EXPECT_TRUE(sort_files({{"s", "Mon Nov 30 2026\nHOSTNAMES  GRES\na1 gpu:1\n"}}).sinfo.has_value());
}

TEST(Files, OthersAndSecondsAreRefusedByName) {
    EXPECT_THAT(refusal([] { sort_files({{"x.txt", "hello\n"}}); }), HasSubstr("x.txt"));
    EXPECT_THAT(refusal([] { sort_files({{"x.txt", ""}}); }), HasSubstr("scontrol show nodes"));
    EXPECT_THAT(refusal([] { sort_files({{"x", "NodeName=a\n"}, {"y", "NodeName=b\n"}}); }), HasSubstr("the same kind of output as x"));
}

TEST(SubmitLines, TellDependenciesArraysAndTypes) {
    const SubmitLine line = read_submit_line("sbatch --array=1-6%2 --dependency=afterok:12:13,afterany:14 --gres=gpu:a100:2 job.sh --lr=1");
    EXPECT_THAT(line.depends_on, ElementsAre("12", "13", "14"));
    EXPECT_FALSE(line.other_dependency);
    EXPECT_EQ(line.array_limit, 2);
    EXPECT_EQ(line.gpu_type, "a100");
    const SubmitLine spaced = read_submit_line("sbatch -d afterok:9 -a 0-3%1 --gpus v100:4 job.sh");
    EXPECT_THAT(spaced.depends_on, ElementsAre("9"));
    EXPECT_EQ(spaced.array_limit, 1);
    EXPECT_EQ(spaced.gpu_type, "v100");
}

TEST(SubmitLines, SayNothingOfWhatTheyDoNotUnderstand) {
    for (const char* text : {"sbatch --dependency=singleton j", "sbatch -d after:12+5 j", "sbatch --dependency=afterok:1?afterok:2 j"}) {
        const SubmitLine line = read_submit_line(text);
        EXPECT_THAT(line.depends_on, IsEmpty()) << text;
        EXPECT_TRUE(line.other_dependency) << text;
    }
    EXPECT_EQ(read_submit_line("srun --gres=gpu:2 python train.py").gpu_type, "");
    EXPECT_EQ(read_submit_line("srun -G 8 python train.py").gpu_type, "");
    EXPECT_EQ(read_submit_line("sbatch --array=1-6 j").array_limit, 0);
    EXPECT_EQ(read_submit_line("").array_limit, 0);
}

}  // namespace
}  // namespace medley::io::slurm
