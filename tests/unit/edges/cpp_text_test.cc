#include "tests/unit/edges/cpp_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/edges/function_lengths.h"

namespace medley::edges {
namespace {

using testing::ElementsAre;

std::vector<int> lengths_of(std::string_view text) {
    std::vector<int> lengths;
    for (const FunctionLength& function : function_lengths(text)) { lengths.push_back(function.lines); }
    return lengths;
}

TEST(CppText, BlanksCommentsAndKeepsLinesAndColumns) {
    EXPECT_EQ(without_comments("a; // b\n/* c\nd */ e"), "a;     \n    \n     e");
    EXPECT_EQ(without_comments("t = \"// no comment\";"), "t = \"// no comment\";");
}

TEST(CppText, BlanksTheInsideOfLiterals) {
    EXPECT_EQ(code_only("f(\"a\\\"b\", '\\'', 'c');"), "f(\"    \", '  ', ' ');");
    EXPECT_EQ(code_only("R\"x(a)\" b)x\" + c"), "R\"         \" + c");
}

TEST(CppText, DigitSeparatorsBeginNoLiteral) { EXPECT_EQ(code_only("n = 1'000'000; // x"), "n = 1'000'000;     "); }

TEST(CppText, UnclosedCommentsAndLiteralsEndWithTheText) {
    EXPECT_EQ(code_only("a /* b"), "a     ");
    EXPECT_EQ(code_only("\"abc"), "\"   ");
    EXPECT_EQ(code_only("R\"(abc"), "R\"    ");
}

TEST(FunctionLengths, CountsFromBraceToBrace) {
    EXPECT_THAT(lengths_of("namespace a {\nint f() { return 1; }\nint g() {\n    return 2;\n}\n}\n"), ElementsAre(1, 3));
}

TEST(FunctionLengths, CountsMembersButNotClassesAndData) {
    EXPECT_THAT(lengths_of("struct A : B {\n  void f() {\n  }\n  int x{3};\n};\nconst int t[] = {1, 2};\n"), ElementsAre(2));
}

TEST(FunctionLengths, ALambdaInsideAFunctionIsPartOfIt) {
    EXPECT_THAT(lengths_of("void f() {\n  g([](int a) {\n    return a;\n  });\n}\n"), ElementsAre(5));
}

TEST(FunctionLengths, InitialisersWithBracesAreNoBodies) {
    EXPECT_THAT(lengths_of("A::A(int b) : b_{b}, c_{1, 2} {\n  d();\n}\n"), ElementsAre(3));
}

TEST(FunctionLengths, BracesInLiteralsCommentsAndMacrosDoNotCount) {
    EXPECT_THAT(lengths_of("#define X(a) \\\n  { a }\nvoid f() {\n  g(\"}}\");  // }\n}\n"), ElementsAre(3));
}

}  // namespace
}  // namespace medley::edges
