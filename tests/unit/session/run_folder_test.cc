#include "executor/session/run_folder.h"

#include <fstream>

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "core/error.h"
#include "tests/support/temporary_folder.h"

namespace medley::executor {
namespace {

using test::contents;
using test::TemporaryFolder;
using testing::HasSubstr;

mode_t mode_of(const std::filesystem::path& file) {
    struct stat facts {};
    ::stat(file.c_str(), &facts);
    return facts.st_mode & 0777;
}

/// What the refusal says; empty if there is none.
template <class Act>
std::string refusal(Act act) {
    try {
        act();
        return "";
    } catch (const Error& error) { return error.what(); }
}

RunDescription small_run() {
    RunDescription run;
    run.setup.job.name = "small";
    run.setup.virtual_nodes = {4, 2};
    run.placement.places = {{.device = "cpu", .virtual_nodes = {0}}, {.device = "cuda:1", .virtual_nodes = {1}}};
    return run;
}

TEST(SecretFile, IsForItsOwnerAloneAndReadsBack) {
    const TemporaryFolder folder;
    const Secret secret = create_secret(folder.path());
    EXPECT_EQ(mode_of(folder / "secret"), 0600U);
    EXPECT_EQ(read_secret(folder.path()), secret);
    EXPECT_NE(secret, Secret{});
}

TEST(SecretFile, IsNeverWrittenOver) {
    const TemporaryFolder folder;
    const Secret secret = create_secret(folder.path());
    EXPECT_THAT(refusal([&] { create_secret(folder.path()); }), HasSubstr("secret: cannot be created: File exists"));
    EXPECT_EQ(read_secret(folder.path()), secret);
}

TEST(SecretFile, ThatOthersCanReadOrThatIsALinkOrOfAnotherSizeIsRefused) {
    const TemporaryFolder folder;
    EXPECT_THAT(refusal([&] { read_secret(folder.path()); }), HasSubstr("secret: cannot be opened"));
    create_secret(folder.path());
    ::chmod((folder / "secret").c_str(), 0640);
    EXPECT_THAT(refusal([&] { read_secret(folder.path()); }), HasSubstr("others can read"));
    ::chmod((folder / "secret").c_str(), 0600);
    std::filesystem::resize_file(folder / "secret", 31);
    EXPECT_THAT(refusal([&] { read_secret(folder.path()); }), HasSubstr("expected 32 bytes"));
    std::filesystem::rename(folder / "secret", folder / "elsewhere");
    std::filesystem::create_symlink(folder / "elsewhere", folder / "secret");
    EXPECT_THAT(refusal([&] { read_secret(folder.path()); }), HasSubstr("cannot be opened"));
}

TEST(EndpointFile, ReadsBackAndIsReplaced) {
    const TemporaryFolder folder;
    publish_endpoint(folder.path(), {.host = "127.0.0.1", .port = 4000});
    publish_endpoint(folder.path(), {.host = "::1", .port = 65535});
    EXPECT_EQ(contents(folder / "endpoint"), "[::1]:65535\n");
    EXPECT_EQ(read_endpoint(folder.path()).host, "::1");
    EXPECT_EQ(read_endpoint(folder.path()).port, 65535);
    EXPECT_EQ(folder.entries(), 1U) << "no temporary file stays";
}

TEST(EndpointFile, WithOtherContentsIsRefused) {
    const TemporaryFolder folder;
    for (const char* text : {"", "localhost", ":4000", "localhost:", "localhost:0", "localhost:65536", "localhost:40x", "a:1:"}) {
        std::ofstream(folder / "endpoint") << text;
        EXPECT_THAT(refusal([&] { read_endpoint(folder.path()); }), HasSubstr("endpoint")) << text;
    }
}

TEST(RunFile, ReadsBack) {
    const TemporaryFolder folder;
    write_run(folder.path(), small_run());
    const RunDescription run = read_run(folder.path());
    EXPECT_EQ(run.setup.job.name, "small");
    EXPECT_EQ(run.setup.virtual_nodes, small_run().setup.virtual_nodes);
    EXPECT_EQ(run.placement.places.at(1).device, "cuda:1");
}

TEST(RunFile, EachAlteredByteAndEachTruncationIsFound) {
    const TemporaryFolder folder;
    write_run(folder.path(), small_run());
    const std::string good = contents(folder / "run.bin");
    for (std::size_t index = 0; index < good.size(); ++index) {
        std::string altered = good;
        altered[index] = static_cast<char>(altered[index] ^ 4);
        std::ofstream(folder / "run.bin", std::ios::binary) << altered;
        EXPECT_NE(refusal([&] { read_run(folder.path()); }), "") << index;
        std::ofstream(folder / "run.bin", std::ios::binary) << good.substr(0, index);
        EXPECT_NE(refusal([&] { read_run(folder.path()); }), "") << index;
    }
}

TEST(RunFile, AFolderWithoutOneHoldsNoRun) {
    const TemporaryFolder folder;
    EXPECT_THAT(refusal([&] { read_run(folder.path()); }), HasSubstr("holds no run"));
}

TEST(RunLock, IsOneProcesssAtATime) {
    const TemporaryFolder folder;
    {
        const RunLock lock(folder.path());
        EXPECT_THAT(refusal([&] { const RunLock second(folder.path()); }), HasSubstr("already running"));
    }
    EXPECT_EQ(refusal([&] { const RunLock third(folder.path()); }), "");
}

}  // namespace
}  // namespace medley::executor
