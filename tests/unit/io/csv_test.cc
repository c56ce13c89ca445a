#include "io/csv.h"

#include <gmock/gmock.h>

#include "io/csv_table.h"
#include "tests/unit/core/refusal.h"

namespace medley::io {
namespace {

using testing::ElementsAre;
using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(std::string_view text) {
    Rows rows;
    for (CsvReader reader(text); reader.next();) { rows.emplace_back(reader.cells().begin(), reader.cells().end()); }
    return rows;
}

TEST(Csv, SplitsRowsAtCommas) {
    EXPECT_EQ(rows_of("a,b\n1,2\n"), (Rows{{"a", "b"}, {"1", "2"}}));
    EXPECT_EQ(rows_of("a,b\n1,2"), (Rows{{"a", "b"}, {"1", "2"}}));
    EXPECT_EQ(rows_of("a,,c\n,,\n"), (Rows{{"a", "", "c"}, {"", "", ""}}));
    EXPECT_EQ(rows_of(""), Rows{});
}

TEST(Csv, TakesBothLineEndsAndAByteOrderMark) {
    EXPECT_EQ(rows_of("\xEF\xBB\xBF"
                      "a,b\r\n1,2\r\n"),
              (Rows{{"a", "b"}, {"1", "2"}}));
    EXPECT_EQ(rows_of("a\r"), (Rows{{"a"}}));
    EXPECT_EQ(rows_of("a\rb\n"), (Rows{{"a\rb"}}));  // a lone carriage return ends no line
}

TEST(Csv, DropsBlankLinesAndBlanksAroundCells) { EXPECT_EQ(rows_of("a , b\n\n  \n 1,\t2 \n"), (Rows{{"a", "b"}, {"1", "2"}})); }

TEST(Csv, KeepsWhatIsQuoted) {
    EXPECT_EQ(rows_of("\"a,b\",\" c \",\"say \"\"hi\"\"\",\"\"\n"), (Rows{{"a,b", " c ", "say \"hi\"", ""}}));
    EXPECT_EQ(rows_of("\"a\nb\",c\n"), (Rows{{"a\nb", "c"}}));
    EXPECT_EQ(rows_of("a \"b\",c\n"), (Rows{{"a \"b\"", "c"}}));  // a quote inside an unquoted cell is text
}

TEST(Csv, CountsLinesAsAnEditorDoes) {
    CsvReader reader("a\n\n\"b\nb\"\nc\n");
    std::vector<std::size_t> lines;
    while (reader.next()) { lines.push_back(reader.line()); }
    EXPECT_THAT(lines, ElementsAre(1, 3, 5));
}

TEST(Csv, RefusesBrokenQuotes) {
    EXPECT_EQ(refusal([] { rows_of("a\n\"b,c\n"); }), "line 2: expected a closing quote");
    EXPECT_EQ(refusal([] { rows_of("\"a\"b,c\n"); }), "line 1: found 'b,c\\x0a', expected a comma after the closing quote");
}

TEST(CsvTable, FindsColumnsByName) {
    CsvTable table("b,a\n2,1\n");
    ASSERT_TRUE(table.next());
    EXPECT_EQ(table.cell(table.require("a")), "1");
    EXPECT_EQ(table.find("c"), std::nullopt);
    EXPECT_FALSE(table.next());
}

TEST(CsvTable, ForgivesTrailingCommasAndNothingElse) {
    CsvTable table("a,b,\n1,2,\n3,4\n5,6,,,\n");
    EXPECT_TRUE(table.next() && table.next() && table.next());
    EXPECT_EQ(table.cell(1), "6");
    EXPECT_EQ(refusal([] { CsvTable("a,b\n1\n").next(); }), "line 2: found '1 cells', expected 2, as in the header");
    EXPECT_EQ(refusal([] { CsvTable("a,b\n1,2,3\n").next(); }), "line 2: found '3 cells', expected 2, as in the header");
}

TEST(CsvTable, RefusesHeadersThatCannotBeMeant) {
    EXPECT_EQ(refusal([] { CsvTable(""); }), "line 1: expected a header line that names the columns");
    EXPECT_EQ(refusal([] { CsvTable("a,b,a\n"); }), "line 1, column 3: found 'a', expected each column once");
    EXPECT_EQ(refusal([] { CsvTable("a,,b\n"); }), "line 1, column 2: expected a name for every column");
    EXPECT_EQ(refusal([] { CsvTable("submit,gpus\n").require("submit_s"); }), "line 1: found 'submit', expected a column submit_s");
    EXPECT_EQ(refusal([] { CsvTable("a\n\xFF\n"); }), "line 2: found 'byte 0xff', expected UTF-8 text");
}

}  // namespace
}  // namespace medley::io
