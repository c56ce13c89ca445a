#include "io/results/json_writer.h"

#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace medley::io {
namespace {

std::string json_text(std::string_view text) {
    std::string json;
    append_json_string(json, text);
    return json;
}

TEST(JsonWriter, WritesNestedDocumentsThatAnotherParserReads) {
    JsonWriter json;
    json.begin_object().field("name", "a\"b").field("count", 3).field("share", 0.1).field("known", true);
    json.field("nothing", std::optional<double>());
    json.key("list").begin_array().value(1).value(2.5).begin_object().end_object().end_array();
    json.key("empty").begin_array().end_array().end_object();
    const nlohmann::json read = nlohmann::json::parse(json.text());
    EXPECT_EQ(read, (nlohmann::json{{"name", "a\"b"},
                                    {"count", 3},
                                    {"share", 0.1},
                                    {"known", true},
                                    {"nothing", nullptr},
                                    {"list", {1, 2.5, nlohmann::json::object()}},
                                    {"empty", nlohmann::json::array()}}));
}

TEST(JsonWriter, IndentsByTwoAndEndsWithALineBreak) {
    JsonWriter json;
    json.begin_object().field("a", 1).key("b").begin_array().value(2).end_array().end_object();
    EXPECT_EQ(json.text(), "{\n  \"a\": 1,\n  \"b\": [\n    2\n  ]\n}\n");
}

TEST(JsonWriter, WritesOneLineWhenAskedTo) {
    JsonWriter json(JsonWriter::Style::kOneLine);
    json.begin_object().field("a", 1).key("b").begin_array().value(2).value(3).end_array().end_object();
    EXPECT_EQ(json.text(), "{\"a\":1,\"b\":[2,3]}\n");
}

TEST(JsonWriter, KeepsTheLargestUnsignedNumber) {
    JsonWriter json;
    json.value(std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(json.text(), "18446744073709551615\n");
}

TEST(JsonWriter, WritesWhatIsNoNumberAsNull) {
    JsonWriter json(JsonWriter::Style::kOneLine);
    json.begin_array().value(std::numeric_limits<double>::quiet_NaN()).value(std::numeric_limits<double>::infinity()).end_array();
    EXPECT_EQ(json.text(), "[null,null]\n");
}

TEST(JsonWriter, EscapesQuotesBackslashesAndControlCharacters) {
    EXPECT_EQ(json_text("a\"\\\n\r\t\x01"), R"("a\"\\\n\r\t\u0001")");
    EXPECT_EQ(json_text("Zürich ✓"), "\"Zürich ✓\"");
}

TEST(JsonWriter, ReplacesBytesThatAreNotUtf8) {
    EXPECT_EQ(json_text("a\xff"), "\"a\xef\xbf\xbd\"");
    EXPECT_EQ(json_text("\xc3"), "\"\xef\xbf\xbd\"") << "cut short";
    EXPECT_EQ(json_text("\xc0\xaf"), "\"\xef\xbf\xbd\xef\xbf\xbd\"") << "overlong";
    EXPECT_EQ(json_text("\xed\xa0\x80"), "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"") << "a surrogate";
}

TEST(JsonWriterDeathTest, RefusesAnUnfinishedDocument) {
    JsonWriter json;
    json.begin_object();
    EXPECT_DEATH(json.text(), "broken invariant");
}

}  // namespace
}  // namespace medley::io
