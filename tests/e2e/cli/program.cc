#include "tests/e2e/cli/program.h"
#include "tests/support/source_folder.h"

#include <algorithm>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace medley::test {

bool Outcome::is_one_line_refusal() const {
    return exit_code == 2 && out.empty() && error.starts_with("medley: ") && std::count(error.begin(), error.end(), '\n') == 1 &&
           error.ends_with('\n');
}

Outcome run_program(const std::string& program, const Arguments& arguments, const std::string& standard_output) {
    const TemporaryFolder folder;
    const std::string out = standard_output.empty() ? (folder / "out").string() : standard_output;
    const std::string error = (folder / "error").string();
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments) { argv.push_back(const_cast<char*>(argument.c_str())); }
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, error.c_str(), O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_addchdir_np(&actions, test::source_folder().c_str());
    pid_t child = 0;
    const int spawned = posix_spawn(&child, program.c_str(), &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (spawned != 0) { return {}; }
    int status = 0;
    ::waitpid(child, &status, 0);
    return {.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            .out = standard_output.empty() ? contents(out) : "",
            .error = contents(error)};
}

Outcome medley(const Arguments& arguments) { return run_program(MEDLEY_PROGRAM, arguments); }

Arguments simulate_command(const std::string& policy, const Arguments& more) {
    Arguments arguments{"simulate", "--cluster", kCluster, "--trace", kTrace, "--profiles", kProfiles, "--policy", policy};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

std::string write_file(const TemporaryFolder& folder, const std::string& name, const std::string& text) {
    std::ofstream(folder / name, std::ios::binary) << text;
    return (folder / name).string();
}

}  // namespace medley::test
