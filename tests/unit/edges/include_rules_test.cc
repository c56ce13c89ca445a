#include "tests/unit/edges/include_rules.h"
#include "tests/support/source_folder.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace medley::edges {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::vector<std::string> kProgram = {"src", "planner", "simulator", "executor"};

SourceFile file(std::string path, std::string text) { return {.path = std::move(path), .text = std::move(text)}; }

std::vector<std::string> edge_violations_of(std::string path, std::string text) {
    return include_violations({file(std::move(path), std::move(text))});
}

/// A source tree on disk that lives as long as the test.
class PlantedTree {
 public:
    PlantedTree() : root_(std::filesystem::path(testing::TempDir()) / "medley-planted-tree") { std::filesystem::remove_all(root_); }
    ~PlantedTree() { std::filesystem::remove_all(root_); }
    PlantedTree(const PlantedTree&) = delete;
    PlantedTree& operator=(const PlantedTree&) = delete;

    void plant(const std::string& path, const std::string& text) const {
        std::filesystem::create_directories((root_ / path).parent_path());
        std::ofstream(root_ / path) << text;
    }
    const std::filesystem::path& root() const { return root_; }

 private:
    std::filesystem::path root_;
};

TEST(IncludeEdges, ThisRepositoryFollowsTheTable) {
    EXPECT_THAT(include_violations(read_sources(test::source_folder(), kProgram)), IsEmpty());
}

TEST(IncludeEdges, ThisRepositoryIncludesNothingInACircle) {
    EXPECT_THAT(include_circles(read_sources(test::source_folder(), kProgram)), IsEmpty());
}

TEST(IncludeEdges, ThisRepositoryIsReadAtAll) {
    const auto files = read_sources(test::source_folder(), kProgram);
    const auto is_units = [](const SourceFile& source) { return source.path == "src/core/units.h" && !source.text.empty(); };
    EXPECT_TRUE(std::any_of(files.begin(), files.end(), is_units));
}

TEST(IncludeEdges, AForbiddenIncludePlantedInATreeOnDiskIsFound) {
    const PlantedTree tree;
    tree.plant("src/core/units.h", "#pragma once\n");
    tree.plant("planner/policies/fifo.cc", "#include \"core/units.h\"\n#include \"executor/worker.h\"\n");
    tree.plant("planner/notes.txt", "#include \"executor/worker.h\"\n");
    EXPECT_THAT(
        include_violations(read_sources(tree.root(), kProgram)),
        ElementsAre(AllOf(HasSubstr("planner/policies/fifo.cc:2: executor/worker.h is of executor"), HasSubstr("planner may include"))));
}

TEST(IncludeEdges, PlannerSimulatorAndExecutorNeverMeet) {
    EXPECT_THAT(edge_violations_of("planner/a.cc", "#include \"simulator/cluster/simulation.h\"\n"), SizeIs(1));
    EXPECT_THAT(edge_violations_of("planner/a.cc", "#include \"io/csv.h\"\n"), SizeIs(1));
    EXPECT_THAT(edge_violations_of("simulator/cluster/a.cc", "#include \"planner/virtual_nodes/planner.h\"\n"), SizeIs(1));
    EXPECT_THAT(edge_violations_of("simulator/cluster/a.cc", "#include \"simulator/execution/task.h\"\n"), SizeIs(1));
    EXPECT_THAT(edge_violations_of("executor/a.cc", "#include \"planner/virtual_nodes/planner.h\"\n"), SizeIs(1));
    EXPECT_THAT(edge_violations_of("executor/a.cc", "#include \"cost/price.h\"\n"), SizeIs(1));
}

TEST(IncludeEdges, NothingPointsBackToTheProgram) {
    for (const char* path : {"src/core/a.cc", "src/cost/a.cc", "src/sched/a.cc", "src/io/a.cc", "planner/a.cc", "executor/a.cc"}) {
        EXPECT_THAT(edge_violations_of(path, "#include \"cli/options.h\"\n"), SizeIs(1)) << path;
    }
}

TEST(IncludeEdges, TheProgramMayUseEveryModule) {
    EXPECT_THAT(
        edge_violations_of(
            "src/cli/a.cc",
            "#include \"core/units.h\"\n#include \"cost/price.h\"\n#include \"sched/policy.h\"\n#include \"io/csv.h\"\n"
            "#include \"planner/policies/policy_table.h\"\n#include \"simulator/cluster/simulation.h\"\n#include \"executor/a.h\"\n"),
        IsEmpty());
}

