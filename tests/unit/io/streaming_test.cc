/// Files taken piece by piece give what they give whole.

#include <zlib.h>

#include <gmock/gmock.h>

#include "core/rng.h"
#include "io/byte_source.h"
#include "io/csv.h"
#include "io/csv_table.h"
#include "io/json_stream.h"
#include "io/line_reader.h"
#include "io/text_file.h"
#include "tests/unit/core/refusal.h"
#include "tests/unit/io/temporary_folder.h"

namespace medley::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string gzipped(const std::string& text) {
    z_stream stream{};
    EXPECT_EQ(deflateInit2(&stream, 1, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    std::string packed(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

std::string read_all(ByteSource& source, std::size_t room) {
    std::string text;
    std::string piece(room, '\0');
    while (const std::size_t count = source.read(piece.data(), room)) { text.append(piece, 0, count); }
    return text;
}

std::string tar_member(const std::string& name, const std::string& text, char kind = '0') {
    std::string header(512, '\0');
    header.replace(0, name.size(), name);
    char size[12];
    std::snprintf(size, sizeof size, "%011o", static_cast<unsigned>(text.size()));
    header.replace(124, 11, size, 11);
    header[156] = kind;
    header.replace(257, 5, "ustar");
    return header + text + std::string((512 - text.size() % 512) % 512, '\0');
}

// Rows of every awkward kind, so long that windows end inside all of them.
std::string awkward_csv(std::size_t bytes) {
    Rng rng(7);
    std::string text = "a,b,c\n";
    while (text.size() < bytes) {
        switch (rng.below(5)) {
            case 0: text += "\"quoted, with \"\"quotes\"\"\nand a line\"," + std::to_string(rng.next()) + ",x\r\n"; break;
            case 1: text += std::string(rng.below(300), 'y') + "  ,\t" + std::to_string(rng.below(10)) + ",\n"; break;
            case 2: text += "\n"; break;
            case 3: text += "\xC3\xA9\xE2\x82\xAC,\xF0\x9F\x98\x80,1.5\n"; break;
            default: text += "1,2,3\n"; break;
        }
    }
    return text;
}

std::vector<std::string> cells_of(CsvReader reader) {
    std::vector<std::string> cells;
    while (reader.next()) {
        cells.push_back(std::to_string(reader.line()));
        for (const auto cell : reader.cells()) { cells.emplace_back(cell); }
    }
    return cells;
}

TEST(ByteSource, GivesPlainAndPackedFilesInPieces) {
    const TemporaryFolder folder;
    const std::string text = awkward_csv(700'000);
    for (const auto& path : {folder.add("plain", text), folder.add("packed", gzipped(text)),
                             folder.add("two", gzipped(text.substr(0, 9)) + gzipped(text.substr(9)))}) {
        for (const std::size_t room : {std::size_t{1'000'000}, std::size_t{4099}}) {
            ByteSource source(path);
            EXPECT_TRUE(read_all(source, room) == text) << path << " by " << room;
        }
    }
    ByteSource source("memory", text);
    EXPECT_EQ(source.first_byte(), 'a');
    EXPECT_TRUE(read_all(source, 100) == text);
    ByteSource nothing("memory", "");
    EXPECT_EQ(nothing.first_byte(), 0);
}

TEST(ByteSource, NamesTheFileOfADamagedStream) {
    const std::string packed = gzipped("some text that is long enough");
    ByteSource source("x.gz", std::string_view(packed).substr(0, packed.size() - 3));
    EXPECT_EQ(refusal([&] { read_all(source, 10); }), "x.gz: damaged gzip file: it ends too early");
}

TEST(ByteSource, LooksIntoAnArchive) {
    const std::string archive = tar_member("folder/", "", '5') + tar_member("long", std::string(700, 'l'), 'x') +
                                tar_member("a.csv", "hello\n") + tar_member("b", "no");
    const std::string packed = gzipped(archive);
    for (const std::string& bytes : {archive, packed}) {
        ByteSource source("a.tar.gz", bytes);
        EXPECT_EQ(read_all(source, 3), "hello\n");
    }
    ByteSource cut("a.tar", std::string_view(archive).substr(0, archive.size() - 1024 - 508));
    EXPECT_EQ(refusal([&] { read_all(cut, 100); }), "a.tar: damaged tar archive: it ends too early");
    const std::string empty = tar_member("folder/", "", '5');
    ByteSource none("a.tar", empty);
    EXPECT_EQ(refusal([&] { read_all(none, 100); }), "a.tar: damaged tar archive: it holds no file");
}

TEST(CsvReader, ReadsAFileAsItReadsATextWhereverWindowsEnd) {
    const std::string text = "\xEF\xBB\xBF" + awkward_csv(5'000'000);
    ByteSource source("memory", text);
    const auto streamed = cells_of(CsvReader(source));
    EXPECT_TRUE(streamed == cells_of(CsvReader(text)));
    EXPECT_GT(streamed.size(), 100'000);
}

TEST(CsvReader, KnowsOtherDialects) {
    const std::string text = "a b|\"c|d\n";
    ByteSource source("memory", text);
    CsvReader reader(source, {.separator = '|', .quotes = false});
    ASSERT_TRUE(reader.next());
    EXPECT_THAT(reader.cells(), ElementsAre("a b", "\"c", "d"));
    const std::string tabs = "x\t\ty z \n";
    ByteSource tab_source("memory", tabs);
    CsvReader tab_reader(tab_source, {.separator = '\t'});
    ASSERT_TRUE(tab_reader.next());
    EXPECT_THAT(tab_reader.cells(), ElementsAre("x", "", "y z"));
}

TEST(CsvTable, ReadsFilesWithoutAHeaderByColumnsGiven) {
    ByteSource source("memory", "1,2\n3,4,\n");
    CsvTable table(source, {"a", "b"});
    ASSERT_TRUE(table.next() && table.next());
    EXPECT_EQ(table.cell(table.require("b")), "4");
}

TEST(TextWindow, NamesTheLineOfBytesThatAreNoText) {
    std::string text = awkward_csv(3'000'000);
    const auto line = 1 + std::count(text.begin(), text.end(), '\n');
    text += "\xFF\n";
    ByteSource source("memory", text);
    EXPECT_EQ(refusal([&] { cells_of(CsvReader(source)); }), "line " + std::to_string(line) + ": found 'byte 0xff', expected UTF-8 text");
    ByteSource cut("memory", "ok\n\xE2\x82");
    EXPECT_EQ(refusal([&] { cells_of(CsvReader(cut)); }), "line 2: found 'byte 0xe2', expected UTF-8 text");
}

TEST(TextWindow, RefusesARecordWithoutEnd) {
    const std::string text = "a\n\"" + std::string(2 * TextWindow::kMostRecordBytes, 'x');
    ByteSource source("memory", text);
    EXPECT_THAT(refusal([&] { cells_of(CsvReader(source)); }), HasSubstr("line 2: found"));
}

TEST(LineReader, EndsLinesWhereverWindowsEnd) {
    std::string text;
    for (int line = 0; line < 300'000; ++line) { text += std::to_string(line) + (line % 3 == 0 ? "\r\n" : "\n"); }
    text += "last";
    ByteSource source("memory", text);
    LineReader reader(source);
    int line = 0;
    for (; line < 300'000; ++line) {
        ASSERT_TRUE(reader.next());
        ASSERT_EQ(reader.text(), std::to_string(line));
    }
    ASSERT_TRUE(reader.next());
    EXPECT_EQ(reader.text(), "last");
    EXPECT_EQ(reader.line(), 300'001);
    EXPECT_FALSE(reader.next());
}

TEST(JsonStream, TakesValuesApartWhereverWindowsEnd) {
    std::string text = "[";
    std::vector<std::string> values;
    Rng rng(3);
    while (text.size() < 4'000'000) {
        values.push_back(rng.chance(0.5) ? "{\"a\": [1, {\"b\": \"}]\\\"\\\\\"}]}" : "\"" + std::string(rng.below(200), '[') + "\"");
        text += (values.size() > 1 ? " ,\n" : "") + values.back();
    }
    text += " ]\n";
    ByteSource source("memory", text);
    JsonStream json(source);
    json.expect('[');
    std::size_t index = 0;
    for (; json.more(']'); ++index) { ASSERT_EQ(json.value(), values[index]); }
    EXPECT_EQ(index, values.size());
    json.expect_end();
}

TEST(JsonStream, NamesTheLineOfWhatIsWrong) {
    const auto walk = [](std::string_view text) {
        return refusal([&] {
            ByteSource source("memory", text);
            JsonStream json(source);
            json.expect('{');
            while (json.more('}')) {
                json.key();
                json.value();
            }
            json.expect_end();
        });
    };
    EXPECT_EQ(walk("{}"), "");
    EXPECT_EQ(walk("{\"a\": 1, \"b\": [2, {}]} \n"), "");
    EXPECT_EQ(walk("{\n\"a\": [1\n"), "line 2: found '[1\\x0a', expected a value that ends");
    EXPECT_EQ(walk("{\"a\": }"), "line 1: found '}', expected a value");
    EXPECT_EQ(walk("{\"a\": 1 \"b\": 2}"), "line 1: found '\"b\": 2}', expected ',' or '}'");
    EXPECT_EQ(walk("{a: 1}"), "line 1: found 'a: 1}', expected a name in quotes");
    EXPECT_EQ(walk("{} 1"), "line 1: found '1', expected the end of the file");
    EXPECT_EQ(walk(""), "line 1: expected '{'");
}

}  // namespace
}  // namespace medley::io
