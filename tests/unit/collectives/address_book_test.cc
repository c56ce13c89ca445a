#include "executor/collectives/gloo/address_book.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/rng.h"

namespace medley::executor {
namespace {

bool are_peers(int one, int other, int size) {
    const std::vector<int> peers = peers_of(one, size);
    return std::find(peers.begin(), peers.end(), other) != peers.end();
}

TEST(PeersOf, AreEverybodyElseAmongFew) {
    for (int size = 1; size <= kFewRanks; ++size) {
        for (int rank = 0; rank < size; ++rank) {
            EXPECT_EQ(peers_of(rank, size).size(), static_cast<std::size_t>(size - 1));
            EXPECT_FALSE(are_peers(rank, rank, size));
        }
    }
}

TEST(PeersOf, HoldBothWaysAndAreEquallyMany) {
    for (const int size : {9, 12, 16, 31, 100, 128}) {
        for (int rank = 0; rank < size; ++rank) {
            EXPECT_EQ(peers_of(rank, size).size(), peers_of(0, size).size());
            for (const int peer : peers_of(rank, size)) { EXPECT_TRUE(are_peers(peer, rank, size)); }
        }
    }
}

TEST(PeersOf, AreFewAmongMany) { EXPECT_EQ(peers_of(5, 128).size(), 13u); }

TEST(PeersOf, ContainWhomRingDoublingAndTreesNeed) {
    for (const int size : {9, 12, 16, 31, 100, 128}) {
        for (int rank = 0; rank < size; ++rank) {
            EXPECT_TRUE(are_peers(rank, (rank + 1) % size, size));
            for (int distance = 1; distance < size; distance *= 2) {
                EXPECT_TRUE(are_peers(rank, (rank + distance) % size, size));
                if ((rank ^ distance) < size) { EXPECT_TRUE(are_peers(rank, rank ^ distance, size)); }
            }
        }
    }
}

TEST(AddressBook, SurvivesItsEncoding) {
    Rng random(3);
    for (int round = 0; round < 200; ++round) {
        AddressBook book;
        const auto count = random.below(20);
        for (std::uint64_t entry = 0; entry < count; ++entry) {
            std::vector<char> bytes(random.below(300));
            for (char& byte : bytes) { byte = random.chance(0.8) ? '\0' : static_cast<char>(random.below(256)); }
            book[static_cast<int>(random.below(100'000))] = bytes;
        }
        EXPECT_EQ(decode_address_book(encode(book)), book);
    }
}

TEST(AddressBook, ShortensRunsOfZeros) {
    const AddressBook book = {{3, std::vector<char>(136, '\0')}};
    EXPECT_LT(encode(book).size(), 8u);
}

TEST(AddressBook, RefusesWhatIsNone) {
    const std::string good = encode({{3, {1, 2, 3}}, {300, {0, 0, 9}}});
    for (std::size_t length = 1; length < good.size(); ++length) {
        const auto cut = decode_address_book(good.substr(0, length));
        EXPECT_TRUE(!cut || cut->size() == 1) << length;
    }
    EXPECT_FALSE(decode_address_book(std::string("\x01\xff\xff\xff\x7f", 5))) << "an address of 256 MiB";
    EXPECT_FALSE(decode_address_book(std::string("\x01\x02\x00\x7f", 4))) << "more zeros than the address is long";
    Rng random(4);
    for (int round = 0; round < 2000; ++round) {
        std::string bytes(random.below(40), '\0');
        for (char& byte : bytes) { byte = static_cast<char>(random.below(256)); }
        decode_address_book(bytes);
    }
}

}  // namespace
}  // namespace medley::executor
