#include "io/trace_summary.h"

#include <gmock/gmock.h>

namespace medley::io {
namespace {

using testing::ElementsAre;
using testing::Pair;

Job job_of(double submit_s, int gpus, double duration_s) {
    return Job{.submit = to_sim_time(Seconds{submit_s}), .gpus = gpus, .duration = Seconds{duration_s}};
}

TEST(TraceSummary, AddsUpGpuHoursAndLoad) {
    const TraceSummary summary = summarize(Trace{.jobs = {job_of(100, 1, 3600), job_of(1000, 4, 1800), job_of(1900, 1, 7200)}});
    EXPECT_EQ(summary.jobs, 3);
    EXPECT_DOUBLE_EQ(summary.gpu_hours, 1 + 2 + 2);
    EXPECT_EQ(summary.first_submit, Seconds{100});
    EXPECT_EQ(summary.last_submit, Seconds{1900});
    EXPECT_DOUBLE_EQ(*summary.offered_gpus, 5 * 3600 / 1800.0);
    EXPECT_THAT(summary.jobs_by_gpus, ElementsAre(Pair(1, 2), Pair(4, 1)));
    EXPECT_EQ(summary.interarrival_s->mean, 900);
}

TEST(TraceSummary, PercentilesInterpolateLinearly) {
    Trace trace;
    for (int job = 1; job <= 4; ++job) { trace.jobs.push_back(job_of(0, job, 10.0 * job)); }
    const Distribution duration = *summarize(trace).duration_s;
    EXPECT_DOUBLE_EQ(duration.least, 10);
    EXPECT_DOUBLE_EQ(duration.p10, 13);     // 10 + 0.1 x 3 places of 10 each
    EXPECT_DOUBLE_EQ(duration.median, 25);  // between 20 and 30
    EXPECT_DOUBLE_EQ(duration.p90, 37);
    EXPECT_DOUBLE_EQ(duration.p99, 39.7);
    EXPECT_DOUBLE_EQ(duration.most, 40);
    EXPECT_DOUBLE_EQ(duration.mean, 25);
}

TEST(TraceSummary, StepsAndPoolsStandInNoFigureTheyDoNotHave) {
    Job steps{.model = Name("resnet50"), .gpus = kWholePool, .batch_size = 8, .steps = 5};
    const TraceSummary summary = summarize(Trace{.jobs = {steps, job_of(0, 2, 3600)}});
    EXPECT_EQ(summary.jobs_in_steps, 1);
    EXPECT_EQ(summary.jobs_on_pools, 1);
    EXPECT_DOUBLE_EQ(summary.gpu_hours, 2);
    EXPECT_EQ(summary.gpus->mean, 2);
    EXPECT_EQ(summary.offered_gpus, std::nullopt);  // all come at once
    EXPECT_THAT(summary.jobs_by_model, ElementsAre(Pair(Name(), 1), Pair(Name("resnet50"), 1)));
}

TEST(TraceSummary, AnEmptyTraceHasNoFigures) {
    const TraceSummary summary = summarize(Trace{});
    EXPECT_EQ(summary.jobs, 0);
    EXPECT_FALSE(summary.duration_s || summary.gpus || summary.interarrival_s || summary.offered_gpus);
}

}  // namespace
}  // namespace medley::io
