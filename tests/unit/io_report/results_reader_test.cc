#include "io/report/results_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "io/results/event_log_writer.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/io_report/reported_small_log.h"

namespace medley::io {
namespace {

using testing::HasSubstr;

template <class Act>
std::string refusal_of(const Act& act) {
    try {
        act();
    } catch (const Error& error) { return error.what(); }
    return "nothing refused";
}

std::string refusal_of_comparison(const std::string& text) {
    return refusal_of([&] { parse_comparison(text, "c.json"); });
}

TEST(ComparisonFile, PlainFieldsOfARunAreItsLabels) {
    const ComparisonContents contents = parse_comparison(
        R"({"format": 1, "ranked_by": "cost_usd", "runs": [
            {"trace": "t.csv", "what_if": "", "policy": "wfs", "seed": 3, "load": 0.5,
             "directory": "deep/in/001-wfs", "summary": {"a": 1}, "none": null}]})",
        "c.json");
    EXPECT_EQ(contents.ranked_by, "cost_usd");
    ASSERT_EQ(contents.runs.size(), 1U);
    EXPECT_EQ(contents.runs[0].folder, "001-wfs");
    std::string labels;
    for (const RunLabel& label : contents.runs[0].labels) { labels += label.name + "=" + label.value + ";"; }
    EXPECT_EQ(labels, "trace=t.csv;what_if=;policy=wfs;seed=3;load=0.5;");
}

TEST(ComparisonFile, RefusesWhatItIsNotNamingThePlace) {
    EXPECT_THAT(refusal_of_comparison("[]"), HasSubstr("c.json"));
    EXPECT_THAT(refusal_of_comparison(R"({"format": 2})"), HasSubstr("format"));
    EXPECT_THAT(refusal_of_comparison(R"({"format": 1, "ranked_by": "a", "runs": []})"), HasSubstr("runs"));
    EXPECT_THAT(refusal_of_comparison(R"({"format": 1, "ranked_by": "a", "runs": [{"directory": null}]})"), HasSubstr("runs[0].directory"));
    EXPECT_THAT(refusal_of_comparison(R"({"format": 1, "ranked_by": "a", "runs": [{"directory": "a/.."}]})"),
                HasSubstr("runs[0].directory"));
    EXPECT_THAT(refusal_of_comparison(R"({"format": 1, "ranked_by": "a", "runs": [7]})"), HasSubstr("runs[0]"));
}

TEST(SummaryFile, TellsASimulationFromARun) {
    const SummaryContents simulated = parse_summary(R"({"format": 1, "policy": "wfs", "seed": 4, "window": {"first": 2, "last": 5}})", "s");
    EXPECT_FALSE(simulated.executed);
    EXPECT_EQ(simulated.window.first, 2U);
    EXPECT_EQ(simulated.window.last, 5U);
    EXPECT_EQ(simulated.labels[0].value, "wfs");
    EXPECT_TRUE(parse_summary(R"({"format": 1, "job": "gpt"})", "s").executed);
    EXPECT_THAT(refusal_of([] { parse_summary(R"({"format": 1, "window": {"first": -1, "last": 5}})", "s.json"); }),
                HasSubstr("window.first"));
}

TEST(ResultsReader, ReadsBackADirectoryAsItWasWritten) {
    const test::TemporaryFolder folder;
    const test::SmallRun small;
    OutputFile events(folder / "events.jsonl");
    EventLogWriter writer(events);
    for (const LogRecord& record : test::small_log()) { writer.record(record); }
    events.commit();
    write_text_file(folder / "summary.json", small.summary);
    const std::unique_ptr<RunRecord> run = read_run(folder.path());
    const EncodedRun direct = encode_run(small.reported());
    EXPECT_EQ(encode_run(*run, {{.name = "policy", .value = "wfs"}}).json, direct.json);
    EXPECT_EQ(encode_run(*run).columns, direct.columns);
    EXPECT_FALSE(is_comparison(folder.path()));
}

TEST(ResultsReader, NamesTheFileThatIsMissing) {
    const test::TemporaryFolder folder;
    EXPECT_THAT(refusal_of([&] { read_run(folder.path()); }), HasSubstr("summary.json"));
}

}  // namespace
}  // namespace medley::io
