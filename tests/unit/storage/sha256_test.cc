#include "executor/storage/sha256.h"

#include <gtest/gtest.h>

namespace medley::executor {
namespace {

// Test vectors of FIPS 180-4 as NIST publishes them.
TEST(Sha256, GivesTheStandardsDigests) {
    EXPECT_EQ(hexadecimal(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(hexadecimal(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, PiecesGiveTheDigestOfTheWhole) {
    Sha256 hash;
    for (const char* piece : {"a", "", "bc"}) { hash.add(piece); }
    EXPECT_EQ(hash.finish(), sha256("abc"));
    EXPECT_EQ(sha256("abc").size(), Sha256::kBytes);
}

}  // namespace
}  // namespace medley::executor
