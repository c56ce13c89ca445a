// The executor's coordinator and workers over seeded schedules of faults: whatever happens, no step is lost or applied twice, nothing
// hangs, and every process ends. MEDLEY_LONG=1 runs a million; MEDLEY_SEED=n replays one and tells its story.

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/executor_world.h"

namespace medley::executor::test {
namespace {

std::uint64_t schedules() { return std::getenv("MEDLEY_LONG") != nullptr ? 1'000'000 : 20'000; }

/// What many schedules came to.
struct Tally {
    std::uint64_t run = 0;
    std::uint64_t finished = 0;
    std::uint64_t events = 0;
    std::int64_t longest_ms = 0;
    std::uint64_t longest_seed = 0;
    std::map<std::string, std::uint64_t> faults;
    std::map<std::string, std::uint64_t> endings;
    std::vector<std::string> breaches;

    void add(std::uint64_t seed, const WorldResult& result) {
        ++run;
        finished += result.finished ? 1 : 0;
        events += result.events;
        if (result.settled_ms > longest_ms) {
            longest_ms = result.settled_ms;
            longest_seed = seed;
        }
        for (const auto& [fault, count] : result.faults) { faults[fault] += count; }
        ++endings[result.ending];
        if (!result.breach.empty() && breaches.size() < 10) { breaches.push_back(result.breach); }
    }
    void add(const Tally& other) {
        run += other.run;
        finished += other.finished;
        events += other.events;
        if (other.longest_ms > longest_ms) {
            longest_ms = other.longest_ms;
            longest_seed = other.longest_seed;
        }
        for (const auto& [fault, count] : other.faults) { faults[fault] += count; }
        for (const auto& [ending, count] : other.endings) { endings[ending] += count; }
        breaches.insert(breaches.end(), other.breaches.begin(), other.breaches.end());
    }
};

/// Seeds are shared out among two threads; each schedule is independent of the others, so the tally does not depend on who ran which.
Tally run_schedules(std::uint64_t count, WorldOptions options) {
    std::atomic<std::uint64_t> next{0};
    std::mutex mutex;
    Tally tally;
    const auto work = [&] {
        Tally mine;
        for (std::uint64_t seed = next++; seed < count; seed = next++) {
            WorldOptions own = options;
            own.seed = seed;
            mine.add(seed, run_schedule(own));
        }
        const std::lock_guard lock(mutex);
        tally.add(mine);
    };
    std::thread other(work);
    work();
    other.join();
    return tally;
}

TEST(Schedules, OneIsReplayedFromItsSeed) {
    const char* seed = std::getenv("MEDLEY_SEED");
    const WorldOptions options{.seed = seed != nullptr ? std::strtoull(seed, nullptr, 10) : 7, .trace = true};
    const WorldResult first = run_schedule(options);
    const WorldResult second = run_schedule(options);
    EXPECT_EQ(first.trace, second.trace);
    EXPECT_EQ(first.events, second.events);
    EXPECT_EQ(first.breach, "");
    if (seed != nullptr) { std::printf("%s%s\n", first.trace.c_str(), first.ending.c_str()); }
}

TEST(Schedules, WithoutFaultsEveryRunFinishes) {
    const Tally tally = run_schedules(schedules() / 20, {.calm = true});
    EXPECT_EQ(tally.breaches, std::vector<std::string>());
    EXPECT_EQ(tally.finished, tally.run);
}

TEST(Schedules, WhateverHappensTheRulesHold) {
    const Tally tally = run_schedules(schedules(), {});
    EXPECT_EQ(tally.breaches, std::vector<std::string>());
    std::printf("the longest took %lld ms of virtual time after its last fault (seed %llu)\n", static_cast<long long>(tally.longest_ms),
                static_cast<unsigned long long>(tally.longest_seed));
    std::printf("%llu schedules, %llu finished, %llu events\n", static_cast<unsigned long long>(tally.run),
                static_cast<unsigned long long>(tally.finished), static_cast<unsigned long long>(tally.events));
    for (const auto& [fault, count] : tally.faults) { std::printf("%10llu %s\n", static_cast<unsigned long long>(count), fault.c_str()); }
    for (const auto& [ending, count] : tally.endings) {
        std::printf("%10llu %s\n", static_cast<unsigned long long>(count), ending.c_str());
    }
}

struct Plant {
    PlantedBug bug;
    const char* name;
    const char* found_as;  ///< part of the breach
};

class Plants : public testing::TestWithParam<Plant> {};

TEST_P(Plants, AreFound) {
    constexpr std::uint64_t kMost = 20'000;
    std::string breach;
    std::uint64_t seed = 0;
    for (; seed < kMost && breach.empty(); ++seed) { breach = run_schedule({.seed = seed, .bug = GetParam().bug}).breach; }
    RecordProperty("schedules", std::to_string(seed));
    EXPECT_NE(breach.find(GetParam().found_as), std::string::npos) << "after " << seed << " schedules: " << breach;
}

INSTANTIATE_TEST_SUITE_P(Bugs, Plants,
                         testing::Values(Plant{PlantedBug::kForgetGeneration, "AGenerationThatIsNotLogged", "not durably logged"},
                                         Plant{PlantedBug::kLazyGeneration, "AGenerationThatIsNotDurable", "not durably logged"},
                                         Plant{PlantedBug::kLowestSource, "TheLowestStepAsSource", "highest step held"},
                                         Plant{PlantedBug::kNoFence, "ALostWorkerThatIsNotFenced", "not told to end"},
                                         Plant{PlantedBug::kStaleForm, "AFormThatIsObeyedTwice", "while it is in a generation"},
                                         Plant{PlantedBug::kNoWake, "DeadlinesThatAreForgotten", "not ended"},
                                         Plant{PlantedBug::kUnloggedFinish, "AFinishThatIsNotLogged", "success is not durably logged"},
                                         Plant{PlantedBug::kStepTwice, "AStepAppliedTwice", "once, in order"},
                                         Plant{PlantedBug::kImpatient, "AMemberThatIsNotWaitedFor", "still in it"},
                                         Plant{PlantedBug::kReusedNumber, "AWorkerNumberGivenTwice", "number is used twice"}),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace medley::executor::test
