#include "io/results/output_file.h"

#include <csignal>
#include <filesystem>
#include <functional>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "core/error.h"
#include "io/results/new_directory.h"
#include "tests/support/temporary_folder.h"

namespace medley::io {
namespace {

using test::contents;
using test::TemporaryFolder;
using testing::HasSubstr;

std::string refusal(const std::function<void()>& act) {
    try {
        act();
    } catch (const Error& error) { return error.what(); }
    return "";
}

TEST(OutputFile, AppearsOnlyWhenCommitted) {
    const TemporaryFolder folder;
    OutputFile file(folder / "a.txt");
    file.write("hello");
    EXPECT_FALSE(std::filesystem::exists(folder / "a.txt"));
    file.commit();
    EXPECT_EQ(contents(folder / "a.txt"), "hello");
    EXPECT_EQ(folder.entries(), 1U);
}

TEST(OutputFile, LeavesNothingBehindWithoutACommit) {
    const TemporaryFolder folder;
    { OutputFile(folder / "a.txt").write(std::string(3 << 20, 'x')); }
    EXPECT_EQ(folder.entries(), 0U);
}

TEST(OutputFileDeathTest, LeavesNothingBehindWhenTheProgramIsKilled) {
    const TemporaryFolder folder;
    const int unnamed = ::open(folder.path().c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (unnamed < 0) { GTEST_SKIP() << "this file system knows no unnamed files"; }
    ::close(unnamed);
    EXPECT_EXIT(
        {
            OutputFile file(folder / "a.txt");
            file.write(std::string(3 << 20, 'x'));
            std::raise(SIGKILL);
        },
        testing::KilledBySignal(SIGKILL), "");
    EXPECT_EQ(folder.entries(), 0U);
}

TEST(OutputFile, KeepsTheOldFileUntilTheNewOneIsWhole) {
    const TemporaryFolder folder;
    write_text_file(folder / "a.txt", "old");
    {
        OutputFile file(folder / "a.txt");
        file.write("new");
        file.finish();
    }
    EXPECT_EQ(contents(folder / "a.txt"), "old");
    EXPECT_EQ(folder.entries(), 1U) << "a finished file that was not committed goes";
    write_text_file(folder / "a.txt", "new");
    EXPECT_EQ(contents(folder / "a.txt"), "new");
}

TEST(OutputFile, WritesMoreThanItsBufferHolds) {
    const TemporaryFolder folder;
    const std::string text(5 << 20, 'y');
    write_text_file(folder / "a.txt", text);
    EXPECT_EQ(contents(folder / "a.txt"), text);
}

TEST(OutputFile, FollowsASymbolicLinkInsteadOfReplacingIt) {
    const TemporaryFolder folder;
    write_text_file(folder / "real.txt", "old");
    std::filesystem::create_symlink(folder / "real.txt", folder / "link.txt");
    write_text_file(folder / "link.txt", "new");
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.txt"));
    EXPECT_EQ(contents(folder / "real.txt"), "new");
}

TEST(OutputFile, ReportsAFullDisk) {
    EXPECT_THAT(refusal([] { write_text_file("/dev/full", "x"); }), HasSubstr("/dev/full: cannot be written (No space left on device)"));
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/full")) << "a device must be written to, not replaced";
}

TEST(OutputFile, RefusesADirectoryAndAMissingFolder) {
    const TemporaryFolder folder;
    EXPECT_THAT(refusal([&] { OutputFile file(folder.path()); }), HasSubstr("is a directory"));
    EXPECT_THAT(refusal([&] { OutputFile file(folder / "absent" / "a.txt"); }), HasSubstr("cannot be created (No such file or directory)"));
}

TEST(OutputFile, RefusesAFolderThatMayNotBeWrittenTo) {
    if (::geteuid() == 0) { GTEST_SKIP() << "root may write anywhere"; }
    const TemporaryFolder folder;
    std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    EXPECT_THAT(refusal([&] { OutputFile file(folder / "a.txt"); }), HasSubstr("Permission denied"));
    std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
}

TEST(NewDirectory, MakesWhatIsMissingAndTakesItAwayAgain) {
    const TemporaryFolder folder;
    {
        const NewDirectory directory(folder / "a" / "b");
        EXPECT_TRUE(std::filesystem::is_directory(folder / "a" / "b"));
    }
    EXPECT_EQ(folder.entries(), 0U);
}

TEST(NewDirectory, StaysOnceKeptAndLeavesOldOnesAlone) {
    const TemporaryFolder folder;
    {
        NewDirectory directory(folder / "a");
        directory.keep();
    }
    { const NewDirectory directory(folder / "a"); }
    EXPECT_TRUE(std::filesystem::is_directory(folder / "a"));
}

TEST(NewDirectory, RefusesAFileInItsPlaceAndCleansUpAboveIt) {
    const TemporaryFolder folder;
    write_text_file(folder / "file", "");
    EXPECT_THAT(refusal([&] { NewDirectory directory(folder / "file"); }), HasSubstr("is a file"));
    EXPECT_THAT(refusal([&] { NewDirectory directory(folder / "file" / "below"); }), HasSubstr("is a file"));
    EXPECT_EQ(folder.entries(), 1U);
}

}  // namespace
}  // namespace medley::io
