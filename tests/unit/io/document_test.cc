#include "io/document.h"

#include <gmock/gmock.h>

#include "tests/unit/core/refusal.h"

namespace medley::io {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string document_refusal_of(
    const std::string& text, const std::function<void(const DocumentNode&)>& read = [](const DocumentNode&) {}) {
    return refusal([&] { read_document(text, "f.yaml", read); });
}

TEST(Document, YamlAndJsonGiveTheSameTree) {
    for (const char* text : {"a: 1\nb: [x, {c: true}]\nd:\n", "{\"a\": 1, \"b\": [\"x\", {\"c\": true}], \"d\": null}"}) {
        read_document(text, "f", [](const DocumentNode& root) {
            EXPECT_EQ(root.at("a").whole(0, 9), 1);
            EXPECT_EQ(root.at("b").list_items()[0].text(), "x");
            EXPECT_TRUE(root.at("b").list_items()[1].at("c").boolean());
            EXPECT_EQ(root.at("b").list_items()[1].at("c").path(), "b[1].c");
            EXPECT_EQ(root.find("d"), nullptr);
            EXPECT_EQ(root.find("e"), nullptr);
        });
    }
}

TEST(Document, EveryRefusalNamesFileLineAndPath) {
    const std::string text = "a:\n  b: [1, x]\n";
    EXPECT_EQ(document_refusal_of(text, [](const DocumentNode& root) { root.at("a").at("b").list_items()[1].number(); }),
              "f.yaml: line 2, a.b[1]: found 'x', expected a finite number");
    EXPECT_EQ(document_refusal_of(text, [](const DocumentNode& root) { root.at("a").at("c"); }),
              "f.yaml: line 2, a.c: expected a value, which is missing");
    EXPECT_EQ(document_refusal_of(text, [](const DocumentNode& root) { root.at("a").text(); }),
              "f.yaml: line 2, a: found 'a map', expected a text");
    EXPECT_EQ(document_refusal_of(text, [](const DocumentNode& root) { root.at("a").at("b").map_entries(); }),
              "f.yaml: line 2, a.b: found 'a list', expected a map");
    EXPECT_EQ(document_refusal_of(text,
                                  [](const DocumentNode& root) {
                                      root.allow_keys({"aa", "format"});
                                  }),
              "f.yaml: line 2, a: found 'a', expected one of aa, format");
}

TEST(Document, AnErrorThatKnowsOnlyThePathIsGivenTheLine) {
    EXPECT_EQ(document_refusal_of("a:\n  b:\n    - 7\n", [](const DocumentNode&) { refuse_value("a.b[0]", "7", "8"); }),
              "f.yaml: line 3, a.b[0]: found '7', expected 8");
    EXPECT_EQ(document_refusal_of("a: 1\n", [](const DocumentNode&) { refuse_value("elsewhere", "7", "8"); }),
              "f.yaml: elsewhere: found '7', expected 8");
}

TEST(Document, NumbersHaveLimits) {
    const std::string text = "a: 1000000000000000000000\nb: .nan\nc: -1\nd: yes\n";
    EXPECT_EQ(document_refusal_of(text, [](const DocumentNode& root) { root.at("a").whole(1, 9); }),
              "f.yaml: line 1, a: found '1000000000000000000000', expected a whole number from 1 to 9");
    EXPECT_EQ(document_refusal_of(text, [](const DocumentNode& root) { root.at("b").number(); }),
              "f.yaml: line 2, b: found '.nan', expected a finite number");
    EXPECT_EQ(document_refusal_of(text, [](const DocumentNode& root) { root.at("c").positive_number(); }),
              "f.yaml: line 3, c: found '-1', expected a number above 0");
    EXPECT_EQ(document_refusal_of(text, [](const DocumentNode& root) { root.at("d").boolean(); }),
              "f.yaml: line 4, d: found 'yes', expected true or false");
}

TEST(Document, RefusesWhatIsNoMap) {
    EXPECT_EQ(document_refusal_of(""), "f.yaml: the file is empty: expected a map of keys and values");
    EXPECT_EQ(document_refusal_of("# nothing\n"), "f.yaml: the file is empty: expected a map of keys and values");
    EXPECT_EQ(document_refusal_of("- 1\n"), "f.yaml: line 1: found 'a list', expected a map of keys and values");
    EXPECT_EQ(document_refusal_of("42\n"), "f.yaml: line 1: found '42', expected a map of keys and values");
}

TEST(Document, RefusesKeysGivenTwice) {
    EXPECT_EQ(document_refusal_of("a: 1\nb: 2\na: 3\n"), "f.yaml: line 3, a: found 'a', expected each key once");
    EXPECT_EQ(document_refusal_of("{\"a\": {\"b\": 1, \"b\": 2}}"), "f.yaml: a.b: found 'b', expected each key once");
}

TEST(Document, RefusesWhatCouldMultiplyOrNestWithoutEnd) {
    EXPECT_EQ(document_refusal_of("a: &x [1]\nb: *x\n"), "f.yaml: line 2: found 'an alias', expected the value itself");
    EXPECT_EQ(document_refusal_of("a: " + std::string(100, '[') + std::string(100, ']')),
              "f.yaml: line 1: expected at most 64 levels of nesting");
    std::string json = "{\"a\":";
    for (int level = 0; level < 100; ++level) { json += "["; }
    EXPECT_EQ(document_refusal_of(json), "f.yaml: expected at most 64 levels of nesting");
    EXPECT_THAT(document_refusal_of("a: " + std::string(5 << 20, 'x')), HasSubstr("expected at most 4194304"));
}

TEST(Document, RefusesBrokenText) {
    EXPECT_THAT(document_refusal_of("a: [1, 2\n"), StartsWith("f.yaml: line 2: not YAML: "));
    EXPECT_EQ(document_refusal_of("{\"a\":\n 1"),
              "f.yaml: line 2: not JSON: syntax error while parsing object - unexpected end of input; expected '}'");
    EXPECT_EQ(document_refusal_of("a: 1\n---\nb: 2\n"), "f.yaml: line 2: found 'another document', expected one document a file");
    EXPECT_EQ(document_refusal_of("? [a]\n: 1\n"), "f.yaml: line 1: found 'a key that is no text', expected a plain key");
    EXPECT_EQ(document_refusal_of("a: \xFF\n"), "f.yaml: line 1: found 'byte 0xff', expected UTF-8 text");
}

TEST(Document, TakesCrlfAndAByteOrderMark) {
    EXPECT_EQ(document_refusal_of("\xEF\xBB\xBF"
                                  "a: 1\r\nb: x\r\n",
                                  [](const DocumentNode& root) { EXPECT_EQ(root.at("b").text(), "x"); }),
              "");
}

TEST(Document, KnowsOneFormat) {
    EXPECT_EQ(document_refusal_of("format: 1\n"), "");
    EXPECT_EQ(document_refusal_of("format: 2\n"), "f.yaml: line 1, format: found '2', expected 1");
}

}  // namespace
}  // namespace medley::io
