/// Traces as they are ordered on reading and written again.

#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

#include "core/rng.h"
#include "io/trace_file.h"

namespace medley::io {
namespace {

const std::string kOrderedHeader = "job_id,submit_s,gpus,duration_s,priority,weight,user,note\n";

std::string random_row(int id, Rng& rng) {
    std::ostringstream row;
    row.precision(17);
    row << "job" << id << ',' << rng.below(20) << ',' << rng.between(1, 8) << ',' << rng.uniform(0.001, 1e6) << ',';
    if (rng.chance(0.5)) { row << rng.between(-5, 5); }
    row << ',';
    if (rng.chance(0.5)) { row << rng.uniform(0.1, 3); }
    row << ',' << (rng.chance(0.5) ? "ann" : "") << ',' << (rng.chance(0.3) ? "\"a, \"\"b\"\" \"" : "") << '\n';
    return row.str();
}

std::string joined(const std::vector<std::string>& rows) {
    std::string text = kOrderedHeader;
    for (const std::string& row : rows) { text += row; }
    return text;
}

TEST(TraceOrder, IsBySubmissionThenByIdWithNumbersAsNumbers) {
    const Trace trace = parse_trace("job_id,submit_s,gpus,duration_s\n10,5,1,1\n9,5,1,1\nx,0,1,1\n", "t.csv");
    EXPECT_EQ(trace.jobs[0].id, "x");
    EXPECT_EQ(trace.jobs[1].id, "9");
    EXPECT_EQ(trace.jobs[2].id, "10");
}

TEST(TraceOrder, ShuffledRowsGiveTheSameBytes) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Rng rng(seed);
        std::vector<std::string> rows;
        for (int id = 0; id < 200; ++id) { rows.push_back(random_row(id, rng)); }
        const std::string expected = format_trace(parse_trace(joined(rows), "t.csv"));
        rng.shuffle(std::span(rows));
        EXPECT_EQ(format_trace(parse_trace(joined(rows), "t.csv")), expected) << "seed " << seed;
    }
}

TEST(TraceWriting, GivesBackTheSameJobsBitForBit) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Rng rng(seed);
        std::vector<std::string> rows;
        for (int id = 0; id < 100; ++id) { rows.push_back(random_row(id, rng)); }
        const Trace read = parse_trace(joined(rows), "t.csv");
        const Trace again = parse_trace(format_trace(read), "again.csv");
        ASSERT_EQ(again.jobs.size(), read.jobs.size());
        for (std::size_t index = 0; index < read.jobs.size(); ++index) {
            const Job& a = read.jobs[index];
            const Job& b = again.jobs[index];
            EXPECT_TRUE(a.id == b.id && a.submit == b.submit && a.gpus == b.gpus && a.duration == b.duration);
            EXPECT_TRUE(a.priority == b.priority && a.weight == b.weight);
            EXPECT_EQ(a.extras ? a.extras->unknown_columns : decltype(a.extras->unknown_columns){},
                      b.extras ? b.extras->unknown_columns : decltype(a.extras->unknown_columns){});
        }
    }
}

TEST(TraceWriting, LeavesOutColumnsThatNoJobStates) {
    const Trace trace = parse_trace("job_id,submit_s,gpus,duration_s,user,priority,extra\n1,0.25,pool,90,,1,\n", "t.csv");
    EXPECT_EQ(format_trace(trace), "job_id,submit_s,gpus,duration_s\n1,0.25,pool,90\n");
}

TEST(TraceWriting, QuotesWhatCsvWouldMisread) {
    const std::string text = "job_id,submit_s,gpus,duration_s,\"a,b\"\n\"1\n2\",0,1,5,\" x\"\"\"\n";
    EXPECT_EQ(format_trace(parse_trace(text, "t.csv")), text);
}

TEST(TraceWriting, KeepsNanosecondsOfDistantTimes) {
    const std::string text = "job_id,submit_s,gpus,duration_s\n1,123456789.123456789,1,5\n";
    EXPECT_EQ(format_trace(parse_trace(text, "t.csv")), text);
}

}  // namespace
}  // namespace medley::io
