#include "tests/e2e/run/started_run.h"
#include "tests/support/source_folder.h"

#include <chrono>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace medley::test {

using nlohmann::json;

Arguments run_command(const TemporaryFolder& folder, const std::string& name, const Arguments& more) {
    Arguments arguments{"run", kRunPlan, "--job", kRunJob, "--out", (folder / name).string(), "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

json json_of(const Outcome& outcome) {
    json document = json::parse(outcome.out, nullptr, false);
    EXPECT_TRUE(document.is_object()) << outcome.out << outcome.error;
    return document.is_object() ? document : json::object();
}

StartedRun::StartedRun(const Arguments& arguments) {
    std::vector<char*> argv{const_cast<char*>(MEDLEY_PROGRAM)};
    for (const std::string& argument : arguments) { argv.push_back(const_cast<char*>(argument.c_str())); }
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
        posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0);
    }
    posix_spawn_file_actions_addchdir_np(&actions, test::source_folder().c_str());
    EXPECT_EQ(posix_spawn(&process_, MEDLEY_PROGRAM, &actions, nullptr, argv.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
}

StartedRun::~StartedRun() {
    if (process_ == 0) { return; }
    ::kill(process_, SIGTERM);  // a stop that takes the workers along
    wait();
}

int StartedRun::wait() {
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

json wait_for_step(const std::string& directory, std::int64_t step) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (std::chrono::steady_clock::now() < deadline) {
        const Outcome outcome = medley({"status", directory, "--json"});
        const json status = json::parse(outcome.out, nullptr, false);
        if (outcome.exit_code == 0 && status.is_object() && status.value("step", std::int64_t{0}) >= step) { return status; }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    ADD_FAILURE() << "the run never reached step " << step;
    return json::object();
}

}  // namespace medley::test
