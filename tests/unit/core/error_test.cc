#include "core/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/core/refusal.h"

namespace medley {
namespace {

TEST(Error, NamesFilePlaceValueAndExpectation) {
    const Error error(Problem{.file = "lab.yaml", .place = "nodes[2].gpus", .found = "-1", .expected = "a whole number of at least 1"});
    EXPECT_STREQ(error.what(), "lab.yaml: nodes[2].gpus: found '-1', expected a whole number of at least 1");
}

TEST(Error, LeavesOutWhatIsNotKnown) {
    EXPECT_STREQ(Error("no such policy").what(), "no such policy");
    EXPECT_STREQ(Error(Problem{.place = "--seed", .expected = "a number"}).what(), "--seed: expected a number");
    EXPECT_STREQ(Error(Problem{.file = "a.csv", .message = "is a directory"}).what(), "a.csv: is a directory");
    EXPECT_STREQ(Error(Problem{.found = "x"}).what(), "found 'x'");
}

TEST(Error, LearnsItsFileFurtherOut) {
    const Error inner(Problem{.place = "line 3", .found = "x", .expected = "a number"});
    const Error outer = inner.in_file("trace.csv");
    EXPECT_STREQ(outer.what(), "trace.csv: line 3: found 'x', expected a number");
    EXPECT_EQ(outer.problem().file, "trace.csv");
    EXPECT_EQ(inner.problem().file, "");
}

TEST(Error, IsOneLineWhateverTheInputHeld) {
    const Error error(Problem{.file = "a\nb", .place = "c\rd", .found = std::string("e\0\x1b[31m\x7f", 8), .message = "f\tg"});
    EXPECT_STREQ(error.what(), "a\\x0ab: c\\x0dd: f\\x09g: found 'e\\x00\\x1b[31m\\x7f'");
}

TEST(Error, ShowsControlCharactersUpToTheLast) { EXPECT_STREQ(Error("a\x1f b\x7f").what(), "a\\x1f b\\x7f"); }

TEST(Error, KeepsLettersOfEveryScript) { EXPECT_STREQ(Error("Größe 大小").what(), "Größe 大小"); }

TEST(Error, CutsLongValues) {
    const std::string text = Error(Problem{.place = "name", .found = std::string(100'000, 'x')}).what();
    EXPECT_LT(text.size(), 300U);
    EXPECT_THAT(text, testing::EndsWith("..."));
}

TEST(Error, RefusingAValueThrowsItsThreeParts) {
    EXPECT_EQ(refusal([] { refuse_value("steps", "0", "at least 1"); }), "steps: found '0', expected at least 1");
}

TEST(AssertDeathTest, ABrokenInvariantEndsTheProgramAndNamesItself) {
    const int gpus = 3;
    MEDLEY_ASSERT(gpus == 3);
    EXPECT_DEATH(MEDLEY_ASSERT(gpus == 4), "error_test.cc:[0-9]+: broken invariant: gpus == 4");
}

}  // namespace
}  // namespace medley
