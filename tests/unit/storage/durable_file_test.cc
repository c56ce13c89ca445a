#include "executor/storage/durable_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>

#include "core/error.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/core/refusal.h"

namespace medley::executor {
namespace {

using test::contents;
using test::TemporaryFolder;
using testing::HasSubstr;

TEST(DurableFile, IsReplacedInOnePieceAndLeavesNoTemporaryFile) {
    const TemporaryFolder folder;
    replace_file(folder / "a", "old", 0644);
    replace_file(folder / "a", std::string(3 << 20, 'n'), 0644);
    EXPECT_EQ(contents(folder / "a"), std::string(3 << 20, 'n'));
    EXPECT_EQ(folder.entries(), 1U);
}

TEST(DurableFile, AppearsWithItsCommitAlone) {
    const TemporaryFolder folder;
    {
        UnfinishedFile file(folder / "a.tmp", 0600);
        file.write("half");
        EXPECT_FALSE(std::filesystem::exists(folder / "a"));
    }
    EXPECT_EQ(folder.entries(), 0U) << "what is not committed goes";
    UnfinishedFile file(folder / "a.tmp", 0600);
    file.write("who");
    file.write("le");
    file.commit(folder / "a");
    EXPECT_EQ(contents(folder / "a"), "whole");
}

TEST(DurableFile, IsWrittenAtAnyPlace) {
    const TemporaryFolder folder;
    FileDescriptor file(folder / "a.part", O_RDWR | O_CREAT, 0644);
    file.resize(5);
    file.write_at(3, "de");
    file.write_at(0, "abc");
    finish_as(file, folder / "a");
    EXPECT_EQ(contents(folder / "a"), "abcde");
}

TEST(DurableFile, FailuresNameTheFileAndTheReason) {
    const TemporaryFolder folder;
    EXPECT_THAT(refusal([&] { replace_file(folder / "none" / "a", "x", 0644); }),
                HasSubstr("none/a.new: cannot be created: No such file or directory"));
    EXPECT_THAT(refusal([&] { const FileDescriptor file(folder / "a", O_RDONLY); }), HasSubstr("a: cannot be opened: No such file"));
    EXPECT_EQ(refusal([&] { FileDescriptor("/dev/full", O_WRONLY).write("x"); }), "/dev/full: cannot be written: No space left on device");
    std::filesystem::create_directory(folder / "a");
    std::filesystem::create_directory(folder / "a" / "b");
    EXPECT_THAT(refusal([&] { replace_file(folder / "a", "x", 0644); }), HasSubstr("a: cannot be replaced: "));
    EXPECT_EQ(folder.entries(), 1U) << "no temporary file stays";
}

}  // namespace
}  // namespace medley::executor
