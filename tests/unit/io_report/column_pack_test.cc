#include "io/report/column_pack.h"

#include <gmock/gmock.h>

#include "io/report/base64.h"
#include "tests/unit/io_report/unpacked.h"

namespace medley::io {
namespace {

using testing::ElementsAre;

// The test vectors of RFC 4648, section 10.
TEST(Base64, IsThatOfTheStandard) {
    EXPECT_EQ(to_base64(""), "");
    EXPECT_EQ(to_base64("f"), "Zg==");
    EXPECT_EQ(to_base64("fo"), "Zm8=");
    EXPECT_EQ(to_base64("foo"), "Zm9v");
    EXPECT_EQ(to_base64("foob"), "Zm9vYg==");
    EXPECT_EQ(to_base64("fooba"), "Zm9vYmE=");
    EXPECT_EQ(to_base64("foobar"), "Zm9vYmFy");
    EXPECT_EQ(to_base64("\xfb\xff\xfe"), "+//+");
}

TEST(ColumnPack, GivesBackEveryColumn) {
    ColumnPack pack;
    pack.add("bytes", std::vector<std::uint8_t>{1, 255, 3});
    pack.add("words", std::vector<std::uint32_t>{7, 0xffffffffU});
    pack.add("floats", std::vector<float>{0.5F});
    pack.add("doubles", std::vector<double>{1e300, -0.1});
    pack.add("none", std::vector<double>{});
    pack.add_ascending("times", {5, 5, 1000});
    pack.add_text("text", "a\0b");
    JsonWriter json;
    pack.write_contents(json);
    const auto contents = nlohmann::json::parse(json.text());
    const std::string bytes = test::inflated(test::from_base64(pack.packed()));
    EXPECT_THAT(test::column<std::uint8_t>(contents, bytes, "bytes"), ElementsAre(1, 255, 3));
    EXPECT_THAT(test::column<std::uint32_t>(contents, bytes, "words"), ElementsAre(7, 0xffffffffU));
    EXPECT_THAT(test::column<float>(contents, bytes, "floats"), ElementsAre(0.5F));
    EXPECT_THAT(test::column<double>(contents, bytes, "doubles"), ElementsAre(1e300, -0.1));
    EXPECT_THAT(test::column<double>(contents, bytes, "none"), ElementsAre());
    EXPECT_THAT(test::column<std::uint32_t>(contents, bytes, "times"), ElementsAre(5, 0, 995));
    EXPECT_EQ(contents[5]["type"], "u32-ascending");
    EXPECT_THAT(test::column<char>(contents, bytes, "text"), ElementsAre('a'));
}

}  // namespace
}  // namespace medley::io
