#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "io/results/event_log_reader.h"
#include "io/results/event_log_writer.h"
#include "tests/support/source_folder.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/results/small_log.h"

namespace medley::io {
namespace {

using test::small_log;
using test::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;

// The fields as documented in docs/formats.md; each number below stands in small_log.
const std::string kWritten = test::contents(test::source_path("tests/data/results/small-log.jsonl"));

class Ignore : public EventSink {
 public:
    void record(const LogRecord&) override {}
};

std::string refusal(const std::string& text) {
    Ignore ignore;
    try {
        EventLogReader(text, "events.jsonl").read_into(ignore);
    } catch (const Error& error) { return error.what(); }
    return "";
}

/// The log with the first occurrence of `from` replaced.
std::string with(const std::string& from, const std::string& to) {
    std::string text = kWritten;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos);
    return text.replace(at, from.size(), to);
}

TEST(EventLogWriter, WritesEveryKindOfRecordWithItsDocumentedFields) {
    const TemporaryFolder folder;
    OutputFile file(folder / "events.jsonl");
    EventLogWriter writer(file);
    for (const LogRecord& record : small_log()) { writer.record(record); }
    file.commit();
    EXPECT_EQ(test::contents(folder / "events.jsonl"), kWritten);
}

TEST(EventLogReader, ReadsBackWhatTheWriterWroteToTheByte) {
    const TemporaryFolder folder;
    OutputFile file(folder / "copy.jsonl");
    EventLogWriter writer(file);
    EventLogReader(kWritten, "events.jsonl").read_into(writer);
    file.commit();
    EXPECT_EQ(test::contents(folder / "copy.jsonl"), kWritten);
}

TEST(EventLogReader, ReadsAFile) {
    const TemporaryFolder folder;
    write_text_file(folder / "events.jsonl", kWritten);
    Ignore ignore;
    EXPECT_NO_THROW(EventLogReader(folder / "events.jsonl").read_into(ignore));
}

TEST(EventLogReader, RefusesALogThatIsCutShort) {
    const std::string& whole = kWritten;
    EXPECT_THAT(refusal(""), HasSubstr("the log is cut short"));
    EXPECT_THAT(refusal(whole.substr(0, whole.find("{\"t_ns\":107"))), HasSubstr("the log is cut short"));
    EXPECT_THAT(refusal(whole.substr(0, whole.size() - 20)),
                AllOf(HasSubstr("events.jsonl: line 19"), HasSubstr("one JSON object a line")));
}

TEST(EventLogReader, NamesLineFieldValueAndExpectation) {
    EXPECT_THAT(refusal(with("\"format\":1", "\"format\":2")), AllOf(HasSubstr("line 1, format"), HasSubstr("found '2', expected 1")));
    EXPECT_THAT(refusal(with("\"work_per_s\":0.5", "\"work_per_s\":\"x\"")), AllOf(HasSubstr("line 7, work_per_s"), HasSubstr("a number")));
    EXPECT_THAT(refusal(with("\"work_per_s\":0.5,", "")), AllOf(HasSubstr("line 7, work_per_s"), HasSubstr("expected this field")));
    EXPECT_THAT(refusal(with("\"migrating\"", "\"tired\"")), AllOf(HasSubstr("line 13, reason"), HasSubstr("found 'tired'")));
    EXPECT_THAT(refusal(with("\"record\":\"checkpoint\"", "\"record\":\"nap\"")),
                AllOf(HasSubstr("line 12, record"), HasSubstr("found 'nap'")));
    EXPECT_THAT(refusal(with("{\"fast\":2}", "{\"fast\":-2}")), AllOf(HasSubstr("line 6, gpus.fast"), HasSubstr("a count of GPUs")));
    EXPECT_THAT(refusal(with("{\"fast\":2}", "{\"quick\":2}")), AllOf(HasSubstr("line 6"), HasSubstr("found 'quick'")));
}

TEST(EventLogReader, RefusesWhatContradictsTheLinesBefore) {
    const std::string& whole = kWritten;
    EXPECT_THAT(refusal(with("\"t_ns\":4000000000", "\"t_ns\":1")), AllOf(HasSubstr("line 8, t_ns"), HasSubstr("at least the 2000000000")));
    EXPECT_THAT(refusal(with("\"job\":\"c\",\"requested", "\"job\":\"a\",\"requested")), HasSubstr("each job once"));
    EXPECT_THAT(refusal(with("\"launch\",\"job\":\"a\"", "\"launch\",\"job\":\"z\"")), HasSubstr("a job that was submitted before"));
    EXPECT_THAT(refusal(with("\"checkpoint\",\"job\":\"a\"", "\"checkpoint\",\"job\":\"c\"")), HasSubstr("while the job waits"));
    EXPECT_THAT(refusal(with("\"reservation\",\"job\":\"c\"", "\"reservation\",\"job\":\"b\\\"\"")), HasSubstr("while the job is done"));
    EXPECT_THAT(refusal(whole + whole), HasSubstr("nothing after the end"));
    EXPECT_THAT(refusal(whole.substr(whole.find('\n') + 1)), HasSubstr("the header first"));
}

}  // namespace
}  // namespace medley::io
