#include "executor/session/wal_file.h"

#include <csignal>

#include <gmock/gmock.h>
#include <sys/resource.h>

#include "tests/support/temporary_folder.h"

namespace medley::executor {
namespace {

using test::TemporaryFolder;
using testing::HasSubstr;

std::vector<Term> terms_in(const std::filesystem::path& file, std::string* note = nullptr) {
    WalFile::Opened opened;
    const WalFile wal(file, &opened);
    std::vector<Term> terms;
    for (const Record& record : opened.records) { terms.push_back(std::get<TermRecord>(record).term); }
    if (note != nullptr) { *note = opened.note; }
    return terms;
}

bool append(WalFile& wal, Term term) {
    wal.add(TermRecord{term});
    return wal.write(false);
}

/// No file of this process may grow, as if the disk were full.
class FullDisk {
 public:
    FullDisk() {
        std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit full{.rlim_cur = 1, .rlim_max = before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &full);
    }
    ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &before_); }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

 private:
    rlimit before_{};
};

TEST(WalFile, RecordsComeBackInOrderAndMoreAreAppended) {
    const TemporaryFolder folder;
    {
        WalFile wal(folder / "wal");
        EXPECT_TRUE(append(wal, 1));
        wal.add(TermRecord{2});
        wal.add(TermRecord{3});
        EXPECT_TRUE(wal.pending());
        EXPECT_TRUE(wal.write(true));
        EXPECT_FALSE(wal.pending());
    }
    EXPECT_EQ(terms_in(folder / "wal"), (std::vector<Term>{1, 2, 3}));
    {
        WalFile wal(folder / "wal");
        EXPECT_TRUE(append(wal, 4));
    }
    EXPECT_EQ(terms_in(folder / "wal"), (std::vector<Term>{1, 2, 3, 4}));
}

TEST(WalFile, ATornEndIsCutOffAndWhatFollowsCanBeRead) {
    const TemporaryFolder folder;
    std::size_t whole = 0;
    {
        WalFile wal(folder / "wal");
        append(wal, 1);
        whole = std::filesystem::file_size(folder / "wal");
        append(wal, 2);
    }
    const std::size_t size = std::filesystem::file_size(folder / "wal");
    const std::string bytes = test::contents(folder / "wal");
    for (std::size_t torn = whole + 1; torn < size; ++torn) {
        std::ofstream(folder / "wal", std::ios::binary) << bytes.substr(0, torn);
        {
            WalFile wal(folder / "wal");
            append(wal, 3);
        }
        EXPECT_EQ(terms_in(folder / "wal"), (std::vector<Term>{1, 3})) << torn;
    }
}

TEST(WalFile, DamageIsSaidAndEndsTheLogThere) {
    const TemporaryFolder folder;
    {
        WalFile wal(folder / "wal");
        for (const Term term : {1, 2, 3}) { append(wal, term); }
    }
    std::string bytes = test::contents(folder / "wal");
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    std::ofstream(folder / "wal", std::ios::binary) << bytes;
    std::string note;
    EXPECT_EQ(terms_in(folder / "wal", &note), (std::vector<Term>{1}));
    EXPECT_THAT(note, HasSubstr("damaged after"));
    EXPECT_EQ(terms_in(folder / "wal", &note), (std::vector<Term>{1}));
    EXPECT_EQ(note, "") << "it was cut off";
}

TEST(WalFile, AWriteThatFailsLeavesTheLogAsItWas) {
    const TemporaryFolder folder;
    {
        WalFile wal(folder / "wal");
        append(wal, 1);
        {
            const FullDisk full;
            EXPECT_FALSE(append(wal, 2));
            EXPECT_THAT(wal.problem(), HasSubstr("wal: File too large"));
        }
        EXPECT_TRUE(append(wal, 3));
    }
    EXPECT_EQ(terms_in(folder / "wal"), (std::vector<Term>{1, 3}));
}

}  // namespace
}  // namespace medley::executor
