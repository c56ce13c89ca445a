#include "io/trace_check.h"

#include <gtest/gtest.h>

#include "tests/unit/core/refusal.h"

namespace medley::io {
namespace {

// 4 V100 of 16 GB and 8 K80; resnet50 is profiled on V100 and A100, bert on A100 alone, and 20 GB of gpt stay on every GPU.
const GpuProfile kOneSize = {.points = {{.batch = Samples{8}, .seconds = Seconds{1}}}};
const Cluster kLab = {.gpu_types = {{.name = Name("V100"), .memory = Bytes{16e9}}, {.name = Name("K80")}},
                      .nodes = {{.gpu = GpuTypeId(0), .gpus = 4}, {.gpu = GpuTypeId(1), .gpus = 8}}};
const std::vector<Profile> kProfiles = {{.model = Name("resnet50"), .gpus = {{Name("V100"), kOneSize}, {Name("A100"), kOneSize}}},
                                        {.model = Name("bert"), .gpus = {{Name("A100"), kOneSize}}},
                                        {.model = Name("gpt"), .state = Bytes{20e9}, .gpus = {{Name("V100"), kOneSize}}}};

Job timed(int gpus) { return Job{.id = "j", .gpus = gpus, .duration = Seconds{60}}; }

Job stepped(const char* model) { return Job{.id = "j", .model = Name(model), .gpus = 1, .batch_size = 8, .steps = 5}; }

Job only_on(Job job, std::vector<Name> types) {
    job.extras = std::make_shared<const JobExtras>(JobExtras{.gpu_types = std::move(types)});
    return job;
}

std::string trace_check_refusal_of(const Job& job, const std::vector<Profile>& profiles = kProfiles) {
    Trace trace{.jobs = {job}};
    return refusal([&] { check_trace(trace, kLab, profiles, OverWide::kRefuse); });
}

TEST(TraceCheck, PassesWhatFits) {
    EXPECT_EQ(trace_check_refusal_of(timed(8)), "");
    EXPECT_EQ(trace_check_refusal_of(timed(kWholePool)), "");
    EXPECT_EQ(trace_check_refusal_of(stepped("resnet50")), "");
    EXPECT_EQ(trace_check_refusal_of(only_on(timed(4), {Name("V100")})), "");
    Job unprofiled = timed(1);
    unprofiled.model = Name("unheard-of");  // its duration is its work
    EXPECT_EQ(trace_check_refusal_of(unprofiled), "");
}

TEST(TraceCheck, RefusesUnknownGpuTypes) {
    EXPECT_EQ(trace_check_refusal_of(only_on(timed(1), {Name("V100"), Name("k80")})),
              "job j, gpu_types: found 'k80', expected K80 (known: V100, K80)");
    Job job = timed(1);
    job.reference_gpu_type = Name("A100");
    EXPECT_EQ(trace_check_refusal_of(job), "job j, reference_gpu_type: found 'A100', expected V100 (known: V100, K80)");
    job.model = Name("resnet50");  // its profile knows A100, so the recorded time can be carried over
    EXPECT_EQ(trace_check_refusal_of(job), "");
}

TEST(TraceCheck, RefusesStepsThatNoProfileCanTime) {
    EXPECT_EQ(trace_check_refusal_of(stepped("resnet5")), "job j, model: found 'resnet5', expected resnet50 (known: bert, gpt, resnet50)");
    EXPECT_EQ(trace_check_refusal_of(stepped("resnet50"), {}),
              "job j, model: found 'resnet50', expected a profile of this model (none were given)");
    EXPECT_EQ(trace_check_refusal_of(stepped("bert")),
              "job j, model: found 'bert', expected a GPU type that can run it (V100: no profile, K80: no profile; or --over-wide reject)");
    EXPECT_EQ(trace_check_refusal_of(only_on(stepped("resnet50"), {Name("K80")})),
              "job j, model: found 'resnet50', expected a GPU type that can run it (K80: no profile; or --over-wide reject)");
}

TEST(TraceCheck, RefusesWhatTheSchedulerWouldReject) {
    EXPECT_EQ(
        trace_check_refusal_of(only_on(stepped("gpt"), {Name("V100")})),
        "job j, model: found 'gpt', expected a GPU type that can run it (V100: no profiled size fits its memory; or --over-wide reject)");
    Job wide = stepped("resnet50");
    wide.gpus = 5;  // 8 K80 would hold it but cannot run it
    EXPECT_EQ(trace_check_refusal_of(wide),
              "job j, model: found 'resnet50', expected a GPU type that can run it (V100: 4 GPUs in all, K80: no profile; or --over-wide "
              "reject)");
    Job timed_elsewhere = timed(1);
    timed_elsewhere.model = Name("bert");
    timed_elsewhere.reference_gpu_type = Name("A100");  // the rate there is known, those here are not
    EXPECT_NE(trace_check_refusal_of(timed_elsewhere), "");
}

TEST(TraceCheck, KeepsWhatCannotRunOnlyWhereToldToRejectIt) {
    Trace trace{.jobs = {stepped("gpt"), timed(1), timed(100)}};
    const TraceCheck check = check_trace(trace, kLab, kProfiles, OverWide::kReject);
    EXPECT_EQ(check.unrunnable, 1);
    EXPECT_EQ(check.over_wide, 1);
    EXPECT_NE(refusal([&] { check_trace(trace, kLab, kProfiles, OverWide::kClamp); }), "");
}

TEST(TraceCheck, CountsWhatIsTakenAnotherWayThanItMightSeem) {
    Job part = timed(1);
    part.extras = std::make_shared<const JobExtras>(JobExtras{.gpu_fraction = 0.5});
    Job carried_over = timed(1);
    carried_over.model = Name("resnet50");
    carried_over.reference_gpu_type = Name("A100");
    Trace trace{.jobs = {part, timed(1), carried_over, stepped("resnet50")}};
    const TraceCheck check = check_trace(trace, kLab, kProfiles, OverWide::kRefuse);
    EXPECT_EQ(check.fractional, 1);
    EXPECT_EQ(check.alike, 2);
    Cluster one_type = kLab;
    one_type.gpu_types.pop_back();
    one_type.nodes.pop_back();
    EXPECT_EQ(check_trace(trace, one_type, kProfiles, OverWide::kRefuse).alike, 0);
}

TEST(TraceCheck, AGangLargerThanEveryPoolIsRefusedKeptOrClamped) {
    EXPECT_EQ(trace_check_refusal_of(timed(9)),
              "job j, gpus: found '9', expected at most 8, the largest pool it may run on (or --over-wide reject|clamp)");
    Job job = only_on(timed(6), {Name("V100")});
    job.min_gpus = 5;
    Trace trace{.jobs = {job, timed(2), timed(100)}};
    EXPECT_EQ(check_trace(trace, kLab, {}, OverWide::kReject).over_wide, 2);
    EXPECT_EQ(trace.jobs[0].gpus, 6);
    EXPECT_EQ(check_trace(trace, kLab, {}, OverWide::kClamp).over_wide, 2);
    EXPECT_EQ(trace.jobs[0].gpus, 4);
    EXPECT_EQ(trace.jobs[0].min_gpus, 4);
    EXPECT_EQ(trace.jobs[1].gpus, 2);
    EXPECT_EQ(trace.jobs[2].gpus, 8);
    EXPECT_EQ(check_trace(trace, kLab, {}, OverWide::kRefuse).over_wide, 0);
}

}  // namespace
}  // namespace medley::io
