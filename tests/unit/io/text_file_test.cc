#include "io/text_file.h"

#include <unistd.h>

#include <gmock/gmock.h>

#include "tests/unit/core/refusal.h"
#include "tests/unit/io/temporary_folder.h"

namespace medley::io {
namespace {

using testing::HasSubstr;

TEST(TextFile, IsReadToTheLastByte) {
    const TemporaryFolder folder;
    const std::string bytes = std::string("a\0b\r\n", 5) + std::string(200'000, 'x');
    EXPECT_EQ(read_text_file(folder.add("file", bytes)), bytes);
    EXPECT_EQ(read_text_file(folder.add("empty", "")), "");
}

TEST(TextFile, WhatCannotBeReadIsNamed) {
    const TemporaryFolder folder;
    const std::string missing = (folder.path() / "missing.csv").string();
    EXPECT_EQ(refusal([&] { read_text_file(missing); }),
              missing + ": cannot be opened (No such file or directory): expected a readable file");
    EXPECT_EQ(refusal([&] { read_text_file("/dev/zero"); }), "/dev/zero: is a device: expected a readable file");
    EXPECT_EQ(refusal([&] { read_text_file(folder.path()); }), folder.path().string() + ": is a directory: expected a readable file");
    EXPECT_THAT(refusal([&] { read_text_file(folder.add("short.gz", "\x1f\x8b")); }), HasSubstr("short.gz: damaged gzip file"));
}

TEST(TextFile, AFileWithoutPermissionIsNamed) {
    if (geteuid() == 0) { GTEST_SKIP() << "root may read every file"; }
    const TemporaryFolder folder;
    const auto path = folder.add("secret", "x");
    std::filesystem::permissions(path, std::filesystem::perms::none);
    EXPECT_EQ(refusal([&] { read_text_file(path); }), path.string() + ": cannot be opened (Permission denied): expected a readable file");
}

TEST(TextFile, AByteOrderMarkIsNoText) {
    EXPECT_EQ(without_byte_order_mark("\xEF\xBB\xBF"
                                      "a"),
              "a");
    EXPECT_EQ(without_byte_order_mark("a"), "a");
}

TEST(TextFile, KnowsUtf8) {
    for (const char* text : {"", "plain", "\xC3\xA4", "\xE2\x82\xAC", "\xED\x9F\xBF", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF"}) {
        EXPECT_EQ(refusal([&] { require_utf8(text); }), "") << text;
    }
    // Overlong forms, surrogates, beyond U+10FFFF, cut short, lone continuation (Unicode 15, table 3-7).
    for (const char* text : {"\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80", "\xF4\x90\x80\x80",
                             "\xF5\x80\x80\x80", "\xE2\x82", "\x80",
                             "\xFF\xFE"
                             "a"}) {
        EXPECT_NE(refusal([&] { require_utf8(text); }), "") << text;
    }
    EXPECT_EQ(refusal([] { require_utf8("a\nb\n\xFF"); }), "line 3: found 'byte 0xff', expected UTF-8 text");
    EXPECT_EQ(refusal([] { require_utf8(std::string_view("a\0b", 3)); }), "line 1: found 'byte 0x00', expected UTF-8 text");
}

}  // namespace
}  // namespace medley::io
