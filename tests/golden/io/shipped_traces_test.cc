/// The traces that this repository ships, against what is known of VirtualFlow's experiments by other ways than the traces themselves.

#include <filesystem>
#include <map>

#include <gmock/gmock.h>

#include "io/trace_file.h"
#include "tests/support/source_folder.h"

namespace medley::io {
namespace {

using testing::ElementsAre;
using testing::Pair;

constexpr double kStartUp = 75;

Trace shipped_trace(const std::string& name) { return load_trace(test::source_folder() / "traces" / (name + ".csv")); }

double held_gpu_seconds(const Trace& trace) {
    double sum = 0;
    for (const Job& job : trace.jobs) { sum += job.gpus * (job.duration.value + kStartUp); }
    return sum;
}

// Under the Priority policy every job holds its full demand for its measured time, start-up included. The simulated makespan of that
// policy is 11853 s on 8 GPUs, its utilization 0.716.
TEST(ElasticTrace20, HasThePublishedUtilization) {
    const Trace trace = shipped_trace("virtualflow-elastic-20");
    ASSERT_EQ(trace.jobs.size(), 20);
    EXPECT_NEAR(held_gpu_seconds(trace) / (8 * 11853), 0.716, 0.0005);
}

// The real run: 4 GPUs, makespan 7082.9 s, utilization 0.857 under Priority.
TEST(ElasticTrace3, HasThePublishedUtilization) {
    const Trace trace = shipped_trace("virtualflow-elastic-3");
    ASSERT_EQ(trace.jobs.size(), 3);
    EXPECT_NEAR(held_gpu_seconds(trace) / (4 * 7082.9), 0.857, 0.0005);
}

TEST(ElasticTrace20, RowsAreThoseOfThePublication) {
    const Trace trace = shipped_trace("virtualflow-elastic-20");
    const Job& first = trace.jobs.front();  // #0, t 1: ResNet ImageNet, priority 5, 8 GPUs, B 2048, 655.4 s
    EXPECT_EQ(first.submit, SimTime{1'000'000'000});
    EXPECT_EQ(first.model, Name("resnet50"));
    EXPECT_EQ(first.gpus, 8);
    EXPECT_EQ(first.batch_size, 2048);
    EXPECT_DOUBLE_EQ(first.duration.value, 655.4 - kStartUp);
    const Job& last = trace.jobs.back();  // #19, t 5032: Transformer, priority 10, 8 GPUs, B 32768, 1093.3 s
    EXPECT_EQ(last.submit, SimTime{5'032'000'000'000});
    EXPECT_EQ(last.model, Name("transformer"));
    EXPECT_EQ(last.priority, 10);
    EXPECT_DOUBLE_EQ(last.duration.value, 1093.3 - kStartUp);
    std::map<int, int> jobs_by_demand;
    for (const Job& job : trace.jobs) { ++jobs_by_demand[job.gpus]; }
    EXPECT_THAT(jobs_by_demand, ElementsAre(Pair(1, 5), Pair(2, 4), Pair(4, 5), Pair(8, 6)));
}

TEST(ElasticTraces, MayShrinkToOneGpuAndShareByPriority) {
    for (const char* name : {"virtualflow-elastic-20", "virtualflow-elastic-3"}) {
        for (const Job& job : shipped_trace(name).jobs) {
            EXPECT_EQ(job.min_gpus, 1);
            EXPECT_EQ(job.weight, job.priority);
            EXPECT_EQ(job.reference_gpu_type, Name("V100"));
        }
    }
}

// ResNet-50: one epoch of 1,281,167 images at 8192 is 156 steps; SST-2: ten of 67,349 sentences at 2048 are 320 (32 whole batches each).
TEST(HeterogeneousTraces, StepsFollowFromEpochs) {
    EXPECT_EQ(1'281'167 / 8192, 156);
    EXPECT_EQ(10 * (67'349 / 2048), 320);
    for (const char* rate : {"1", "2", "3", "4", "5"}) {
        for (const Job& job : shipped_trace(std::string("virtualflow-het-") + rate).jobs) {
            EXPECT_TRUE(job.whole_pool());
            if (job.model == Name("resnet50")) {
                EXPECT_TRUE(job.steps == 156 && job.batch_size == 8192);
            } else if (job.model == Name("bert-base-sst2")) {
                EXPECT_TRUE(job.steps == 320 && job.batch_size == 2048);
            } else if (job.model == Name("bert-base-cola")) {
                EXPECT_TRUE(job.steps == 80 && job.batch_size == 1024);
            } else {
                EXPECT_TRUE(job.model == Name("transformer") && job.batch_size == 65536 && (job.steps == 500 || job.steps == 1000));
            }
        }
    }
}

// 20 jobs each from second 1 on, priorities 1, 5 and 10. A rate of r an hour puts the last of 20 Poisson arrivals at 19/r h on average,
// with a standard deviation of sqrt(19)/r h; all five lie within two of them.
TEST(HeterogeneousTraces, ArriveAtTheirRates) {
    for (int rate = 1; rate <= 5; ++rate) {
        const Trace trace = shipped_trace("virtualflow-het-" + std::to_string(rate));
        ASSERT_EQ(trace.jobs.size(), 20);
        EXPECT_EQ(trace.jobs.front().submit, SimTime{1'000'000'000});
        EXPECT_NEAR(to_seconds(trace.jobs.back().submit).value / 3600 * rate, 19, 2 * 4.36) << rate;
        for (const Job& job : trace.jobs) { EXPECT_TRUE(job.priority == 1 || job.priority == 5 || job.priority == 10); }
    }
}

TEST(HeterogeneousTraces, TheFourPerHourTraceIsThePublishedOne) {
    std::string jobs;
    for (const Job& job : shipped_trace("virtualflow-het-4").jobs) {
        const char* kind = job.model == Name("resnet50")         ? "R"
                           : job.model == Name("bert-base-sst2") ? "S"
                           : job.model == Name("bert-base-cola") ? "C"
                                                                 : "T";
        jobs += kind;
    }
    EXPECT_EQ(jobs, "TRSTSRTTCSRCSSCSTCCT");
}

}  // namespace
}  // namespace medley::io
