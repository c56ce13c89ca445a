// Wall times are rounded up to whole minutes, backfill cycles fall on multiples of 30 s, main passes follow submissions within 3 s.

#include <functional>

#include <gtest/gtest.h>

#include "toy_run.h"

namespace medley::test {
namespace {

constexpr const char* kSlurm = "slurm-multifactor";

Job with(Job job, const std::function<void(JobExtras&)>& fill) {
    auto extras = std::make_shared<JobExtras>(job.extras ? *job.extras : JobExtras{});
    fill(*extras);
    job.extras = extras;
    return job;
}

Job of_qos(Job job, const char* qos) {
    return with(std::move(job), [qos](JobExtras& extras) { extras.qos = Name(qos); });
}

Job of_user(Job job, const char* user) {
    return with(std::move(job), [user](JobExtras& extras) { extras.user = Name(user); });
}

Job in_partition(Job job, const char* partition) {
    return with(std::move(job), [partition](JobExtras& extras) { extras.partition = Name(partition); });
}

// 4 GPUs: a holds 3 until 100 (declared: 120 s), b wants all 4.
std::vector<Job> blocked() { return {toy_job("a", 0, 3, 100), toy_job("b", 1, 4, 50)}; }

TEST(SlurmMultifactor, ANewJobStartsAtOnceWhereThereIsRoom) {
    EXPECT_EQ(run_toy(kSlurm, {4}, {toy_job("a", 5, 2, 10), toy_job("b", 7.5, 2, 10)}).starts, (Times{5, 7.5}));
}

TEST(SlurmMultifactor, TheFirstBlockedJobBlocksItsPartitionInTheMainScheduler) {
    std::vector<Job> jobs = blocked();
    jobs.push_back(toy_job("c", 2, 1, 10));
    EXPECT_EQ(run_toy("slurm-multifactor:backfill=false", {4}, jobs).starts, (Times{0, 100, 150}));
}

TEST(SlurmMultifactor, BackfillStartsAtItsNextCycleWhatDelaysNobody) {
    std::vector<Job> jobs = blocked();
    jobs.push_back(toy_job("c", 2, 1, 10));  // at 30, declared until 90: a is expected to end at 120
    jobs.push_back(toy_job("d", 3, 1, 61));  // declared 120 s: would reach past 120
    EXPECT_EQ(run_toy(kSlurm, {4}, jobs).starts, (Times{0, 100, 30, 150}));
}

TEST(SlurmMultifactor, AnEndIsUsedAtOnceWhateverWasDeclared) {
    std::vector<Job> jobs = blocked();
    jobs[0].walltime = Seconds{1000};
    EXPECT_EQ(run_toy(kSlurm, {4}, jobs).starts, (Times{0, 100}));
}

TEST(SlurmMultifactor, UndeclaredWallTimesAreThePartitionsDefault) {
    SiteRules rules;
    rules.partitions = {{.name = Name("p"), .default_walltime = Seconds{60}}};
    std::vector<Job> jobs = blocked();
    jobs.push_back(toy_job("c", 2, 1, 300));  // taken for 60 s: fits until a's declared end
    jobs[0].walltime = Seconds{120};
    EXPECT_EQ(run_toy_site(kSlurm, {4}, jobs, rules).starts[2], 30);
}

TEST(SlurmMultifactor, TheHigherQosGoesFirst) {
    SiteRules rules;
    rules.priority.weights.qos = 1000;
    rules.qos = {{.name = Name("high"), .priority = 100}, {.name = Name("low"), .priority = 10}};
    const std::vector<Job> jobs{toy_job("a", 0, 4, 100), of_qos(toy_job("b", 1, 4, 50), "low"), of_qos(toy_job("c", 2, 4, 50), "high")};
    EXPECT_EQ(run_toy_site(kSlurm, {4}, jobs, rules).starts, (Times{0, 150, 100}));
}

TEST(SlurmMultifactor, WhoHasUsedMoreGoesLater) {
    SiteRules rules;
    rules.priority.weights.fair_share = 1000;
    rules.priority.calc_period = Seconds{60};
    const std::vector<Job> jobs{of_user(toy_job("a", 0, 4, 100), "ann"), of_user(toy_job("b", 1, 4, 50), "ann"),
                                of_user(toy_job("c", 2, 4, 50), "bob")};
    // At 60 ann's usage is recorded: bob's rank is 2 of 2, hers 1 of 2.
    EXPECT_EQ(run_toy_site(kSlurm, {4}, jobs, rules).starts, (Times{0, 150, 100}));
}

TEST(SlurmMultifactor, AgeOvertakesSizeInTime) {
    SiteRules rules;
    rules.priority.weights.age = 1000;
    rules.priority.weights.resources = {{.resource = "gpu", .weight = 100}};
    rules.priority.max_age = Seconds{1000};
    rules.priority.calc_period = Seconds{60};
    // b is 90 s older than c when both are looked at in the calculation at 120 (90 points), c is 3 GPUs wider (75 points).
    std::vector<Job> jobs{toy_job("a", 0, 4, 125), toy_job("b", 10, 1, 50), toy_job("c", 100, 4, 50)};
    EXPECT_EQ(run_toy_site("slurm-multifactor:backfill=false", {4}, jobs, rules).starts, (Times{0, 125, 175}));
    jobs[2].submit = at(60);  // 50 points do not suffice
    EXPECT_EQ(run_toy_site("slurm-multifactor:backfill=false", {4}, jobs, rules).starts, (Times{0, 175, 125}));
}

TEST(SlurmMultifactor, AJobHeldBackByALimitBlocksNobody) {
    SiteRules rules;
    rules.qos = {{.name = Name("q"), .max_gpus_per_user = 2}};
    const auto job = [](const char* id, double submit_s, const char* user) {
        return of_user(of_qos(toy_job(id, submit_s, 2, 100), "q"), user);
    };
    const std::vector<Job> jobs{job("a", 0, "ann"), job("b", 1, "ann"), job("c", 2, "bob")};
    const ToyRun run = run_toy_site("slurm-multifactor:backfill=false", {4}, jobs, rules);
    EXPECT_EQ(run.starts, (Times{0, 100, 2}));
    EXPECT_NE(run.run.events.find("QOS limit: GPUs a user"), std::string::npos);
}

TEST(SlurmMultifactor, AccountsAreLimitedTogetherWithThoseBelow) {
    SiteRules rules;
    rules.accounts = {{.name = Name("lab"), .group = {.gpus = 3}}, {.name = Name("group"), .parent = Name("lab")}};
    const auto job = [](const char* id, double submit_s, const char* account) {
        return with(toy_job(id, submit_s, 2, 100), [account](JobExtras& extras) { extras.tenant = Name(account); });
    };
    EXPECT_EQ(run_toy_site(kSlurm, {8}, {job("a", 0, "lab"), job("b", 1, "group"), job("c", 2, "other")}, rules).starts,
              (Times{0, 100, 2}));
}

TEST(SlurmMultifactor, AJobThatNoLimitEverAllowsIsHeldAndTheRestGoesOn) {
    SiteRules rules;
    rules.qos = {{.name = Name("q"), .max_gpus_per_job = 2}};
    const ToyRun run = run_toy_site(kSlurm, {4}, {of_qos(toy_job("a", 0, 3, 10), "q"), toy_job("b", 1, 4, 10)}, rules);
    EXPECT_EQ(run.starts, (Times{kNeverStarted, 1}));
    EXPECT_EQ(run.run.result.jobs_unfinished, 1U);
}

TEST(SlurmMultifactor, JobsBeyondTheSubmitLimitAreTakenInWhenOthersEnd) {
    SiteRules rules;
    rules.qos = {{.name = Name("q"), .max_submitted_per_user = 1}};
    const auto job = [](const char* id, double submit_s) { return of_user(of_qos(toy_job(id, submit_s, 1, 100), "q"), "ann"); };
    EXPECT_EQ(run_toy_site(kSlurm, {4}, {job("a", 0), job("b", 1)}, rules).starts, (Times{0, 100}));
}

TEST(SlurmMultifactor, AnArrayRunsSoManyTasksAtATime) {
    const auto task = [](const char* id, double submit_s) {
        return with(toy_job(id, submit_s, 1, 100), [](JobExtras& extras) {
            extras.array = Name("array");
            extras.array_limit = 2;
        });
    };
    const std::vector<Job> jobs{task("a", 0), task("b", 1), task("c", 2), toy_job("d", 3, 1, 10)};
    EXPECT_EQ(run_toy(kSlurm, {4}, jobs).starts, (Times{0, 1, 100, 3}));
}

TEST(SlurmMultifactor, NobodyRunsIntoMaintenance) {
    SiteRules rules;
    rules.reservations = {
        {.name = Name("m"), .start = at(120), .end = at(300), .gpus = {{.resource = "t0", .weight = 4}}, .maintenance = true}};
    const std::vector<Job> jobs{toy_job("a", 0, 2, 110), toy_job("b", 1, 2, 110)};  // b's two minutes reach past 120
    EXPECT_EQ(run_toy_site(kSlurm, {4}, jobs, rules).starts, (Times{0, 300}));
}

TEST(SlurmMultifactor, AReservationIsForThoseWhoMayUseIt) {
    SiteRules rules;
    rules.reservations = {
        {.name = Name("r"), .start = at(60), .end = at(600), .gpus = {{.resource = "t0", .weight = 2}}, .users = {Name("ann")}}};
    const auto inside = [](Job job) { return with(std::move(job), [](JobExtras& extras) { extras.reservation = Name("r"); }); };
    const std::vector<Job> jobs{inside(of_user(toy_job("a", 0, 2, 50), "ann")), inside(of_user(toy_job("b", 1, 3, 60), "bob")),
                                toy_job("c", 2, 2, 100)};
    // a waits for its reservation; b may not use it and needs one of its GPUs; c finds the other two.
    EXPECT_EQ(run_toy_site("slurm-multifactor:backfill=true", {4}, jobs, rules).starts, (Times{60, 600, 30}));
}

TEST(SlurmMultifactor, PartitionsBlockTheNodesTheyShare) {
    SiteRules rules;
    rules.partitions = {
        {.name = Name("all")}, {.name = Name("t1"), .gpu_types = {Name("t1")}}, {.name = Name("t0"), .gpu_types = {Name("t0")}}};
    const std::vector<Job> jobs{in_partition(toy_job("a", 0, 2, 100), "t0"), in_partition(toy_job("b", 1, 3, 10), "t0"),
                                in_partition(toy_job("c", 2, 1, 10), "t1"), in_partition(toy_job("d", 3, 3, 10), "all"),
                                in_partition(toy_job("e", 4, 1, 10), "t1")};
    // b blocks t0 only, so c starts; d is blocked in `all`, which spans t1: e waits for it, and all three of t0 are b's at 100.
    EXPECT_EQ(run_toy_site("slurm-multifactor:backfill=false", {3, 2}, jobs, rules).starts, (Times{0, 100, 2, 110, 110}));
}

TEST(SlurmMultifactor, TheHigherTierIsConsideredFirst) {
    SiteRules rules;
    rules.partitions = {{.name = Name("low"), .is_default = true}, {.name = Name("high"), .priority_tier = 2}};
    const std::vector<Job> jobs{toy_job("a", 0, 4, 100), toy_job("b", 1, 4, 50), in_partition(toy_job("c", 2, 4, 50), "high")};
    EXPECT_EQ(run_toy_site(kSlurm, {4}, jobs, rules).starts, (Times{0, 150, 100}));
}

SiteRules preemption(PreemptionCriterion by, PreemptionMode mode) {
    SiteRules rules;
    rules.preemption = {.by = by, .mode = mode};
    rules.qos = {{.name = Name("urgent"), .preempts = {Name("scavenger")}}, {.name = Name("scavenger")}};
    rules.partitions = {{.name = Name("low"), .is_default = true}, {.name = Name("high"), .priority_tier = 2}};
    return rules;
}

TEST(SlurmMultifactor, AQosPreemptsThoseOfItsListByRequeueing) {
    const SiteRules rules = preemption(PreemptionCriterion::kQos, PreemptionMode::kRequeue);
    const std::vector<Job> jobs{of_qos(toy_job("a", 0, 2, 1000), "scavenger"), toy_job("b", 1, 2, 1000),
                                of_qos(toy_job("c", 10, 2, 50), "urgent")};
    const ToyRun run = run_toy_site(kSlurm, {4}, jobs, rules);
    // c stops a at once; a may start again 121 s later, with 990 s of its work to do.
    EXPECT_EQ(run.starts, (Times{0, 1, 10}));
    EXPECT_EQ(run.run.summary.preemptions, 1U);
    EXPECT_NEAR(run.finishes[0], 150 + 990, 1e-6);  // the backfill cycle at 150 is the first look after 10 + 121
}

TEST(SlurmMultifactor, ASuspendedJobGoesOnOnItsNodesAfterThePreemptor) {
    const SiteRules rules = preemption(PreemptionCriterion::kPartition, PreemptionMode::kSuspend);
    const std::vector<Job> jobs{toy_job("a", 0, 4, 100), in_partition(toy_job("b", 10, 4, 50), "high"), toy_job("c", 11, 4, 10)};
    const ToyRun run = run_toy_site(kSlurm, {4}, jobs, rules);
    EXPECT_EQ(run.starts, (Times{0, 10, 150}));
    EXPECT_EQ(run.finishes[0], 150);  // 10 s before, 90 s after 60
}

TEST(SlurmMultifactor, AJobIsExemptForAWhile) {
    SiteRules rules = preemption(PreemptionCriterion::kQos, PreemptionMode::kRequeue);
    rules.preemption.exempt = Seconds{40};
    const std::vector<Job> jobs{of_qos(toy_job("a", 0, 4, 1000), "scavenger"), of_qos(toy_job("b", 10, 4, 50), "urgent")};
    EXPECT_EQ(run_toy_site(kSlurm, {4}, jobs, rules).starts, (Times{0, 60}));
}

TEST(SlurmMultifactor, PlannedStartsAndReasonsAreInTheLog) {
    std::vector<Job> jobs = blocked();
    jobs.push_back(toy_job("c", 2, 1, 10));
    const std::string events = run_toy(kSlurm, {4}, jobs).run.events;
    EXPECT_NE(events.find(R"("record":"reservation","job":"b","start_ns":120000000000)"), std::string::npos) << events;
    EXPECT_NE(events.find(R"("record":"reason","job":"b","text":"resources)"), std::string::npos);
    EXPECT_NE(events.find(R"("record":"reason","job":"c","text":"backfilled)"), std::string::npos);
}

}  // namespace
}  // namespace medley::test
