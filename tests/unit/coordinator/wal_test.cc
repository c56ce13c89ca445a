#include "executor/coordinator/wal.h"

#include <gtest/gtest.h>

#include "executor/coordinator/record_fields.h"

namespace medley::executor {
namespace {

std::vector<Record> records() {
    return {TermRecord{3}, LostRecord{.worker = 2, .step = 7, .reason = "gone"}, CheckpointRecord{1, {.step = 8, .file = "step-8.ckpt"}}};
}

std::string log_of(const std::vector<Record>& records) {
    std::string bytes;
    for (const Record& record : records) { bytes += wal_entry(record); }
    return bytes;
}

std::string as_bytes(const std::vector<Record>& records) { return encode(records); }

TEST(Wal, ReadsWhatWasAppended) {
    const WalContents contents = read_wal(log_of(records()));
    EXPECT_EQ(as_bytes(contents.records), as_bytes(records()));
    EXPECT_EQ(contents.end, WalEnd::kWhole);
    EXPECT_EQ(contents.good_bytes, log_of(records()).size());
}

TEST(Wal, AnEmptyLogIsWhole) {
    EXPECT_EQ(read_wal("").end, WalEnd::kWhole);
    EXPECT_TRUE(read_wal("").records.empty());
}

TEST(Wal, TornAnywhereItReadsAsItsGoodPart) {
    const std::string bytes = log_of(records());
    const std::size_t before = log_of({records()[0], records()[1]}).size();
    for (std::size_t size = before + 1; size < bytes.size(); ++size) {
        const WalContents contents = read_wal(bytes.substr(0, size));
        EXPECT_EQ(contents.records.size(), 2U);
        EXPECT_EQ(contents.good_bytes, before);
        EXPECT_EQ(contents.end, WalEnd::kTorn) << size;
    }
}

TEST(Wal, AnEndOfZerosIsTorn) {
    const std::string bytes = log_of(records());
    const WalContents contents = read_wal(bytes + std::string(500, '\0'));
    EXPECT_EQ(contents.records.size(), 3U);
    EXPECT_EQ(contents.good_bytes, bytes.size());
    EXPECT_EQ(contents.end, WalEnd::kTorn);
}

TEST(Wal, ALastEntryWithHolesIsTorn) {
    std::string bytes = log_of(records());
    bytes[bytes.size() - 2] = static_cast<char>(bytes[bytes.size() - 2] ^ 1);
    EXPECT_EQ(read_wal(bytes).end, WalEnd::kTorn);
    EXPECT_EQ(read_wal(bytes).records.size(), 2U);
}

TEST(Wal, DamageBeforeTheEndIsToldApart) {
    const std::string bytes = log_of(records());
    const std::size_t last = log_of({records()[0], records()[1]}).size();
    for (std::size_t at = 0; at < last; ++at) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
        const WalContents contents = read_wal(damaged);
        EXPECT_EQ(contents.end, WalEnd::kDamaged) << at;
        EXPECT_LT(contents.records.size(), 2U) << at;
    }
}

TEST(Wal, TheChecksumIsTheUsualCrc32) { EXPECT_EQ(crc32("123456789"), 0xCBF43926U); }

}  // namespace
}  // namespace medley::executor
