#include "executor/protocol/frame.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/rng.h"

namespace medley::executor {
namespace {

constexpr std::size_t kHeader = 4 + kTagBytes;

ConnectionKey key_of(unsigned char first) {
    ConnectionKey key{};
    key[0] = first;
    return key;
}
FrameWriter writer(unsigned char key = 1, bool from_acceptor = true) { return {key_of(key), from_acceptor}; }
FrameReader reader(unsigned char key = 1, bool from_acceptor = true) { return {key_of(key), from_acceptor}; }

/// Whether this is refused as a whole, for good.
bool refuses(FrameReader in, std::string_view bytes) {
    in.feed(bytes);
    return !in.next() && in.failed();
}

TEST(Frame, WhatIsSealedComesOutInOrder) {
    FrameWriter out = writer();
    FrameReader in = reader();
    for (const char* payload : {"one", "", "three"}) { in.feed(out.seal(payload)); }
    EXPECT_EQ(in.next(), "one");
    EXPECT_EQ(in.next(), "");
    EXPECT_EQ(in.next(), "three");
    EXPECT_EQ(in.next(), std::nullopt);
    EXPECT_FALSE(in.failed());
}

// The layout is the contract with programs of other builds: length, tag, payload.
TEST(Frame, ALengthInLittleEndianAndATagStandBeforeThePayload) {
    FrameWriter out = writer();
    const std::string frame = out.seal(std::string(258, 'p'));
    EXPECT_EQ(frame.substr(0, 4), std::string("\x02\x01\x00\x00", 4));
    EXPECT_EQ(frame.size(), kHeader + 258);
    EXPECT_EQ(frame.substr(kHeader), std::string(258, 'p'));
}

TEST(Frame, PiecesOfAnySizeGiveTheSamePayloads) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Rng random(seed);
        FrameWriter out = writer();
        std::vector<std::string> sent;
        std::string bytes;
        for (int count = 0; count < 20; ++count) {
            sent.emplace_back(random.below(300), static_cast<char>('a' + count));
            bytes += out.seal(sent.back());
        }
        FrameReader in = reader();
        std::vector<std::string> received;
        for (std::size_t start = 0; start < bytes.size();) {
            const std::size_t size = 1 + random.below(random.chance(0.5) ? 4 : 500);
            in.feed(std::string_view(bytes).substr(start, size));
            start += size;
            while (const auto payload = in.next()) { received.push_back(*payload); }
        }
        ASSERT_EQ(received, sent) << "seed " << seed;
    }
}

TEST(Frame, TheLargestPayloadPassesAndALargerOneIsRefusedByItsLengthAlone) {
    FrameWriter out = writer();
    FrameReader in = reader();
    in.feed(out.seal(std::string(kMostFrameBytes, 'x')));
    EXPECT_EQ(in.next()->size(), kMostFrameBytes);
    std::string header(kHeader, '\0');
    header[0] = 1;
    header[3] = 1;
    ASSERT_EQ(kMostFrameBytes, 1U << 24);
    EXPECT_TRUE(refuses(reader(), header));
    EXPECT_TRUE(refuses(reader(), std::string(kHeader, '\xff')));
}

TEST(Frame, ATruncatedFrameIsWaitedForAndNeverDelivered) {
    FrameWriter out = writer();
    const std::string frame = out.seal("payload");
    for (std::size_t size = 0; size < frame.size(); ++size) {
        FrameReader in = reader();
        in.feed(std::string_view(frame).substr(0, size));
        EXPECT_EQ(in.next(), std::nullopt);
        EXPECT_FALSE(in.failed());
    }
}

TEST(Frame, EachAlteredBitIsFound) {
    FrameWriter out = writer();
    std::string frame = out.seal("payload");
    frame += out.seal("more");
    const std::size_t first = kHeader + 7;
    for (std::size_t bit = 8 * 4; bit < 8 * first; ++bit) {
        std::string altered = frame;
        altered[bit / 8] = static_cast<char>(altered[bit / 8] ^ (1 << (bit % 8)));
        EXPECT_TRUE(refuses(reader(), altered)) << bit;
    }
    std::string shorter = frame;
    shorter[0] = 6;
    EXPECT_TRUE(refuses(reader(), shorter));
    std::string longer = frame;
    longer[0] = 8;
    EXPECT_TRUE(refuses(reader(), longer));
}

TEST(Frame, AReplayedFrameIsRefused) {
    FrameWriter out = writer();
    FrameReader in = reader();
    const std::string frame = out.seal("pay");
    in.feed(frame + frame);
    EXPECT_EQ(in.next(), "pay");
    EXPECT_EQ(in.next(), std::nullopt);
    EXPECT_TRUE(in.failed());
}

TEST(Frame, FramesInAnotherOrderOrWithOneLeftOutAreRefused) {
    FrameWriter out = writer();
    const std::string first = out.seal("first");
    const std::string second = out.seal("second");
    EXPECT_TRUE(refuses(reader(), second + first));
    EXPECT_TRUE(refuses(reader(), second));
}

TEST(Frame, AReflectedFrameIsRefused) {
    FrameWriter out = writer(1, true);
    EXPECT_TRUE(refuses(reader(1, false), out.seal("mine")));
}

TEST(Frame, AFrameOfAnotherConnectionIsRefused) {
    FrameWriter out = writer(2);
    EXPECT_TRUE(refuses(reader(1), out.seal("foreign")));
}

TEST(Frame, NothingIsDeliveredAfterAFailure) {
    FrameWriter out = writer();
    FrameReader in = reader();
    const std::string good = out.seal("good");
    in.feed(std::string(kHeader, '\xff'));
    EXPECT_EQ(in.next(), std::nullopt);
    in.feed(good);
    EXPECT_EQ(in.next(), std::nullopt);
    EXPECT_TRUE(in.failed());
}

}  // namespace
}  // namespace medley::executor
