/// The commands of README.md, run as written from the repository's root (with this build's program in place of the release build's).

#include <array>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/source_folder.h"

namespace medley {
namespace {

constexpr const char* kProgramAsWritten = "build/release/bin/medley";

/// The lines of all blocks that are marked as shell commands.
std::vector<std::string> commands_of(const std::string& file) {
    std::vector<std::string> commands;
    std::ifstream text(file);
    bool inside = false;
    for (std::string line; std::getline(text, line);) {
        if (line.rfind("```", 0) == 0) {
            inside = line == "```sh";
        } else if (inside && !line.empty()) {
            commands.push_back(line);
        }
    }
    return commands;
}

struct Outcome {
    int status = -1;
    std::string output;
};

Outcome run(const std::string& command) {
    Outcome outcome;
    FILE* pipe = popen(("cd '" + test::source_folder().string() + "' && mkdir -p build && " + command + " 2>&1").c_str(), "r");
    if (pipe == nullptr) { return outcome; }
    std::array<char, 4096> part{};
    while (const std::size_t size = std::fread(part.data(), 1, part.size(), pipe)) { outcome.output.append(part.data(), size); }
    outcome.status = pclose(pipe);
    return outcome;
}

TEST(Readme, HoldsCommands) { EXPECT_GE(commands_of(test::source_path("README.md")).size(), 5U); }

TEST(Readme, EveryCommandWorksAsWritten) {
    for (std::string command : commands_of(test::source_path("README.md"))) {
        const std::size_t program = command.find(kProgramAsWritten);
        ASSERT_NE(program, std::string::npos) << command;
        command.replace(program, std::string(kProgramAsWritten).size(), MEDLEY_PROGRAM);
        const Outcome outcome = run(command);
        // A build without Node.js and npm says that it has no page for reports.
        if (outcome.output.find("built without the report's page") != std::string::npos) { continue; }
        EXPECT_EQ(outcome.status, 0) << command << '\n' << outcome.output;
        EXPECT_THAT(outcome.output, testing::Not(testing::IsEmpty())) << command;
    }
}

TEST(Readme, ABrokenCommandWouldBeSeen) { EXPECT_NE(run(MEDLEY_PROGRAM " no-such-command").status, 0); }

}  // namespace
}  // namespace medley
