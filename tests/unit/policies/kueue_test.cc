// Scenarios of Kueue's documentation (Cluster Queue, Cohort, Preemption), derived by hand.

#include <gtest/gtest.h>

#include "toy_run.h"

namespace medley::test {
namespace {

QueueRule queue(const char* name, std::int64_t nominal, const char* cohort = "all") {
    return {.name = Name(name), .cohort = Name(cohort), .quotas = {{.gpu_type = Name("t0"), .nominal = nominal}}};
}

SiteRules of(std::vector<QueueRule> queues) {
    SiteRules rules;
    rules.queues = std::move(queues);
    rules.validate();
    return rules;
}

Job for_queue(const char* name, Job job, double priority = 1) {
    JobExtras extras;
    extras.tenant = Name(name);
    job.extras = std::make_shared<JobExtras>(extras);
    job.priority = priority;
    return job;
}

Times starts(const SiteRules& rules, std::vector<Job> jobs, const std::vector<int>& gpus = {21}) {
    return run_toy_site("kueue", gpus, std::move(jobs), rules).starts;
}

TEST(Kueue, WithoutQueuesThereIsOneOfEverything) {
    EXPECT_EQ(run_toy("kueue", {4}, {toy_job("a", 0, 4, 10), toy_job("b", 1, 4, 10)}).starts, (Times{0, 10}));
}

// Kueue's cohort example: team-a has 9, team-b 12. What b leaves unused, a borrows.
TEST(Kueue, AQueueBorrowsWhatItsCohortLeavesUnused) {
    const SiteRules rules = of({queue("team-a", 9), queue("team-b", 12)});
    EXPECT_EQ(starts(rules, {for_queue("team-a", toy_job("a", 0, 21, 10)), for_queue("team-b", toy_job("b", 1, 1, 10))}), (Times{0, 10}));
}

TEST(Kueue, WithoutACohortQuotaIsAllThereIs) {
    const SiteRules rules = of({queue("team-a", 9, ""), queue("team-b", 12, "")});
    EXPECT_EQ(starts(rules, {for_queue("team-a", toy_job("a", 0, 9, 10)), for_queue("team-a", toy_job("b", 1, 1, 10))}), (Times{0, 10}));
}

// The documentation's borrowingLimit 1: "all the Workloads in team-a-cq can use up to 10".
TEST(Kueue, BorrowingIsLimited) {
    std::vector<QueueRule> queues{queue("team-a", 9), queue("team-b", 12)};
    queues[0].quotas[0].borrowing_limit = 1;
    const std::vector<Job> jobs{for_queue("team-a", toy_job("a", 0, 9, 10)), for_queue("team-a", toy_job("b", 1, 1, 100)),
                                for_queue("team-a", toy_job("c", 2, 1, 10))};
    EXPECT_EQ(starts(of(queues), jobs), (Times{0, 1, 10}));
}

// The documentation's lendingLimit 1 of team-b: team-a gets up to 9 + 1, and b's other 11 stay its own.
TEST(Kueue, LendingIsLimited) {
    std::vector<QueueRule> queues{queue("team-a", 9), queue("team-b", 12)};
    queues[1].quotas[0].lending_limit = 1;
    const std::vector<Job> jobs{for_queue("team-a", toy_job("a", 0, 10, 10)), for_queue("team-a", toy_job("b", 1, 1, 10)),
                                for_queue("team-b", toy_job("c", 2, 11, 10)), for_queue("team-b", toy_job("d", 3, 1, 5))};
    EXPECT_EQ(starts(of(queues), jobs), (Times{0, 10, 2, 10}));
}

TEST(Kueue, AStrictQueueWaitsForItsHeadAndABestEffortOneDoesNot) {
    const std::vector<Job> jobs{for_queue("q", toy_job("a", 0, 3, 10)), for_queue("q", toy_job("b", 1, 4, 10)),
                                for_queue("q", toy_job("c", 2, 1, 100))};
    SiteRules rules = of({queue("q", 4, "")});
    EXPECT_EQ(starts(rules, jobs), (Times{0, 102, 2}));
    rules.queues[0].order = QueueOrder::kStrictFifo;
    EXPECT_EQ(starts(rules, jobs), (Times{0, 10, 20}));
}

TEST(Kueue, ThePriorityOfTheHeadCountsBeforeItsAge) {
    const std::vector<Job> jobs{for_queue("q", toy_job("a", 0, 4, 10)), for_queue("q", toy_job("b", 1, 4, 10), 1),
                                for_queue("q", toy_job("c", 2, 4, 10), 5)};
    EXPECT_EQ(starts(of({queue("q", 4, "")}), jobs), (Times{0, 20, 10}));
}

// Heads that stay within nominal quota are admitted before those that borrow, whatever their age.
TEST(Kueue, WhoBorrowsComesAfterWhoDoesNot) {
    const std::vector<Job> jobs{for_queue("x", toy_job("hold", 0, 8, 10)), for_queue("x", toy_job("a", 1, 6, 10)),
                                for_queue("y", toy_job("b", 2, 4, 10))};
    EXPECT_EQ(starts(of({queue("x", 4), queue("y", 4)}), jobs, {8}), (Times{0, 20, 10}));
}

// reclaimWithinCohort: Any. b takes back what a borrowed, from the one admitted last.
TEST(Kueue, NominalQuotaIsReclaimedFromBorrowers) {
    std::vector<QueueRule> queues{queue("a", 4), queue("b", 4)};
    queues[1].reclaim = QueuePreemption::kAny;
    const std::vector<Job> jobs{for_queue("a", toy_job("a1", 0, 4, 100)), for_queue("a", toy_job("a2", 1, 2, 100)),
                                for_queue("a", toy_job("a3", 2, 2, 100)), for_queue("b", toy_job("b1", 10, 2, 50))};
    const ToyRun run = run_toy_site("kueue", {8}, jobs, of(queues));
    EXPECT_EQ(run.starts, (Times{0, 1, 2, 10}));
    EXPECT_EQ(run.run.summary.preemptions, 1U);
    EXPECT_EQ(run.finishes, (Times{100, 101, 60 + 92, 60}));  // a3 had done 8 of its 100 s, and waits for b1
}

TEST(Kueue, WithoutTheRuleNobodyIsEvicted) {
    const std::vector<Job> jobs{for_queue("a", toy_job("a1", 0, 8, 100)), for_queue("b", toy_job("b1", 10, 4, 50), 9)};
    EXPECT_EQ(starts(of({queue("a", 4), queue("b", 4)}), jobs, {8}), (Times{0, 100}));
}

TEST(Kueue, ReclaimingFromLowerPrioritiesSparesEquals) {
    std::vector<QueueRule> queues{queue("a", 4), queue("b", 4)};
    queues[1].reclaim = QueuePreemption::kLowerPriority;
    const auto jobs = [](double priority) {
        return std::vector<Job>{for_queue("a", toy_job("a1", 0, 8, 100)), for_queue("b", toy_job("b1", 10, 4, 50), priority)};
    };
    EXPECT_EQ(starts(of(queues), jobs(1), {8}), (Times{0, 100}));
    EXPECT_EQ(starts(of(queues), jobs(2), {8}), (Times{0, 10}));
}

TEST(Kueue, WhoStaysWithinNominalQuotaIsNotEvictedByOthers) {
    std::vector<QueueRule> queues{queue("a", 4), queue("b", 4)};
    queues[1].reclaim = QueuePreemption::kAny;
    const std::vector<Job> jobs{for_queue("a", toy_job("a1", 0, 4, 100)), for_queue("b", toy_job("b1", 0, 4, 100)),
                                for_queue("b", toy_job("b2", 10, 4, 50), 9)};
    EXPECT_EQ(starts(of(queues), jobs, {8}), (Times{0, 0, 100}));
}

// withinClusterQueue: LowerPriority. The lowest priority goes, of equals the one admitted last; no more than needed.
TEST(Kueue, AQueuesOwnLowerPrioritiesMakeRoom) {
    std::vector<QueueRule> queues{queue("q", 6, "")};
    queues[0].within = QueuePreemption::kLowerPriority;
    const std::vector<Job> jobs{for_queue("q", toy_job("a", 0, 2, 100), 1), for_queue("q", toy_job("b", 1, 2, 100), 1),
                                for_queue("q", toy_job("c", 2, 2, 100), 3), for_queue("q", toy_job("d", 10, 2, 50), 2),
                                for_queue("q", toy_job("e", 11, 2, 50), 1)};
    const ToyRun run = run_toy_site("kueue", {6}, jobs, of(queues));
    EXPECT_EQ(run.starts, (Times{0, 1, 2, 10, 100}));
    EXPECT_EQ(run.finishes[1], 60 + 91);  // b was evicted at 10 and came back before e when d ended
}

// borrowWithinCohort: LowerPriority lets a borrower evict others' lower priorities, up to the threshold.
TEST(Kueue, ABorrowerEvictsOnlyWhereItsRuleAllows) {
    const std::vector<Job> jobs{for_queue("b", toy_job("b1", 0, 8, 100), 1), for_queue("a", toy_job("a1", 10, 6, 50), 5)};
    std::vector<QueueRule> queues{queue("a", 4), queue("b", 4)};
    queues[0].reclaim = QueuePreemption::kAny;
    EXPECT_EQ(starts(of(queues), jobs, {8}), (Times{0, 100}));  // 6 exceed a's nominal quota
    queues[0].borrow = QueuePreemption::kLowerPriority;
    EXPECT_EQ(starts(of(queues), jobs, {8}), (Times{0, 10}));
    queues[0].borrow_max_priority = 0;
    EXPECT_EQ(starts(of(queues), jobs, {8}), (Times{0, 100}));
}

// Flavors are tried in order; whenCanBorrow: TryNextFlavor prefers the next flavor to borrowing.
TEST(Kueue, FlavorsAreTriedInOrder) {
    std::vector<QueueRule> queues{queue("a", 2), queue("b", 2)};
    for (QueueRule& each : queues) { each.quotas.push_back({.gpu_type = Name("t1"), .nominal = 2}); }
    const std::vector<Job> jobs{for_queue("a", toy_job("a1", 0, 2, 10)), for_queue("a", toy_job("a2", 1, 2, 10)),
                                for_queue("b", toy_job("b1", 2, 2, 10))};
    EXPECT_EQ(starts(of(queues), jobs, {4, 4}), (Times{0, 1, 2}));
    const auto on_second = [&](const SiteRules& rules) {
        const std::string events = run_toy_site("kueue", {4, 4}, jobs, rules).run.events;
        const std::size_t launch = events.find(R"("record":"launch","job":"a2")");
        return events.substr(launch, events.find('\n', launch) - launch).find("t1") != std::string::npos;
    };
    EXPECT_FALSE(on_second(of(queues)));
    queues[0].borrow_before_next = false;
    EXPECT_TRUE(on_second(of(queues)));
}

TEST(Kueue, AGangIsAdmittedWholeOrNotAtAll) {
    // There is quota for 8, but only 6 GPUs: c waits for all of its 4.
    const std::vector<Job> jobs{for_queue("q", toy_job("a", 0, 4, 10)), for_queue("q", toy_job("b", 1, 4, 10))};
    const ToyRun run = run_toy_site("kueue", {6}, jobs, of({queue("q", 8, "")}));
    EXPECT_EQ(run.starts, (Times{0, 10}));
    EXPECT_NE(run.run.events.find("too few GPUs are free"), std::string::npos);
}

TEST(Kueue, AJobOfNoQueueWaitsAndIsToldSo) {
    const ToyRun run = run_toy_site("kueue", {4}, {for_queue("z", toy_job("a", 0, 1, 10)), for_queue("q", toy_job("b", 1, 1, 10))},
                                    of({queue("q", 4, "")}));
    EXPECT_EQ(run.starts, (Times{kNeverStarted, 1}));
    EXPECT_NE(run.run.events.find("no cluster queue"), std::string::npos);
}

}  // namespace
}  // namespace medley::test
