#include "io/compression.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "tests/unit/core/refusal.h"

namespace medley::io {
namespace {

std::string gzip(const std::string& text) {
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    std::string bytes(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
    stream.avail_out = static_cast<uInt>(bytes.size());
    deflate(&stream, Z_FINISH);
    bytes.resize(stream.total_out);
    deflateEnd(&stream);
    return bytes;
}

std::string zstd(const std::string& text) {
    std::string bytes(ZSTD_compressBound(text.size()), '\0');
    bytes.resize(ZSTD_compress(bytes.data(), bytes.size(), text.data(), text.size(), 3));
    return bytes;
}

// Longer than every internal buffer, and not of one letter.
std::string long_text() {
    std::string text;
    for (int line = 0; line < 100'000; ++line) { text += std::to_string(line * 7919) + "\n"; }
    return text;
}

TEST(Compression, IsRecognisedByItsFirstBytes) {
    for (const std::string& text : {std::string(), std::string("a"), long_text()}) {
        EXPECT_EQ(unpack(text), text);
        EXPECT_EQ(unpack(gzip(text)), text);
        EXPECT_EQ(unpack(zstd(text)), text);
    }
}

TEST(Compression, StreamsOneAfterAnotherAreOneText) {
    EXPECT_EQ(unpack(gzip("a\n") + gzip("b\n")), "a\nb\n");
    EXPECT_EQ(unpack(zstd("a\n") + zstd("b\n")), "a\nb\n");
}

TEST(Compression, EveryTruncationIsNoticed) {
    for (const std::string& whole : {gzip("job_id,gpus\n1,2\n"), zstd("job_id,gpus\n1,2\n")}) {
        for (std::size_t length = 4; length < whole.size(); ++length) {
            EXPECT_NE(refusal([&] { unpack(whole.substr(0, length)); }), "") << length;
        }
    }
    EXPECT_EQ(refusal([] { unpack(gzip("text").substr(0, 12)); }), "damaged gzip file: it ends too early");
    EXPECT_EQ(refusal([] { unpack(zstd("text").substr(0, 8)); }), "damaged Zstandard file: it ends too early");
}

TEST(Compression, DamageIsNoticed) {
    std::string bytes = gzip("some text");
    bytes[bytes.size() - 6] ^= 1;  // in the checksum
    EXPECT_EQ(refusal([&] { unpack(bytes); }), "damaged gzip file: incorrect data check");
    EXPECT_NE(refusal([] { unpack(zstd("some text") + "tail"); }), "");
    EXPECT_NE(refusal([] { unpack(gzip("some text") + "tail"); }), "");
}

TEST(Compression, ABombIsRefusedBeforeItGrows) {
    const std::string zeros(1 << 20, '\0');
    EXPECT_EQ(refusal([&] { unpack(gzip(zeros), 1 << 16); }), "too large when unpacked: expected at most 65536 bytes");
    EXPECT_EQ(refusal([&] { unpack(zstd(zeros), 1 << 16); }), "too large when unpacked: expected at most 65536 bytes");
    EXPECT_EQ(unpack(gzip(zeros), 1 << 21).size(), zeros.size());
}

}  // namespace
}  // namespace medley::io
