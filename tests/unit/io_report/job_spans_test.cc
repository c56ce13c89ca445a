#include "io/report/job_spans.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/results/small_log.h"

namespace medley::io {
namespace {

struct Line {
    double begin, end;
    std::size_t job, type;
    LaneRun lanes;
    SpanPhase phase;
    SpanEnding ending;
    bool operator==(const Line&) const = default;
};

std::vector<Line> lines_of(const JobSpans& spans) {
    std::vector<Line> lines;
    for (const JobSpan& span : spans.spans()) {
        lines.push_back({.begin = to_seconds(span.begin).value,
                         .end = to_seconds(span.end).value,
                         .job = span.job.index(),
                         .type = span.type.index(),
                         .lanes = span.lanes,
                         .phase = span.phase,
                         .ending = span.ending});
    }
    return lines;
}

void PrintTo(const Line& line, std::ostream* out) {
    *out << line.begin << ".." << line.end << " job " << line.job << " type " << line.type << " lanes " << line.lanes.first << "+"
         << line.lanes.count << " " << to_string(line.phase) << " " << to_string(line.ending);
}

// The log of small_log.h: job 0 starts on both fast GPUs, keeps one of them and gains three slow ones, and is moved back.
TEST(JobSpans, OfALogWorkedOutByHand) {
    JobSpans spans;
    for (const LogRecord& record : test::small_log()) { spans.record(record); }
    using P = SpanPhase;
    using E = SpanEnding;
    const std::vector<Line> expected = {
        {1, 2, 0, 0, {0, 2}, P::kStartup, E::kContinues},    {2, 4, 0, 0, {0, 2}, P::kRunning, E::kContinues},
        {4, 6, 0, 0, {0, 1}, P::kResizing, E::kContinues},   {4, 6, 0, 1, {0, 3}, P::kResizing, E::kContinues},
        {6, 7, 0, 0, {0, 1}, P::kCheckpoint, E::kMigrating}, {6, 7, 0, 1, {0, 3}, P::kCheckpoint, E::kMigrating},
        {8, 107, 0, 0, {0, 2}, P::kRunning, E::kFinished},
    };
    EXPECT_EQ(lines_of(spans), expected);
    EXPECT_EQ(spans.lanes(GpuTypeId(std::size_t{1})), 4U) << "the nominal pool";
    EXPECT_EQ(spans.jobs()[0].first_type, 0);
    EXPECT_EQ(spans.jobs()[1].first_type, -1) << "never launched";
    EXPECT_EQ(spans.jobs()[2].requested_gpus, kWholePool);
    EXPECT_EQ(spans.begin(), SimTime{0});
    EXPECT_EQ(spans.end(), SimTime{107'000'000'000});
}

TEST(JobSpans, AJobThatHoldsGpusAtTheEndIsShownUpToIt) {
    std::vector<LogRecord> log = test::small_log();
    log.erase(log.end() - 2);  // the finish
    JobSpans spans;
    for (const LogRecord& record : log) { spans.record(record); }
    EXPECT_EQ(spans.spans().back().ending, SpanEnding::kLogEnds);
    EXPECT_EQ(spans.spans().back().end, spans.end());
}

}  // namespace
}  // namespace medley::io
