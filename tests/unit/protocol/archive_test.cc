#include "executor/protocol/archive.h"

#include <limits>

#include <gtest/gtest.h>

namespace medley::executor {
namespace {

enum class Colour : std::uint8_t { kRed, kGreen };
constexpr Colour last_of(Colour) { return Colour::kGreen; }

struct Everything {
    bool flag = false;
    Colour colour = Colour::kRed;
    std::int32_t small = 0;
    std::uint64_t large = 0;
    double number = 0;
    std::string text;
    std::vector<std::string> list;
    std::variant<std::int64_t, std::string> either;
    std::optional<std::uint32_t> maybe;
    std::pair<std::int64_t, std::string> both;
    bool operator==(const Everything&) const = default;
};
template <class Archive>
void visit_fields(Archive& archive, Everything& value) {
    archive(value.flag, value.colour, value.small, value.large, value.number, value.text, value.list, value.either, value.maybe,
            value.both);
}

Everything sample() {
    return {.flag = true,
            .colour = Colour::kGreen,
            .small = -7,
            .large = std::numeric_limits<std::uint64_t>::max(),
            .number = -0.1,
            .text = std::string("a\0b", 3),
            .list = {"", "x"},
            .either = std::string("or"),
            .maybe = 5,
            .both = {-1, "two"}};
}

TEST(Archive, EveryKindOfFieldComesBack) {
    EXPECT_EQ(decode<Everything>(encode(sample())), sample());
    EXPECT_EQ(decode<Everything>(encode(Everything{})), Everything{});
}

TEST(Archive, NumbersAreLittleEndianAndOfFixedWidth) {
    EXPECT_EQ(encode(std::uint32_t{0x01020304}), "\x04\x03\x02\x01");
    EXPECT_EQ(encode(std::string("ab")), std::string("\x02\0\0\0ab", 6));
}

TEST(Archive, NoBeginningOfAValueIsAValue) {
    const std::string bytes = encode(sample());
    for (std::size_t size = 0; size < bytes.size(); ++size) { EXPECT_FALSE(decode<Everything>(bytes.substr(0, size))) << size; }
}

TEST(Archive, NothingMayFollowAValue) { EXPECT_FALSE(decode<Everything>(encode(sample()) + '\0')); }

TEST(Archive, WhatNoWriterWritesIsRefused) {
    EXPECT_FALSE(decode<bool>("\x02"));
    EXPECT_FALSE(decode<Colour>("\x02"));
    EXPECT_FALSE((decode<std::variant<bool, Colour>>(std::string("\x02\x00", 2))));
    EXPECT_FALSE(decode<std::optional<bool>>("\x02\x01"));
}

// A million strings are claimed, none is there: refused without an attempt to make room for them.
TEST(Archive, ALengthBeyondTheBytesIsALie) {
    EXPECT_FALSE(decode<std::string>(std::string("\xFF\xFF\xFF\xFF", 4)));
    EXPECT_FALSE(decode<std::vector<std::string>>(std::string("\xFF\xFF\xFF\xFFzz", 6)));
    EXPECT_FALSE(decode<std::vector<std::string>>(std::string("\x02\0\0\0\0\0\0\0", 8)));
}

TEST(Archive, AListReadIntoAnOldOneReplacesIt) {
    std::vector<std::string> list = {"old"};
    const std::string bytes = encode(std::vector<std::string>{"new"});
    Reader reader(bytes);
    reader(list);
    EXPECT_TRUE(reader.complete());
    EXPECT_EQ(list, std::vector<std::string>{"new"});
}

}  // namespace
}  // namespace medley::executor
