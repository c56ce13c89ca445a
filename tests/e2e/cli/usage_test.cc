/// Help, versions, and usage that is wrong.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command.h"
#include "io/report/report_page.h"
#include "tests/e2e/cli/program.h"

namespace medley::test {
namespace {

using testing::HasSubstr;

Arguments words(const std::string& path) {
    const std::size_t space = path.find(' ');
    return space == std::string::npos ? Arguments{path} : Arguments{path.substr(0, space), path.substr(space + 1)};
}

TEST(Usage, EveryCommandHasHelpWithAnExample) {
    for (const cli::Command& command : cli::known_commands()) {
        Arguments arguments = words(command.path);
        arguments.emplace_back("--help");
        const Outcome outcome = medley(arguments);
        EXPECT_EQ(outcome.exit_code, 0) << command.path;
        EXPECT_THAT(outcome.out, HasSubstr("Example:\n  medley " + std::string(command.path)));
        EXPECT_THAT(outcome.out, HasSubstr("--json"));
    }
}

/// Their examples name a run; tests/e2e/run speaks to one.
bool needs_a_running_job(std::string_view command) {
    return command == "resize" || command == "status" || command == "cancel" || command == "worker" || command == "profile calibrate";
}

/// A build without Node.js and npm has no page to fill.
bool lacks_its_page(std::string_view command) { return command == "report" && io::report_page().empty(); }

TEST(Usage, EveryExampleWorksAsWritten) {
    for (const cli::Command& command : cli::known_commands()) {
        if (needs_a_running_job(command.path) || lacks_its_page(command.path)) { continue; }
        const std::string arguments = std::string(command.example).substr(std::string("medley").size());
        const Outcome outcome = run_program("/bin/sh", {"-c", "mkdir -p build && '" MEDLEY_PROGRAM "'" + arguments});
        EXPECT_EQ(outcome.exit_code, 0) << command.example << outcome.error;
    }
}

TEST(Usage, GroupsAndTheProgramItselfHaveHelp) {
    for (const Arguments& arguments : {Arguments{"--help"}, Arguments{"trace", "--help"}, Arguments{"cluster", "--help"}}) {
        EXPECT_EQ(medley(arguments).exit_code, 0);
    }
}

TEST(Usage, VersionNamesCompilerAndOptionalParts) {
    const Outcome outcome = medley({"--version"});
    EXPECT_EQ(outcome.exit_code, 0);
    for (const char* part : {"medley ", "compiler: ", "CUDA: ", "NCCL: ", "Torch: ", "gloo: yes", "solver CLP: yes", "report page: "}) {
        EXPECT_THAT(outcome.out, HasSubstr(part));
    }
}

TEST(Usage, WrongUsageIsOneLineAndExitCodeTwo) {
    const std::vector<std::pair<Arguments, std::string>> cases = {
        {{}, "no command given"},
        {{"trace"}, "no command given"},
        {{"simulat"}, "unknown command 'medley simulat'"},
        {{"trace", "improt"}, "import"},
        {{"simulate"}, "is required"},
        {{"simulate", "--cluster", kCluster, "--trace", kTrace}, "--policy is required"},
        {simulate_command("fifo", {"--policy", "wfs"}), "--policy"},
        {simulate_command("fifo", {"--no-such-option", "1"}), "--no-such-option"},
        {simulate_command("fifo", {"--seed"}), "--seed"},
        {simulate_command("fifo", {"--seed", "-1"}), "--seed: found '-1'"},
        {simulate_command("fifo", {"--seed", "1.5"}), "--seed: found '1.5'"},
        {simulate_command("fifo", {"--round", "nan"}), "--round: found 'nan'"},
        {simulate_command("fifo", {"--restart-overhead", "-3"}), "--restart-overhead: found '-3'"},
        {simulate_command("fifo", {"--round", "1000000000000000000"}), "--round: found '1000000000000000000'"},
        {simulate_command("fifo", {"--window", "5"}), "--window: found '5'"},
        {simulate_command("fifo", {"--window", "0:21"}), "a part of the trace's 20 jobs"},
        {simulate_command("fifo", {"--over-wide", "maybe"}), "reject or clamp"},
        {simulate_command("fifo", {"--compat", "nobody"}), "virtualflow-logs"},
        {simulate_command("fifi"), "--policy: found 'fifi', expected fifo (known: fifo, sjf"},
        {simulate_command("nothing-like-it"), "expected one of fifo, sjf"},
        {simulate_command("priority:preempt=maybe"), "preempt"},
        {simulate_command("priority:color=red"), "--policy priority: found 'color'"},
        {{"policies", "fifi"}, "fifo"},
        {{"gpus", "one", "two"}, "not expected here: one two"},
        {{"trace", "generate", "--jobs", "0"}, "--jobs: found '0'"},
        {{"trace", "generate", "--load", "0.5"}, "--gpus"},
        {{"trace", "import", kTrace, "--format", "none", "-o", "/dev/null"}, "--format: found 'none', expected one of slurm, swf"},
        {{"compare", "--cluster", kCluster, "--trace", kTrace, "--policies", "fifo;;wfs"}, "--policies"},
        {{"compare", "--cluster", kCluster, "--trace", kTrace, "--policies", "fifo;fifo"}, "each once"},
        {{"compare", "--cluster", kCluster, "--trace", kTrace, "--policies", "fifo", "--seeds", "1,1"}, "each seed once"},
        {{"compare", "--cluster", kCluster, "--trace", kTrace, "--policies", "fifo", "--what-if", "8 H100"}, "+8 H100"},
        {{"compare", "--cluster", kCluster, "--trace", kTrace, "--policies", "fifo", "--what-if", "+8 X9"}, "X9"},
        {{"compare", "--cluster", kCluster, "--trace", kTrace, "--policies", "fifo", "--what-if", "-4 V100"}, "with --what-if '-4 V100'"},
    };
    for (const auto& [arguments, expected] : cases) {
        const Outcome outcome = medley(arguments);
        EXPECT_TRUE(outcome.is_one_line_refusal()) << outcome.exit_code << outcome.out << outcome.error;
        EXPECT_THAT(outcome.error, HasSubstr(expected));
    }
}

TEST(Usage, AFullDiskUnderStandardOutputIsRefused) {
    for (const Arguments& arguments :
         {Arguments{"gpus"}, Arguments{"policies", "--json"}, simulate_command("fifo"), Arguments{"trace", "export", kTrace}}) {
        const Outcome outcome = run_program(MEDLEY_PROGRAM, arguments, "/dev/full");
        EXPECT_TRUE(outcome.is_one_line_refusal()) << outcome.error;
        EXPECT_THAT(outcome.error, HasSubstr("standard output: No space left on device"));
    }
}

}  // namespace
}  // namespace medley::test
