/// tools/device-check on a machine without a GPU: its options, its packed program, and one of its checks.

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/cli/program.h"
#include "tests/support/source_folder.h"

namespace medley::test {
namespace {

using testing::HasSubstr;

const std::string kScript = test::source_path("tools/device-check");
const std::string kBuild = std::filesystem::path(MEDLEY_PROGRAM).parent_path().parent_path().string();

Outcome device_check(const Arguments& arguments) { return run_program(kScript, arguments); }

TEST(DeviceCheck, IsAScriptThatBashUnderstands) {
    EXPECT_EQ(run_program("/bin/bash", {"-n", kScript}).exit_code, 0);
    EXPECT_THAT(device_check({"--help"}).out, HasSubstr("--pack DIR"));
}

TEST(DeviceCheck, WrongArgumentsAreNamedInOneLine) {
    const TemporaryFolder folder;
    const std::string empty = folder.path().string();
    for (const auto& [arguments, part] :
         std::vector<std::pair<Arguments, std::string>>{{{"--program"}, "--program needs a value"},
                                                        {{"--program", "/nowhere"}, "no folder '/nowhere'"},
                                                        {{"--program", empty, "--pack", empty}, "no program at"},
                                                        {{"--device", "tpu"}, "'tpu' is not known"},
                                                        {{"--fast"}, "unknown argument '--fast'"}}) {
        const Outcome outcome = device_check(arguments);
        EXPECT_EQ(outcome.exit_code, 1) << part;
        EXPECT_THAT(outcome.error, HasSubstr("device-check: "));
        EXPECT_THAT(outcome.error, HasSubstr(part));
        EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1) << outcome.error;
    }
}

TEST(DeviceCheck, AProgramIsPackedAndRunsFromItsFolder) {
    const TemporaryFolder folder;
    const std::string packed = (folder / "packed").string();
    const Outcome pack = device_check({"--pack", packed, "--program", kBuild});
    if (pack.error.find("no headers of") != std::string::npos) { GTEST_SKIP() << pack.error; }
    ASSERT_EQ(pack.exit_code, 0) << pack.error;
    EXPECT_TRUE(std::filesystem::exists(packed + "/bin/medley"));
    EXPECT_TRUE(std::filesystem::exists(packed + "/include/fmt/core.h"));
    EXPECT_THAT(device_check({"--pack", packed, "--program", kBuild}).error, HasSubstr("exists already"));

    const Outcome checked = device_check({"--program", packed, "--no-build", "--device", "cpu", "--only", "unequal speeds"});
    EXPECT_EQ(checked.exit_code, 0) << checked.out << checked.error;
    EXPECT_THAT(checked.out, HasSubstr("pass  E6: unequal speeds"));
    EXPECT_THAT(checked.out, HasSubstr("1 passed, 0 failed, 0 skipped"));
}

}  // namespace
}  // namespace medley::test
