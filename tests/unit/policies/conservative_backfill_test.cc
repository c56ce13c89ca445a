#include <gtest/gtest.h>

#include "core/rng.h"
#include "planner/policies/free_profile.h"
#include "toy_run.h"

namespace medley::test {
namespace {

SiteReservation window(double start_s, double end_s, double gpus) {
    return {.name = Name("w"), .start = at(start_s), .end = at(end_s), .gpus = {{.resource = "t0", .weight = gpus}}};
}

// 4 GPUs: a holds 2 until 100; b (3) is promised 100 to 150; c (4) comes after it.
std::vector<Job> queued() { return {toy_job("a", 0, 2, 100), toy_job("b", 1, 3, 50), toy_job("c", 2, 4, 50)}; }

TEST(ConservativeBackfill, TheSecondInTheQueueIsNotDelayedEither) {
    // d fits beside a and b for ever, which EASY allows (c then waits until 1003); here it would delay c, so it comes after it.
    std::vector<Job> jobs = queued();
    jobs.push_back(toy_job("d", 3, 1, 1000));
    EXPECT_EQ(run_toy("easy-backfill", {4}, jobs).starts, (Times{0, 100, 1003, 3}));
    EXPECT_EQ(run_toy("conservative-backfill", {4}, jobs).starts, (Times{0, 100, 150, 200}));
}

TEST(ConservativeBackfill, AShortJobFillsAHoleThatItDoesNotOutlast) {
    std::vector<Job> jobs = queued();
    jobs.push_back(toy_job("d", 3, 1, 147));
    EXPECT_EQ(run_toy("conservative-backfill", {4}, jobs).starts, (Times{0, 100, 150, 3}));
}

TEST(ConservativeBackfill, AnEarlyEndMovesEverybodyForwardInOrder) {
    std::vector<Job> jobs = queued();
    jobs[0] = declared(toy_job("a", 0, 2, 20), 100);
    EXPECT_EQ(run_toy("conservative-backfill", {4}, jobs).starts, (Times{0, 20, 70}));
}

TEST(ConservativeBackfill, AnEarlyEndMayLetAJobSlideIntoItsOwnPlace) {
    // b wants all: 100 to 200. c is promised 200. a ends at 60: b moves to 60, over its own place, c to 160.
    const std::vector<Job> jobs{declared(toy_job("a", 0, 4, 60), 100), toy_job("b", 1, 4, 100), toy_job("c", 2, 4, 10)};
    EXPECT_EQ(run_toy("conservative-backfill", {4}, jobs).starts, (Times{0, 60, 160}));
}

TEST(ConservativeBackfill, TakesTheTypeThatIsFreeFirst) {
    const std::vector<Job> jobs{toy_job("a", 0, 4, 100), toy_job("b", 0, 2, 50), toy_job("c", 1, 2, 10)};
    EXPECT_EQ(run_toy("conservative-backfill", {4, 2}, jobs).starts, (Times{0, 0, 50}));
}

TEST(ConservativeBackfill, AJobThatOverrunsIsGivenAsLongAgain) {
    // a declared 50 and runs 100: at 50 it is given 1 s, at 51 1 s, and so on; b starts when a ends, and c does not pass it for long.
    const std::vector<Job> jobs{declared(toy_job("a", 0, 3, 100), 50), toy_job("b", 1, 4, 50), toy_job("c", 60, 1, 30)};
    EXPECT_EQ(run_toy("conservative-backfill", {4}, jobs).starts, (Times{0, 100, 150}));
}

TEST(ConservativeBackfill, EveryWaitingJobHasAReservationInTheLog) {
    const std::string events = run_toy("conservative-backfill", {4}, queued()).run.events;
    EXPECT_NE(events.find(R"("record":"reservation","job":"b")"), std::string::npos);
    EXPECT_NE(events.find(R"("record":"reservation","job":"c")"), std::string::npos);
    EXPECT_NE(events.find(R"("record":"reason","job":"c","text":"reserved: 4 GPUs of type t0)"), std::string::npos);
}

TEST(ConservativeBackfill, NobodyRunsIntoAMaintenanceWindow) {
    SiteRules rules;
    rules.reservations = {window(50, 100, 3)};
    rules.reservations.front().maintenance = true;
    // Until 50 all 4 GPUs may be used, then 1: a fits before the window, b (2 GPUs, 60 s) only after it, c on the GPU that stays.
    const std::vector<Job> jobs{toy_job("a", 0, 2, 50), toy_job("b", 0, 2, 60), toy_job("c", 1, 1, 60)};
    EXPECT_EQ(run_toy_site("conservative-backfill", {4}, jobs, rules).starts, (Times{0, 100, 1}));
}

TEST(ConservativeBackfill, AReservationIsKeptForItsUsers) {
    SiteRules rules;
    rules.reservations = {window(50, 100, 4)};
    rules.reservations.front().users = {Name("ann")};
    std::vector<Job> jobs{toy_job("a", 0, 4, 30), toy_job("b", 0, 4, 30), toy_job("c", 0, 4, 30)};
    JobExtras extras;
    extras.user = Name("ann");
    extras.reservation = Name("w");
    jobs[2].extras = std::make_shared<JobExtras>(extras);
    EXPECT_EQ(run_toy_site("conservative-backfill", {4}, jobs, rules).starts, (Times{0, 100, 50}));
}

// ---- The profile against a plain table of seconds ----------------------------------------------------------------------------

constexpr int kHorizon = 60;

struct PlainProfile {
    std::vector<int> free = std::vector<int>(2 * kHorizon, 8);

    void add(int from, int to, int gpus) {
        for (int second = from; second < to; ++second) { free[static_cast<std::size_t>(second)] += gpus; }
    }
    int earliest(int from, int span, int gpus) const {
        for (int start = from;; ++start) {
            bool fits = true;
            for (int second = start; second < start + span; ++second) { fits &= free[static_cast<std::size_t>(second)] >= gpus; }
            if (fits) { return start; }
        }
    }
    int free_since(int until, int gpus, int begin) const {
        while (until > begin && free[static_cast<std::size_t>(until) - 1] >= gpus) { --until; }
        return until;
    }
};

TEST(FreeProfile, AgreesWithATableOfSeconds) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Rng random(seed);
        planner::FreeProfile profile;
        profile.reset(SimTime{0}, 8);
        PlainProfile plain;
        int now = 0;
        for (int step = 0; step < 60; ++step) {
            now += random.chance(0.2) && now < kHorizon / 2 ? 1 : 0;
            profile.advance(SimTime{now});
            const auto from = static_cast<int>(random.between(now, kHorizon - 1));
            const auto to = static_cast<int>(random.between(from, kHorizon));
            const auto gpus = static_cast<int>(random.between(-2, 2));
            profile.add(SimTime{from}, SimTime{to}, gpus);
            plain.add(from, to, gpus);
            const auto span = static_cast<int>(random.between(1, 20));
            const auto wanted = static_cast<int>(random.between(1, 8));
            ASSERT_EQ(profile.earliest({.from = SimTime{from}, .span = SimTime{span}, .gpus = wanted}),
                      SimTime{plain.earliest(from, span, wanted)});
            ASSERT_EQ(profile.free_since(SimTime{to}, wanted), SimTime{plain.free_since(to, wanted, now)}) << seed;
            ASSERT_EQ(profile.free_now(), plain.free[static_cast<std::size_t>(now)]);
        }
    }
}

TEST(FreeProfile, HoldsNoMoreStepsThanThereAreChanges) {
    planner::FreeProfile profile;
    profile.reset(SimTime{0}, 4);
    profile.add(SimTime{10}, SimTime{20}, -1);
    profile.add(SimTime{20}, SimTime{30}, -1);
    EXPECT_EQ(profile.steps(), 3U);
    profile.add(SimTime{10}, SimTime{30}, 1);
    EXPECT_EQ(profile.steps(), 1U);
}

}  // namespace
}  // namespace medley::test