TEST(IncludeEdges, LibrariesStayInTheirModule) {
    EXPECT_THAT(edge_violations_of("src/io/a.cc", "#include <nlohmann/json.hpp>\n#include <yaml-cpp/yaml.h>\n#include <fmt/format.h>\n"),
                IsEmpty());
    EXPECT_THAT(edge_violations_of("src/cli/a.cc", "#include <nlohmann/json.hpp>\n"), ElementsAre(HasSubstr("may stand only in src/io")));
    EXPECT_THAT(edge_violations_of("src/core/a.cc", "#include <yaml-cpp/yaml.h>\n"), SizeIs(1));
    EXPECT_THAT(edge_violations_of("planner/policies/a.cc", "#include <ClpSimplex.hpp>\n"), ElementsAre(HasSubstr("planner/solvers")));
    EXPECT_THAT(edge_violations_of("planner/solvers/a.cc", "#include <ClpSimplex.hpp>\n#include <coin/CoinPackedMatrix.hpp>\n"), IsEmpty());
    EXPECT_THAT(edge_violations_of("src/io/a.cc", "#include <CLI/CLI.hpp>\n"), SizeIs(1));
    EXPECT_THAT(edge_violations_of("planner/policies/a.cc", "#include <boost/graph/adjacency_list.hpp>\n"), SizeIs(1));
    EXPECT_THAT(edge_violations_of("executor/coordinator.cc", "#include <torch/torch.h>\n"), SizeIs(1));
}

TEST(IncludeEdges, AnUnknownLibraryNeedsARow) {
    EXPECT_THAT(edge_violations_of("src/io/a.cc", "#include <rapidjson/document.h>\n"), ElementsAre(HasSubstr("in no row")));
}

TEST(IncludeEdges, CoreKnowsNoFilesAndNoClocks) {
    EXPECT_THAT(edge_violations_of("src/core/a.cc", "#include <fstream>\n#include <chrono>\n#include <unistd.h>\n#include <vector>\n"),
                SizeIs(3));
    EXPECT_THAT(edge_violations_of("src/io/a.cc", "#include <fstream>\n#include <unistd.h>\n"), IsEmpty());
}

TEST(IncludeEdges, IncludesAreWrittenFromARoot) {
    EXPECT_THAT(edge_violations_of("src/core/a.cc", "#include \"units.h\"\n"), SizeIs(1));
    EXPECT_THAT(edge_violations_of("src/core/a.cc", "#include \"../core/units.h\"\n"), SizeIs(1));
    EXPECT_THAT(edge_violations_of("src/core/a.cc", "#include \"src/core/units.h\"\n"), SizeIs(1));
}

TEST(IncludeEdges, AFileOutsideEveryModuleIsRefused) {
    EXPECT_THAT(edge_violations_of("src/util/a.cc", ""), ElementsAre("src/util/a.cc: belongs to no module"));
    EXPECT_THAT(edge_violations_of("src/corendal/a.cc", ""), SizeIs(1));
}

TEST(IncludeEdges, CommentsAndLiteralsAreNoIncludes) {
    const std::string text =
        "// #include \"cli/a.h\"\n/*\n#include \"cli/b.h\"\n*/\nconst char* t = R\"(\n#include \"cli/c.h\"\n)\";\n#  include "
        "\"core/d.h\"\n";
    const auto includes = includes_of(file("src/core/a.cc", text));
    ASSERT_THAT(includes, SizeIs(1));
    EXPECT_EQ(includes[0].target, "core/d.h");
    EXPECT_EQ(includes[0].line, 8);
}

TEST(IncludeCircles, AreNamedWithTheirMembersOnly) {
    const auto circles = include_circles(
        {file("src/core/a.h", "#include \"core/b.h\"\n"), file("src/core/b.h", "#include \"core/c.h\"\n#include \"core/e.h\"\n"),
         file("src/core/c.h", "#include \"core/a.h\"\n"), file("src/core/d.h", "#include \"core/a.h\"\n"), file("src/core/e.h", "")});
    EXPECT_THAT(circles, ElementsAre("files in a circle: src/core/a.h, src/core/b.h, src/core/c.h"));
}

TEST(IncludeCircles, BetweenFoldersAreFoundWhereNoTwoFilesFormOne) {
    const auto circles = include_circles({file("planner/policies/a.h", "#include \"planner/solvers/b.h\"\n"),
                                          file("planner/solvers/c.h", "#include \"planner/policies/d.h\"\n")});
    EXPECT_THAT(circles, ElementsAre("folders in a circle: planner/policies, planner/solvers"));
}

}  // namespace
}  // namespace medley::edges
