#include "executor/training/checkpoint.h"

#include <sys/resource.h>

#include <csignal>
#include <fstream>

#include <gtest/gtest.h>

#include "core/error.h"
#include "executor/training/checkpoint_writer.h"
#include "tests/support/temporary_folder.h"

namespace medley::executor {
namespace {

namespace fs = std::filesystem;

StateSnapshot snapshot_at(Step step) {
    return {.step = step,
            .loss = 0.25,
            .fingerprint = "job",
            .sections = {{"parameters", std::string(100, 'p')}, {"slots", "0123456789"}, {"none", ""}}};
}

std::string problem_of(const fs::path& file, const std::string& job = "job") {
    try {
        read_checkpoint(file, job);
        return "none";
    } catch (const Error& error) { return error.what(); }
}

void replace(const fs::path& file, const std::string& bytes) { std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes; }

class Checkpoints : public testing::Test {
 protected:
    fs::path written(Step step, int keep = 100) const { return write_checkpoint(folder_.path(), snapshot_at(step), keep).file; }
    fs::path file(Step step) const { return checkpoint_path(folder_.path(), step); }

    test::TemporaryFolder folder_;
};

TEST_F(Checkpoints, AreReadAsTheyWereWritten) {
    const Checkpointed result = write_checkpoint(folder_.path(), snapshot_at(12), 1);
    EXPECT_EQ(result.step, 12);
    EXPECT_EQ(result.file, file(12).string());
    EXPECT_EQ(result.bytes, static_cast<std::int64_t>(fs::file_size(file(12))));
    EXPECT_EQ(folder_.entries(), 1U);
    const StateSnapshot read = read_checkpoint(file(12), "job");
    EXPECT_EQ(read.step, 12);
    EXPECT_EQ(read.loss, 0.25);
    EXPECT_EQ(read.sections, snapshot_at(12).sections);
}

TEST_F(Checkpoints, BeyondThoseToKeepAreRemovedOldestFirst) {
    for (const Step step : {9, 10, 100, 20}) { written(step, 2); }
    // 100 is of a later step than the one just written: it is left alone.
    EXPECT_TRUE(fs::exists(file(100)) && fs::exists(file(20)) && fs::exists(file(10)));
    EXPECT_FALSE(fs::exists(file(9)));
}

TEST_F(Checkpoints, OfWritersThatDiedAreRemovedOnceThereIsANewerOne) {
    replace(file(3).string() + ".tmp99", "half");
    replace(file(8).string() + ".tmp99", "half");
    replace(folder_ / "step-3.ckpt.bak", "not ours");
    written(5);
    EXPECT_FALSE(fs::exists(file(3).string() + ".tmp99"));
    EXPECT_TRUE(fs::exists(file(8).string() + ".tmp99"));
    EXPECT_TRUE(fs::exists(folder_ / "step-3.ckpt.bak"));
}

TEST_F(Checkpoints, AreRefusedWhenCutShortAnywhere) {
    const std::string whole = test::contents(written(1));
    for (std::size_t size = 0; size < whole.size(); ++size) {
        replace(file(1), whole.substr(0, size));
        const std::string problem = problem_of(file(1));
        ASSERT_NE(problem.find(size == 0 ? "is empty" : "cut short"), std::string::npos) << size << ": " << problem;
        ASSERT_EQ(problem.find(file(1).string()), 0U);
    }
    replace(file(1), whole + "x");
    EXPECT_NE(problem_of(file(1)).find("1 bytes beyond its end"), std::string::npos);
}

TEST_F(Checkpoints, AreRefusedWhenAnyByteIsWrong) {
    const std::string whole = test::contents(written(1));
    for (std::size_t place = 0; place < whole.size(); ++place) {
        for (const int bit : {0, 3, 7}) {
            std::string wrong = whole;
            wrong[place] = static_cast<char>(wrong[place] ^ (1 << bit));
            replace(file(1), wrong);
            ASSERT_NE(problem_of(file(1)), "none") << "byte " << place << ", bit " << bit;
        }
    }
}

TEST_F(Checkpoints, SayWhatIsWrongWithThem) {
    const std::string whole = test::contents(written(1));
    EXPECT_NE(problem_of(file(1), "another").find("of another job"), std::string::npos);
    EXPECT_NE(problem_of(file(2)).find("cannot be opened"), std::string::npos);
    replace(file(1), "PK\x03\x04 and so on, for a while");
    EXPECT_NE(problem_of(file(1)).find("not a checkpoint of Medley"), std::string::npos);
    std::string wrong = whole;
    wrong[8] = 2;
    replace(file(1), wrong);
    EXPECT_NE(problem_of(file(1)).find("checkpoint version: found '2', expected 1"), std::string::npos);
    wrong = whole;
    wrong[whole.size() - 40] ^= 1;
    replace(file(1), wrong);
    EXPECT_NE(problem_of(file(1)).find("damaged: its checksum is wrong"), std::string::npos);
}

TEST_F(Checkpoints, AreFoundByTheNewestThatIsGood) {
    for (const Step step : {5, 20, 100}) { written(step); }
    fs::resize_file(file(100), 50);
    const NewestCheckpoint found = find_checkpoint(folder_.path(), "job");
    EXPECT_EQ(found.file, file(20));
    EXPECT_EQ(found.step, 20);
    ASSERT_EQ(found.skipped.size(), 1U);
    EXPECT_NE(found.skipped[0].find("step-100.ckpt: the checkpoint is cut short: 50 bytes of"), std::string::npos) << found.skipped[0];
    const NewestCheckpoint foreign = find_checkpoint(folder_.path(), "another");
    EXPECT_FALSE(foreign.file);
    EXPECT_EQ(foreign.skipped.size(), 3U);
    EXPECT_FALSE(find_checkpoint(folder_ / "nowhere", "job").file);
}

/// A limit on the size of files is how a disk that fills up looks to a writer: the first part is written, the next is not.
class FullDisk {
 public:
    explicit FullDisk(rlim_t bytes) {
        std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FullDisk() { setrlimit(RLIMIT_FSIZE, &before_); }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

 private:
    rlimit before_{};
};

TEST_F(Checkpoints, ThatDoNotFitOnTheDiskLeaveNothingBehind) {
    written(1);
    for (const rlim_t room : {0U, 20U, 100U, 200U}) {
        const FullDisk disk(room);
        try {
            written(2, 1);
            ADD_FAILURE() << "there was no room";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("step-2.ckpt.tmp"), std::string::npos) << error.what();
            EXPECT_NE(std::string(error.what()).find("cannot be written: File too large"), std::string::npos) << error.what();
        }
    }
    EXPECT_EQ(folder_.entries(), 1U);
    EXPECT_EQ(find_checkpoint(folder_.path(), "job").step, 1);
}

TEST_F(Checkpoints, IntoAFolderThatIsNotThereAreRefused) { EXPECT_THROW(write_checkpoint(folder_ / "nowhere", snapshot_at(1), 1), Error); }

TEST_F(Checkpoints, AreWrittenInTheBackgroundOneAtATime) {
    CheckpointWriter writer(folder_.path(), 2);
    EXPECT_FALSE(writer.wait());
    writer.start(snapshot_at(4));
    EXPECT_TRUE(writer.busy());
    const auto done = writer.wait();
    ASSERT_TRUE(done);
    EXPECT_EQ(done->step, 4);
    EXPECT_EQ(done->error, "");
    EXPECT_FALSE(writer.busy());
    EXPECT_EQ(read_checkpoint(file(4), "job").step, 4);
}

TEST_F(Checkpoints, ThatFailInTheBackgroundSayWhy) {
    CheckpointWriter writer(folder_ / "nowhere", 2);
    writer.start(snapshot_at(4));
    const auto done = writer.wait();
    ASSERT_TRUE(done);
    EXPECT_EQ(done->step, 4);
    EXPECT_NE(done->error.find("cannot be created: No such file or directory"), std::string::npos);
}

TEST(Fingerprint, TellsJobsApartButNotHowTheyAreRun) {
    const RunSetup setup{.job = {.name = "a", .model = MlpModel{}}, .virtual_nodes = {4, 4}, .directory = "/here"};
    const std::string mine = fingerprint(setup);
    const auto changed = [&](const auto& change) {
        RunSetup other = setup;
        change(other);
        return fingerprint(other) != mine;
    };
    EXPECT_FALSE(changed([](RunSetup&) {}));
    EXPECT_FALSE(changed([](RunSetup& other) { other.job.name = "b"; }));
    EXPECT_FALSE(changed([](RunSetup& other) { other.job.steps = 7; }));
    EXPECT_FALSE(changed([](RunSetup& other) { other.job.checkpoint.every_steps = 7; }));
    EXPECT_FALSE(changed([](RunSetup& other) { other.directory = "/there"; }));
    EXPECT_FALSE(changed([](RunSetup& other) { other.collective = "host"; }));
    EXPECT_FALSE(changed([](RunSetup& other) { other.mode = Mode::kInference; }));
    EXPECT_TRUE(changed([](RunSetup& other) { other.job.seed = 1; }));
    EXPECT_TRUE(changed([](RunSetup& other) { other.job.model = MlpModel{.inputs = 31}; }));
    EXPECT_TRUE(changed([](RunSetup& other) { other.job.model = CnnModel{}; }));
    EXPECT_TRUE(changed([](RunSetup& other) { other.job.optimizer.momentum = 0.9; }));
    EXPECT_TRUE(changed([](RunSetup& other) { other.job.data = SyntheticData{.samples = 7}; }));
    EXPECT_TRUE(changed([](RunSetup& other) { other.virtual_nodes = {4, 2, 2}; }));
    EXPECT_TRUE(changed([](RunSetup& other) { other.exact = true; }));
}

TEST(StateDigest, TellsStatesApart) {
    std::string bytes = "abcdef";
    const auto section = [&](const std::string& name, std::size_t first, std::size_t count) {
        return StateSection{.name = name, .bytes = std::as_writable_bytes(std::span(bytes)).subspan(first, count)};
    };
    const std::string mine = state_digest(1, {section("a", 0, 3), section("b", 3, 3)});
    EXPECT_EQ(mine.size(), 64U);
    EXPECT_EQ(mine, state_digest(1, {section("a", 0, 3), section("b", 3, 3)}));
    EXPECT_NE(mine, state_digest(2, {section("a", 0, 3), section("b", 3, 3)}));
    EXPECT_NE(mine, state_digest(1, {section("a", 0, 4), section("b", 4, 2)}));
    EXPECT_NE(mine, state_digest(1, {section("a", 0, 3), section("c", 3, 3)}));
    EXPECT_NE(mine, state_digest(1, {section("a", 0, 6)}));
    const std::string before = mine;
    bytes[5] = 'g';
    EXPECT_NE(before, state_digest(1, {section("a", 0, 3), section("b", 3, 3)}));
}

}  // namespace
}  // namespace medley::executor
