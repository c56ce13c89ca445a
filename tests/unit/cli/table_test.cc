#include "cli/table.h"

#include <limits>

#include <gtest/gtest.h>

namespace medley::cli {
namespace {

TEST(Table, AlignsColumnsAndLeavesNoTrailingBlanks) {
    Table table({{"name", Align::kLeft}, {"GPUs"}, {"note", Align::kLeft}});
    table.add_row({"a", "12", ""});
    table.add_row({"longer", "3", "x"});
    EXPECT_EQ(table.text(),
              "name    GPUs  note\n"
              "------  ----  ----\n"
              "a         12\n"
              "longer     3  x\n");
}

TEST(Table, CountsCharactersNotBytes) {
    Table table({{"µ", Align::kLeft}, {"x"}});
    table.add_row({"Zürich", "1"});
    table.add_row({"Berlin", "2"});
    EXPECT_EQ(table.text(), "µ       x\n------  -\nZürich  1\nBerlin  2\n");
}

TEST(KeyValues, StartAllValuesInOneColumn) {
    KeyValues lines;
    lines.add("a", "1");
    lines.add("long key", "2");
    EXPECT_EQ(lines.text(), "a         1\nlong key  2\n");
}

TEST(ShowNumber, KeepsFourDigitsAndAllOfTheWholePart) {
    EXPECT_EQ(show_number(0.0123456), "0.01235");
    EXPECT_EQ(show_number(3.14159), "3.142");
    EXPECT_EQ(show_number(12345.678), "12346");
    EXPECT_EQ(show_number(0), "0");
    EXPECT_EQ(show_number(std::optional<double>()), "-");
    EXPECT_EQ(show_number(std::numeric_limits<double>::quiet_NaN()), "-");
}

TEST(ShowDuration, AddsTheLargerUnitFromTenMinutesOn) {
    EXPECT_EQ(show_duration(Seconds{90}), "90 s");
    EXPECT_EQ(show_duration(Seconds{600}), "600 s (10 min)");
    EXPECT_EQ(show_duration(Seconds{11853}), "11853 s (3.29 h)");
    EXPECT_EQ(show_duration(Seconds{172800}), "172800 s (2 d)");
    EXPECT_EQ(show_duration(std::optional<Seconds>()), "-");
}

TEST(ShowBytes, UsesDecimalMultiples) {
    EXPECT_EQ(show_bytes(Bytes{8.7e9}), "8.7 GB");
    EXPECT_EQ(show_bytes(Bytes{999}), "999 B");
    EXPECT_EQ(show_bytes(Bytes{0}), "0 B");
}

TEST(ShowPercent, HasOneDecimal) { EXPECT_EQ(show_percent(0.12345), "12.3 %"); }

TEST(Table, OneIsNoPlural) {
    EXPECT_EQ(count_of(0, "job"), "0 jobs");
    EXPECT_EQ(count_of(1, "job"), "1 job");
    EXPECT_EQ(count_of(2, "job"), "2 jobs");
}

}  // namespace
}  // namespace medley::cli
