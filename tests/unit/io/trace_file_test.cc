#include "io/trace_file.h"

#include <gmock/gmock.h>

#include "tests/unit/core/refusal.h"

namespace medley::io {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

const std::string kTraceHeader = "job_id,submit_s,gpus,duration_s\n";

Job only_job(const std::string& text) {
    const Trace trace = parse_trace(text, "t.csv");
    EXPECT_EQ(trace.jobs.size(), 1);
    return trace.jobs.at(0);
}

std::string trace_refusal_of(const std::string& text) {
    return refusal([&] { parse_trace(text, "t.csv"); });
}

TEST(TraceFile, EveryColumnArrives) {
    const Job job = only_job(
        "job_id,submit_s,gpus,model,batch_size,duration_s,reference_gpu_type,min_gpus,max_gpus,gpu_types,priority,weight,deadline_s,"
        "walltime_s,"
        "qos,partition,depends_on,state,user,tenant,gpu_fraction\n"
        "j1,1.5,4,resnet50,256,10m,V100,1,8,V100|K80,-5,2,1h,2h,high,gpu,,COMPLETED,ann,lab,0.5\n");
    EXPECT_EQ(job.id, "j1");
    EXPECT_EQ(job.submit, SimTime{1'500'000'000});
    EXPECT_EQ(job.gpus, 4);
    EXPECT_EQ(job.model.text(), "resnet50");
    EXPECT_EQ(job.batch_size, 256);
    EXPECT_EQ(job.duration, Seconds{600});
    EXPECT_EQ(job.reference_gpu_type.text(), "V100");
    EXPECT_EQ(job.min_gpus, 1);
    EXPECT_EQ(job.max_gpus, 8);
    EXPECT_THAT(job.allowed_types(), ElementsAre(Name("V100"), Name("K80")));
    EXPECT_EQ(job.priority, -5);
    EXPECT_EQ(job.weight, 2);
    EXPECT_EQ(job.deadline, Seconds{3600});
    EXPECT_EQ(job.walltime, Seconds{7200});
    EXPECT_EQ(job.extras->qos.text(), "high");
    EXPECT_EQ(job.extras->partition.text(), "gpu");
    EXPECT_EQ(job.extras->recorded_state.text(), "COMPLETED");
    EXPECT_EQ(job.extras->user.text(), "ann");
    EXPECT_EQ(job.extras->tenant.text(), "lab");
    EXPECT_EQ(job.extras->gpu_fraction, 0.5);
}

TEST(TraceFile, WhatIsNotStatedKeepsItsDefault) {
    const Job job = only_job("job_id,submit_s,gpus,model,steps,duration_s,min_gpus\n7,0,pool,,,100,\n");
    EXPECT_TRUE(job.whole_pool());
    EXPECT_TRUE(job.model.empty());
    EXPECT_EQ(job.steps, 0);
    EXPECT_EQ(job.min_gpus, 0);
    EXPECT_EQ(job.priority, 1);
    EXPECT_EQ(job.weight, 1);
    EXPECT_EQ(job.extras, nullptr);
}

TEST(TraceFile, PriorityIsTheWeightUnlessStated) {
    EXPECT_EQ(only_job("job_id,submit_s,gpus,duration_s,weight\n1,0,1,5,3\n").priority, 3);
    EXPECT_EQ(only_job("job_id,submit_s,gpus,duration_s,priority,weight\n1,0,1,5,10,3\n").priority, 10);
}

TEST(TraceFile, WorkMayBeSteps) {
    const Job job = only_job("gpus,job_id,steps,batch_size,model,submit_s\npool,0,156,8192,resnet50,3.0\n");
    EXPECT_EQ(job.steps, 156);
    EXPECT_EQ(job.batch_size, 8192);
    EXPECT_EQ(job.submit, SimTime{3'000'000'000});
}

TEST(TraceFile, UnknownColumnsAreKept) {
    const Job job = only_job("job_id,queue time,submit_s,gpus,duration_s,note\n1,12,0,1,5,\"a, b\"\n");
    ASSERT_NE(job.extras, nullptr);
    EXPECT_THAT(job.extras->unknown_columns, ElementsAre(Pair(Name("queue time"), "12"), Pair(Name("note"), "a, b")));
}

TEST(TraceFile, ATraceWithoutJobsIsEmpty) { EXPECT_THAT(parse_trace(kTraceHeader, "t.csv").jobs, IsEmpty()); }

TEST(TraceFile, CrlfAndAByteOrderMarkChangeNothing) {
    const std::string plain = kTraceHeader + "1,0,1,5\n2,3,4,6\n";
    std::string windows = "\xEF\xBB\xBF";
    for (const char c : plain) { windows += c == '\n' ? "\r\n" : std::string(1, c); }
    EXPECT_EQ(format_trace(parse_trace(windows, "t.csv")), format_trace(parse_trace(plain, "t.csv")));
}

TEST(TraceFile, WrongCellsAreNamedByLineAndColumn) {
    EXPECT_EQ(trace_refusal_of(kTraceHeader + "1,0,1,5\n2,zero,1,5\n"),
              "t.csv: line 3, column submit_s: found 'zero', expected a number of seconds of at least 0, or one with ms, s, m, h or d");
    EXPECT_EQ(trace_refusal_of(kTraceHeader + "1,-1,1,5\n"),
              "t.csv: line 2, column submit_s: found '-1', expected a number of seconds of at least 0, or one with ms, s, m, h or d");
    EXPECT_EQ(trace_refusal_of(kTraceHeader + "1,0,1000000000000000000,5\n"),
              "t.csv: line 2, column gpus: found '1000000000000000000', expected a whole number from 1 to 100000000, or pool");
    for (const char* gpus : {"0", "-1", "1.5", "nan", "all"}) {
        EXPECT_THAT(trace_refusal_of(kTraceHeader + "1,0," + gpus + ",5\n"), testing::StartsWith("t.csv: line 2, column gpus: found"))
            << gpus;
    }
    for (const char* duration : {"0", "-5", "nan", "inf", "1e18", "soon"}) {
        EXPECT_THAT(trace_refusal_of(kTraceHeader + "1,0,1," + duration + "\n"),
                    testing::StartsWith("t.csv: line 2, column duration_s: found"))
            << duration;
    }
    EXPECT_EQ(trace_refusal_of(kTraceHeader + ",0,1,5\n"), "t.csv: line 2, column job_id: expected a name or number");
}

TEST(TraceFile, AJobMustHaveOneKindOfWork) {
    EXPECT_EQ(trace_refusal_of(kTraceHeader + "1,0,1,\n"), "t.csv: line 2, column duration_s: expected a duration above 0, or steps");
    EXPECT_EQ(trace_refusal_of("job_id,submit_s,gpus,model,batch_size,steps,duration_s\n1,0,1,a,2,3,4\n"),
              "t.csv: line 2: found 'both steps and duration_s', expected one of them");
    EXPECT_EQ(trace_refusal_of("job_id,submit_s,gpus,steps\n1,0,1,3\n"),
              "t.csv: line 2, column steps: found '3', expected model and batch_size beside steps");
}

TEST(TraceFile, LimitsMustFitTheGang) {
    EXPECT_EQ(trace_refusal_of("job_id,submit_s,gpus,duration_s,min_gpus\n1,0,2,5,3\n"),
              "t.csv: line 2, column min_gpus: found '3', expected a whole number from 1 to gpus");
    EXPECT_EQ(trace_refusal_of("job_id,submit_s,gpus,duration_s,max_gpus\n1,0,2,5,1\n"),
              "t.csv: line 2, column max_gpus: found '1', expected a whole number of at least gpus");
}

TEST(TraceFile, AnIdGivenTwiceIsNamedByItsSecondLine) {
    EXPECT_EQ(trace_refusal_of(kTraceHeader + "b,9,1,5\na,0,1,5\n\nb,1,1,5\n"),
              "t.csv: line 5, column job_id: found 'b', expected each id once");
}

TEST(TraceFile, DependenciesMustExistAndEnd) {
    const std::string header = "job_id,submit_s,gpus,duration_s,depends_on\n";
    EXPECT_THAT(parse_trace(header + "a,0,1,5,\nb,0,1,5,\nc,0,1,5,a|b\n", "t.csv").jobs.at(2).extras->depends_on, ElementsAre("a", "b"));
    EXPECT_EQ(trace_refusal_of(header + "a,0,1,5,z\n"), "t.csv: job a, depends_on: found 'z', expected the id of a job in the trace");
    EXPECT_EQ(trace_refusal_of(header + "a,0,1,5,b\nb,0,1,5,a\n"),
              "t.csv: job a, depends_on: found 'b', expected no circle of dependencies");
    EXPECT_THAT(trace_refusal_of(header + "a,0,1,5,|\n"), testing::HasSubstr("expected job ids with | between them"));
}

TEST(TraceFile, AMissingColumnIsNamed) {
    EXPECT_EQ(trace_refusal_of("id,submit_s,gpus,duration_s\n1,0,1,5\n"),
              "t.csv: line 1: found 'id, submit_s, gpus, duration_s', expected a column job_id");
    EXPECT_EQ(trace_refusal_of("jobid,submit_s,gpus,duration_s\n1,0,1,5\n"), "t.csv: line 1: found 'jobid', expected a column job_id");
    EXPECT_EQ(trace_refusal_of(""), "t.csv: line 1: expected a header line that names the columns");
    EXPECT_EQ(trace_refusal_of(kTraceHeader + "1,0"), "t.csv: line 2: found '2 cells', expected 4, as in the header");
}

}  // namespace
}  // namespace medley::io
