#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/source_folder.h"
#include "tests/unit/edges/style_rules.h"

namespace medley::edges {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<SourceFile> program() { return read_sources(test::source_folder(), {"src", "planner", "simulator", "executor"}); }

std::vector<std::string> style_violations_of(std::string path, std::string text) {
    return style_violations({.path = std::move(path), .text = std::move(text)});
}

TEST(CodeStyle, EveryFileOfThisRepositoryKeepsTheRules) {
    std::vector<std::string> violations;
    for (const SourceFile& file : read_sources(test::source_folder(), {"src", "planner", "simulator", "executor", "tests"})) {
        for (std::string& line : style_violations(file)) { violations.push_back(std::move(line)); }
    }
    EXPECT_THAT(violations, IsEmpty());
}

// The band of the readable codebases of this field: median 3-6 lines, 90th percentile at most 31, at most 2.5 % above 70.
TEST(CodeStyle, FunctionsOfThisRepositoryAreShort) {
    const FunctionSizes sizes = function_sizes(program());
    RecordProperty("functions", static_cast<int>(sizes.functions));
    RecordProperty("median_lines", sizes.median);
    RecordProperty("percentile_90_lines", sizes.percentile_90);
    EXPECT_LE(sizes.median, 6);
    EXPECT_LE(sizes.percentile_90, 31);
    EXPECT_LE(sizes.above_70, 0.025) << testing::PrintToString(sizes.longest);
}

TEST(CodeStyle, LayoutBreachesAreFoundWithTheirLine) {
    EXPECT_THAT(style_violations_of("src/core/a.cc", "int a;\n\tint b;\n"), ElementsAre("src/core/a.cc:2: tab; indent with 4 spaces"));
    EXPECT_THAT(style_violations_of("src/core/a.cc", "int a; \n"), ElementsAre(HasSubstr(":1: blank at the end")));
    EXPECT_THAT(style_violations_of("src/core/a.cc", "int a;\r\n"), SizeIs(1));
    EXPECT_THAT(style_violations_of("src/core/a.cc", "int a;"), ElementsAre(HasSubstr("no line break at the end")));
    EXPECT_THAT(style_violations_of("src/core/a.cc", "// " + std::string(138, 'x') + "\n"), ElementsAre(HasSubstr("141 columns")));
    EXPECT_THAT(style_violations_of("src/core/a.cc", "// " + std::string(137, 'x') + "\n"), IsEmpty());
}

TEST(CodeStyle, AHeaderBeginsWithPragmaOnce) {
    EXPECT_THAT(style_violations_of("src/core/a.h", "int a();\n"), ElementsAre(HasSubstr("#pragma once")));
    EXPECT_THAT(style_violations_of("src/core/a.h", "#pragma once\nint a();\n"), IsEmpty());
}

TEST(CodeStyle, AFileFitsInOneHead) {
    std::string text;
    for (int line = 0; line < kMostFileLines; ++line) { text += "int a;\n"; }
    EXPECT_THAT(style_violations_of("src/core/a.cc", text), IsEmpty());
    EXPECT_THAT(style_violations_of("src/core/a.cc", text + "int a;\n"), ElementsAre(HasSubstr("501 lines")));
}

TEST(CodeStyle, RandomNumbersComeFromRng) {
    for (const char* call : {"int a = rand();", "std::random_device d;", "std::mt19937_64 e;", "std::uniform_int_distribution<int> u;",
                             "std::shuffle(a, b, c);"}) {
        EXPECT_THAT(style_violations_of("planner/a.cc", std::string(call) + "\n"), SizeIs(1)) << call;
    }
    EXPECT_THAT(style_violations_of("planner/a.cc", "int operand(int); rng.shuffle(a); // std::rand()\nauto t = \"std::rand()\";\n"),
                IsEmpty());
}

TEST(CodeStyle, ClocksAreReadByTheProgramAndTheExecutorAlone) {
    const std::string text = "auto t = std::chrono::steady_clock::now();\n";
    EXPECT_THAT(style_violations_of("planner/a.cc", text), SizeIs(1));
    EXPECT_THAT(style_violations_of("simulator/cluster/a.cc", text), SizeIs(1));
    EXPECT_THAT(style_violations_of("src/cli/a.cc", text), IsEmpty());
    EXPECT_THAT(style_violations_of("executor/a.cc", text), IsEmpty());
    EXPECT_THAT(style_violations_of("tests/bench/a.cc", text), IsEmpty());
    EXPECT_THAT(style_violations_of("tests/unit/core/a.cc", text), SizeIs(1));
}

TEST(CodeStyle, AssertionsStayOnInRelease) {
    EXPECT_THAT(style_violations_of("planner/a.cc", "assert(a);\n"), SizeIs(1));
    EXPECT_THAT(style_violations_of("planner/a.cc", "MEDLEY_ASSERT(a);\nstatic_assert(b);\n"), IsEmpty());
}

TEST(CodeStyle, OnlyTheProgramPrints) {
    EXPECT_THAT(style_violations_of("planner/a.cc", "std::cout << a;\n"), SizeIs(1));
    EXPECT_THAT(style_violations_of("planner/a.cc", "printf(\"a\");\n"), SizeIs(1));
    EXPECT_THAT(style_violations_of("src/cli/a.cc", "std::cout << a;\n"), IsEmpty());
    EXPECT_THAT(style_violations_of("planner/a.cc", "std::snprintf(a, 1, \"b\"); std::fprintf(stderr, c);\n"), IsEmpty());
}

TEST(CodeStyle, UnfinishedWorkIsFound) {
    EXPECT_THAT(style_violations_of("planner/a.cc", "// TODO: later\n"), SizeIs(1));
    EXPECT_THAT(style_violations_of("planner/a.cc", "#if 0\nint a;\n#endif\n"), SizeIs(1));
}

}  // namespace
}  // namespace medley::edges
