/// The checker must accept a right log and find each kind of wrong one: what it never finds it does not check.

#include "tests/support/log_checker.h"

#include <gtest/gtest.h>

namespace medley::test {
namespace {

const std::vector<std::string> kRight = {
    R"({"t_ns":0,"record":"header","format":1,"compat":"","gpu_types":[{"name":"A","gpus":2},{"name":"B","gpus":1}]})",
    R"({"t_ns":0,"record":"submit","job":"x","requested_gpus":2,"min_gpus":0,"allowed":["A"],"total_work":20})",
    R"({"t_ns":0,"record":"launch","job":"x","gpus":{"A":2},"restart":false})",
    R"({"t_ns":5000000000,"record":"run","job":"x","work_per_s":2,"communication_fraction":0.5,"work_done":0,"resizing":false})",
    R"({"t_ns":10000000000,"record":"stop","job":"x","reason":"preempted","work_done":10,"work_lost":0})",
    R"({"t_ns":12000000000,"record":"capacity","gpu_type":"B","gpus":0})",
    R"({"t_ns":15000000000,"record":"launch","job":"x","gpus":{"A":1},"restart":true})",
    R"({"t_ns":15000000000,"record":"run","job":"x","work_per_s":1,"communication_fraction":0,"work_done":10,"resizing":false})",
    R"({"t_ns":25000000000,"record":"finish","job":"x","work_done":20,"cancelled":false})",
    R"({"t_ns":25000000000,"record":"end","events":5,"decisions":3})"};

LogReport check(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) { text += line + "\n"; }
    return check_log_text(text);
}

std::vector<std::string> with(std::size_t index, const std::string& from, const std::string& to) {
    std::vector<std::string> lines = kRight;
    const auto place = lines[index].find(from);
    EXPECT_NE(place, std::string::npos) << from;
    lines[index].replace(place, from.size(), to);
    return lines;
}

std::vector<std::string> without(std::size_t index) {
    std::vector<std::string> lines = kRight;
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(index));
    return lines;
}

TEST(LogChecker, AcceptsARightLogAndComputesItsFigures) {
    const LogReport report = check(kRight);
    ASSERT_TRUE(report.clean()) << report.violations.front();
    EXPECT_EQ(report.records, 10U);
    EXPECT_EQ(report.mean_jct_s, 25);
    auto ledger = report.ledger_gpu_seconds;
    EXPECT_EQ(ledger["startup"], 10);
    EXPECT_EQ(ledger["useful"], 5 + 10);
    EXPECT_EQ(ledger["communication_wait"], 5);
    EXPECT_EQ(ledger["down"], 13);
    EXPECT_EQ(ledger["fragmented"], 10);     // both A are free from 10 to 15 while x waits for them
    EXPECT_EQ(ledger["idle"], 10 + 2 + 10);  // B until it goes; one A beside the smaller x
    EXPECT_EQ(report.capacity_gpu_seconds, 75);
}

TEST(LogChecker, FindsABrokenFrame) {
    EXPECT_FALSE(check(without(0)).clean());
    EXPECT_FALSE(check(without(9)).clean());
    EXPECT_FALSE(check({}).clean());
    EXPECT_FALSE(check(with(3, "\"run\"", "\"walk\"")).clean());
    EXPECT_FALSE(check(with(3, "{", "")).clean());
    EXPECT_FALSE(check(with(0, "\"format\":1", "\"format\":2")).clean());
    EXPECT_FALSE(check(with(3, "5000000000", "99000000000")).clean());  // the next record is earlier
}

TEST(LogChecker, FindsAWrongLife) {
    EXPECT_FALSE(check(without(1)).clean());  // launched without having been submitted
    EXPECT_FALSE(check(without(2)).clean());  // runs without having been launched
    EXPECT_FALSE(check(without(4)).clean());  // launched while running
    EXPECT_FALSE(check(without(7)).clean());  // finishes without having run
    EXPECT_FALSE(check(with(6, "\"restart\":true", "\"restart\":false")).clean());
    EXPECT_FALSE(check(with(3, "\"resizing\":false", "\"resizing\":true")).clean());
}

TEST(LogChecker, FindsWrongGpus) {
    EXPECT_FALSE(check(with(2, "{\"A\":2}", "{\"A\":3}")).clean());
    EXPECT_FALSE(check(with(2, "{\"A\":2}", "{\"B\":1}")).clean());  // not allowed
    EXPECT_FALSE(check(with(2, "{\"A\":2}", "{\"C\":1}")).clean());
    EXPECT_FALSE(check(with(2, "{\"A\":2}", "{}")).clean());
    EXPECT_FALSE(check(with(2, "{\"A\":2}", "{\"A\":0}")).clean());
}

TEST(LogChecker, FindsWorkOutOfNothing) {
    EXPECT_FALSE(check(with(3, "\"work_done\":0", "\"work_done\":1")).clean());
    EXPECT_FALSE(check(with(4, "\"work_done\":10", "\"work_done\":11")).clean());
    EXPECT_FALSE(check(with(4, "\"work_lost\":0", "\"work_lost\":1")).clean());
    EXPECT_FALSE(check(with(7, "\"work_done\":10", "\"work_done\":15")).clean());  // progress while waiting
    EXPECT_FALSE(check(with(8, "25000000000", "24000000000")).clean());
    EXPECT_FALSE(check(with(1, "\"total_work\":20", "\"total_work\":21")).clean());
}

TEST(LogChecker, ExpectsNoConservationOfALogThatDisclaimsIt) {
    std::vector<std::string> lines = with(7, "\"work_done\":10", "\"work_done\":15");
    lines[0].replace(lines[0].find("\"compat\":\"\""), 11, "\"compat\":\"virtualflow-logs\"");
    EXPECT_TRUE(check(lines).clean());
}

TEST(LogChecker, ComparesWithASummary) {
    const LogReport report = check(kRight);
    const std::string right = R"({"jobs_completed":1,"jobs_unfinished":0,"avg_jct_s":25,"median_jct_s":25,)"
                              R"("ledger_gpu_seconds":{"useful":15,"idle":22,"total":75}})";
    EXPECT_TRUE(compare_with_summary(report, right).empty());
    for (const char* figure : {"jobs_completed\":1", "avg_jct_s\":25", "median_jct_s\":25", "useful\":15", "idle\":22"}) {
        std::string wrong = right;
        wrong.insert(wrong.find(figure) + std::string(figure).size(), "1");
        EXPECT_EQ(compare_with_summary(report, wrong).size(), 1U) << figure;
    }
}

}  // namespace
}  // namespace medley::test
