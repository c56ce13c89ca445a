/// medley report, --report and --perfetto, and plans as pictures. What the page shows is looked at in a browser by tests/e2e/report.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/report/report_page.h"
#include "tests/e2e/cli/program.h"

namespace medley::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const std::string kSmall = "tests/data/report/small";

std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) { ++count; }
    return count;
}

class Report : public testing::Test {
 protected:
    void SetUp() override {
        if (io::report_page().empty()) { GTEST_SKIP() << "this build has no page: npm's packages are not installed"; }
    }
    std::string file(const std::string& name) const { return (folder_ / name).string(); }

    TemporaryFolder folder_;
};

TEST_F(Report, MadeOnTheWayIsTheOneMadeAfterwards) {
    ASSERT_EQ(medley(simulate_command("wfs", {"--out", file("on-the-way"), "--report", "--perfetto"})).exit_code, 0);
    const Outcome outcome =
        medley({"report", file("on-the-way"), "-o", file("afterwards.html"), "--perfetto", file("afterwards.json"), "--json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_EQ(json::parse(outcome.out)["runs"], 1);
    EXPECT_EQ(contents(folder_ / "on-the-way" / "report.html"), contents(folder_ / "afterwards.html"));
    EXPECT_EQ(contents(folder_ / "on-the-way" / "trace.perfetto.json"), contents(folder_ / "afterwards.json"));
}

TEST_F(Report, OfTheSameResultsIsTheSameBytes) {
    for (const char* name : {"a.html", "b.html"}) { ASSERT_EQ(medley({"report", kSmall, "-o", file(name)}).exit_code, 0); }
    EXPECT_EQ(contents(folder_ / "a.html"), contents(folder_ / "b.html"));
    EXPECT_THAT(contents(folder_ / "a.html"), HasSubstr("<title>virtualflow on small-lab</title>"));
}

TEST_F(Report, OfAComparisonHoldsAllItsRuns) {
    const Outcome outcome = medley({"compare", "--cluster", kCluster, "--trace", kTrace, "--profiles", kProfiles, "--policies", "fifo;wfs",
                                    "--seeds", "1,2", "--out", file("compared"), "--report"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
    const std::string html = contents(folder_ / "compared" / "report.html");
    EXPECT_EQ(count_of(html, "id=\"medley-run-"), 4U);
    EXPECT_THAT(html, HasSubstr("Comparison of 4 runs"));
    ASSERT_EQ(medley({"report", file("compared"), kSmall, "-o", file("more.html")}).exit_code, 0);
    EXPECT_EQ(count_of(contents(folder_ / "more.html"), "id=\"medley-run-"), 5U);
}

TEST_F(Report, RefusesWhatHoldsNoResults) {
    const Outcome missing = medley({"report", file("none")});
    EXPECT_TRUE(missing.is_one_line_refusal()) << missing.error;
    EXPECT_THAT(missing.error, HasSubstr("summary.json"));
    EXPECT_TRUE(medley({"report", kSmall, kSmall, "-o", file("r.html")}).is_one_line_refusal());
    EXPECT_TRUE(medley({"report", kSmall, "tests/data/report", "--perfetto", file("p.json")}).is_one_line_refusal());
    EXPECT_TRUE(medley({"report"}).is_one_line_refusal());
    EXPECT_TRUE(medley(simulate_command("wfs", {"--report"})).is_one_line_refusal()) << "there is no directory to write it to";
    EXPECT_EQ(folder_.entries(), 0U);
}

TEST(ReportWithoutItsPage, IsRefusedBeforeTheWork) {
    if (!io::report_page().empty()) { GTEST_SKIP() << "this build has the page"; }
    const TemporaryFolder folder;
    for (const Arguments& arguments :
         {Arguments{"report", kSmall}, simulate_command("wfs", {"--out", (folder / "o").string(), "--report"})}) {
        const Outcome outcome = medley(arguments);
        EXPECT_TRUE(outcome.is_one_line_refusal()) << outcome.error;
        EXPECT_THAT(outcome.error, HasSubstr("npm"));
    }
    EXPECT_EQ(folder.entries(), 0U);
}

std::string picture_of_plan(Arguments arguments) {
    const TemporaryFolder folder;
    arguments.insert(arguments.end(), {"--profiles", "profiles", "--svg", (folder / "plan.svg").string()});
    const Outcome outcome = medley(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    return contents(folder / "plan.svg");
}

// The plan of README.md: 8 virtual nodes of 256 images on each V100, 2 on each P100.
TEST(PlanPicture, ShowsEveryVirtualNodeOfEveryKindOfGpu) {
    const std::string svg =
        picture_of_plan({"plan", "--model", "resnet50", "--global-batch", "8192", "--gpus", "V100=2,P100=8", "--comm", "1.0612"});
    EXPECT_THAT(svg, testing::StartsWith("<svg xmlns="));
    EXPECT_THAT(svg, testing::EndsWith("</svg>\n"));
    EXPECT_THAT(svg, HasSubstr("2 \u00d7 V100"));
    EXPECT_THAT(svg, HasSubstr("8 \u00d7 P100"));
    EXPECT_EQ(count_of(svg, "<title>1 virtual node of 256 images"), 10U);
    EXPECT_EQ(count_of(svg, "<title>communication: 1.061 s"), 2U);
    EXPECT_EQ(count_of(svg, "<title>waits "), 1U) << "the V100, for the P100";
    EXPECT_EQ(count_of(svg, "<"), count_of(svg, ">"));
}

TEST(PlanPicture, DrawsManyEqualVirtualNodesAsOnePiece) {
    const std::string svg = picture_of_plan(
        {"plan", "--model", "bert-base-cola", "--global-batch", "2048", "--gpus", "V100=1,K80=2", "--virtual-nodes", "1*2048"});
    EXPECT_THAT(svg, HasSubstr("virtual nodes of 1 sentences"));
    EXPECT_LT(count_of(svg, "<rect"), 20U);
}

}  // namespace
}  // namespace medley::test
