/// Ctrl-C while results are made: the folder that was made for them goes.

#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/e2e/cli/program.h"
#include "tests/support/source_folder.h"

namespace medley::test {
namespace {

/// Starts the program, interrupts it as soon as `made` exists, and gives how it ended.
int status_after_interruption(const Arguments& arguments, const std::filesystem::path& made) {
    std::vector<char*> argv{const_cast<char*>(MEDLEY_PROGRAM)};
    for (const std::string& argument : arguments) { argv.push_back(const_cast<char*>(argument.c_str())); }
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
        posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0);
    }
    posix_spawn_file_actions_addchdir_np(&actions, test::source_folder().c_str());
    pid_t process = 0;
    EXPECT_EQ(posix_spawn(&process, MEDLEY_PROGRAM, &actions, nullptr, argv.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    while (!std::filesystem::exists(made)) {
        if (::waitpid(process, &status, WNOHANG) == process) { return status; }
        std::this_thread::yield();
    }
    ::kill(process, SIGINT);
    ::waitpid(process, &status, 0);
    return status;
}

class Interruption : public testing::Test {
 protected:
    // Asked every second, the policy takes far longer than the signal takes to come.
    Arguments endless(const char* command, const char* policies) const {
        return {command,  "--cluster",   kCluster,  "--trace", trace_,  "--profiles", kProfiles,
                policies, "max-min-het", "--round", "1",       "--out", out_.string()};
    }

    TemporaryFolder folder_;
    std::string trace_ = write_file(folder_, "trace.csv", [] {
        std::string text = "job_id,submit_s,gpus,duration_s\n";
        for (int job = 0; job < 200; ++job) { text += std::to_string(job) + ",0,1,90000\n"; }
        return text;
    }());
    std::filesystem::path out_ = folder_ / "deep" / "out";
};

TEST_F(Interruption, OfASimulationLeavesNoFolder) {
    const int status = status_after_interruption(endless("simulate", "--policy"), out_);
    ASSERT_TRUE(WIFSIGNALED(status)) << status;
    EXPECT_EQ(WTERMSIG(status), SIGINT) << "as the shell expects";
    EXPECT_FALSE(std::filesystem::exists(folder_ / "deep"));
}

TEST_F(Interruption, OfAComparisonLeavesNoFolder) {
    const int status = status_after_interruption(endless("compare", "--policies"), out_ / "001-max-min-het");
    ASSERT_TRUE(WIFSIGNALED(status)) << status;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "deep"));
}

}  // namespace
}  // namespace medley::test
