#include "io/results/csv_line.h"

#include <gtest/gtest.h>

namespace medley::io {
namespace {

TEST(CsvLine, SeparatesCellsAndEndsTheLine) {
    std::string out;
    CsvLine(out).text("a").whole(2).number(0.5).time(SimTime{1'500'000'000}).end();
    EXPECT_EQ(out, "a,2,0.5,1.5\n");
}

TEST(CsvLine, LeavesUnknownCellsEmpty) {
    std::string out;
    CsvLine line(out);
    line.text("").number(std::nullopt).time(std::nullopt).end();
    EXPECT_EQ(out, ",,\n");
}

TEST(CsvLine, QuotesWhatWouldBeReadAsSomethingElse) {
    std::string out;
    CsvLine(out).text("a,b").text("say \"x\"").text("two\nlines").text(" blank").text("plain blank").end();
    EXPECT_EQ(out, "\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",\" blank\",plain blank\n");
}

}  // namespace
}  // namespace medley::io
