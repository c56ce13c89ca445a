#include "io/slurm/cluster_import.h"

#include <gmock/gmock.h>

#include "io/cluster_file.h"
#include "io/cluster_writing.h"
#include "tests/unit/core/refusal.h"

namespace medley::io::slurm {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

// Two types, weights against the order of the output, a drained node, one without GPUs, one of two types.
const std::string kNodes =
    "NodeName=a1 CPUTot=64 Gres=gpu:a100:4(S:0-1) State=IDLE Weight=30 Partitions=main\n"
    "NodeName=a2 CPUTot=64 Gres=gpu:a100:4(S:0-1) State=MIXED Weight=30 Partitions=main\n"
    "NodeName=a3 CPUTot=64 Gres=gpu:a100:4(S:0-1) State=IDLE+DRAIN Weight=30 Partitions=main\n"
    "NodeName=c1 CPUTot=32 Gres=(null) State=IDLE Weight=1 Partitions=main\n"
    "NodeName=v1 CPUTot=64 Gres=gpu:v100:2 State=IDLE Weight=20 Partitions=main\n"
    "NodeName=x1 CPUTot=64 Gres=gpu:a100:1,gpu:v100:1 State=IDLE Weight=40 Partitions=main\n";

ImportedCluster import_text(const std::string& text, const ClusterChoices& choices = {}) {
    return import_cluster(sort_files({{"nodes.txt", text}}), choices);
}

std::vector<std::string> groups_of(const ImportedCluster& imported) {
    std::vector<std::string> groups;
    for (const NodeGroup& group : imported.cluster.nodes) {
        groups.push_back(group.name + "=" + std::to_string(group.count) + "x" + std::to_string(group.gpus) + " " +
                         imported.cluster.type(group.gpu).name.text());
    }
    return groups;
}

TEST(SlurmCluster, GroupsEqualNodesByWeight) {
    const ImportedCluster imported = import_text(kNodes);
    EXPECT_THAT(groups_of(imported), ElementsAre("v1=1x2 v100", "a[1-2]=2x4 a100", "x1 a100=1x1 a100", "x1 v100=1x1 v100"));
    EXPECT_EQ(imported.cluster.gpu_types.front().name, Name("v100"));
    EXPECT_EQ(imported.cluster.total_gpus(), 12);
    EXPECT_EQ(imported.cpus, 64 * 5 + 32);
    EXPECT_THAT(imported.dropped, ElementsAre(Pair("no GPUs", 1), Pair("state IDLE+DRAIN", 1)));
    EXPECT_THAT(imported.notes, ElementsAre(HasSubstr("1 nodes have GPUs of several types")));
}

TEST(SlurmCluster, KeepsUnavailableNodesIfAsked) {
    EXPECT_THAT(groups_of(import_text(kNodes, {.keep_unavailable = true})), Contains("a[1-3]=3x4 a100"));
}

TEST(SlurmCluster, IsReadBackAsTheSameCluster) {
    const Cluster cluster = import_text(kNodes).cluster;
    const std::string text = format_cluster(cluster);
    EXPECT_EQ(format_cluster(parse_cluster(text, "cluster.yaml")), text);
}

TEST(SlurmCluster, SplitsGroupsAtPartitionsAndReservations) {
    const std::string nodes = "NodeName=n[1-4] Gres=gpu:2 State=IDLE\n";
    const ImportedCluster split = import_cluster(sort_files({{"n", nodes},
                                                             {"p", "PartitionName=all Nodes=n[1-4]\n\nPartitionName=some Nodes=n[1-3]\n"},
                                                             {"r", "ReservationName=r StartTime=1 EndTime=2 Nodes=n[3-4]\n"}}),
                                                 {});
    EXPECT_THAT(groups_of(split), ElementsAre("n[1-2]=2x2 gpu", "n3=1x2 gpu", "n4=1x2 gpu"));
    EXPECT_THAT(groups_of(import_text(nodes, {.node_by_node = true})), ElementsAre("n1=1x2 gpu", "n2=1x2 gpu", "n3=1x2 gpu", "n4=1x2 gpu"));
}

TEST(SlurmCluster, RenamesTypes) {
    const ClusterChoices choices{.type_names = parse_type_names("a100=A100-40GB,v100=V100")};
    EXPECT_THAT(groups_of(import_text(kNodes, choices)), Contains("a[1-2]=2x4 A100-40GB"));
    const ClusterChoices merged{.type_names = parse_type_names("a100=G,v100=G")};
    EXPECT_THAT(groups_of(import_text(kNodes, merged)), Contains("x1=1x2 G"));
    EXPECT_THAT(groups_of(import_text("NodeName=n1 Gres=gpu:8\n", {.untyped_name = "H100"})), ElementsAre("n1=1x8 H100"));
    for (const char* text : {"a100", "=A100", "a100="}) {
        EXPECT_THAT(refusal([text] { parse_type_names(text); }), HasSubstr("SLURM-TYPE=TYPE")) << text;
    }
}

TEST(SlurmCluster, NoGroupHasTheNameOfAType) {
    EXPECT_THAT(groups_of(import_text("NodeName=a100 Gres=gpu:a100:2\n")), ElementsAre("a100 nodes=1x2 a100"));
}

// One row for each partition; the default one carries a star.
TEST(SlurmCluster, ReadsSinfo) {
    const std::string bars =
        "NODELIST|PARTITION|GRES|STATE|CPUS|WEIGHT\na1|main*|gpu:a100:4|idle|64|2\na1|short|gpu:a100:4|idle|64|2\n"
        "b1|main*|gpu:t4:2|drain|64|1\nb2|main*|gpu:t4:2|mix-|64|1\n";
    const ImportedCluster imported = import_text(bars);
    EXPECT_THAT(groups_of(imported), ElementsAre("b2=1x2 t4", "a1=1x4 a100"));
    EXPECT_EQ(imported.cpus, 192);
    const std::string blanks = "NODELIST   GRES        STATE\na[1-2]    gpu:a100:4   idle\n";
    EXPECT_THAT(groups_of(import_text(blanks)), ElementsAre("a[1-2]=2x4 a100"));
}

TEST(SlurmCluster, RefusesByFileLineAndKey) {
    EXPECT_EQ(refusal([] { import_text("NodeName=a1 State=IDLE\nNodeName=a2 Gres=gpu:a100:many\n"); }).substr(0, 24),
              "nodes.txt: line 2, Gres:");
    EXPECT_THAT(refusal([] { import_text("NodeName=a1 Gres=gpu:1\nNodeName=a1 Gres=gpu:1\n"); }), HasSubstr("each node once"));
    EXPECT_THAT(refusal([] { import_text("NodeName=a[1 Gres=gpu:1\n"); }), HasSubstr("line 1, NodeName"));
    EXPECT_THAT(refusal([] { import_text("NodeName=a1 Gres=(null)\n"); }), HasSubstr("no node with GPUs"));
    EXPECT_THAT(refusal([] { import_text("NODELIST|GRES\na1|gpu:1|x\n"); }), HasSubstr("line 2"));
    EXPECT_THAT(refusal([] { import_cluster(sort_files({{"p", "PartitionName=a\n"}}), {}); }), HasSubstr("no list of nodes"));
}

}  // namespace
}  // namespace medley::io::slurm
