#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/rng.h"
#include "executor/session/operator_client.h"
#include "tests/support/real_run.h"
#include "tests/support/temporary_folder.h"

namespace medley::test {
namespace {

using namespace medley::executor;

/// Does harm to a run, at random, until it is over. The times at which it strikes are the machine's; the result must not be.
class Chaos {
 public:
    Chaos(RealRun& run, std::uint64_t seed) : run_(run), random_(seed) {}

    /// Exit status of the last coordinator.
    int play() {
        run_.start();
        run_.wait_for("term 1");  // the folder is complete: before, there is nothing to resume
        const std::uint64_t blows = 2 + random_.below(4);
        for (std::uint64_t blow = 0; blow < blows; ++blow) {
            if (!run_.wait_for_step(std::min(run_.last_step() + random_.between(0, 6), run_.job().steps - 1))) { break; }
            std::this_thread::sleep_for(std::chrono::milliseconds(random_.below(60)));
            strike();
        }
        const int status = run_.wait();
        return status;
    }
    const std::string& story() const { return story_; }

 private:
    void strike() {
        switch (random_.below(6)) {
            case 0:
            case 1: return hit_worker(SIGKILL, "kill");
            case 2: return hit_worker(SIGSTOP, "stop");
            case 3: return resize();
            case 4: return restart_coordinator(false);
            default: return restart_coordinator(random_.chance(0.5));
        }
    }
    void hit_worker(int signal, const char* word) {
        const auto workers = run_.workers();
        if (workers.empty()) { return; }
        const auto [worker, process] = workers[random_.below(workers.size())];
        story_ += std::string(word) + " " + std::to_string(worker) + "; ";
        ::kill(static_cast<pid_t>(process), signal);
    }
    void resize() {
        const int workers = static_cast<int>(random_.between(1, 4));
        story_ += "resize to " + std::to_string(workers) + "; ";
        try {
            ask_coordinator(run_.directory(), ResizeRequest{run_.job().placement(workers)});
        } catch (const Error& error) { story_ += std::string("(") + error.what() + "); "; }
    }
    void restart_coordinator(bool with_workers) {
        story_ += with_workers ? "kill all; " : "kill the coordinator; ";
        run_.kill_coordinator();
        if (with_workers) { run_.signal_workers(SIGKILL); }
        std::this_thread::sleep_for(std::chrono::milliseconds(random_.below(200)));
        run_.resume();
    }

    RealRun& run_;
    Rng random_;
    std::string story_;
};

void play_one(std::uint64_t seed, bool tell = false) {
    Rng random(seed);
    const TemporaryFolder folder;
    RealRun run(folder / "run", {.workers = static_cast<int>(random.between(1, 4)),
                                 .steps = 30,
                                 .step_ms = 40,
                                 .checkpoint_every = random.between(0, 10),
                                 .seed = seed,
                                 .silence_ms = 2500});
    Chaos chaos(run, seed);
    const int status = chaos.play();
    std::string story = "seed " + std::to_string(seed) + ": " + chaos.story();
    if (tell || status != 0 || run.digest() != run.job().digest()) {
        for (const std::string& line : run.lines()) { story += "\n  " + line; }
    }
    if (tell) { std::puts(story.c_str()); }
    EXPECT_EQ(status, 0) << story;
    EXPECT_EQ(run.digest(), run.job().digest()) << story;
    EXPECT_EQ(run.left_behind(), "") << story;
}

// MEDLEY_LONG=1 plays 500; MEDLEY_SEED=N plays N alone and tells what happened.
TEST(Chaos, NoBlowsChangeTheResultOrLeaveAProcessBehind) {
    if (const char* seed = std::getenv("MEDLEY_SEED")) { return play_one(std::strtoull(seed, nullptr, 10), true); }
    const std::uint64_t seeds = std::getenv("MEDLEY_LONG") != nullptr ? 500 : 10;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) { play_one(seed); }
}

}  // namespace
}  // namespace medley::test
