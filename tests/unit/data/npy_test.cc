#include "executor/data/npy.h"

#include <cstring>
#include <string>

#include <gtest/gtest.h>

#include "core/error.h"

namespace medley::executor {
namespace {

// A file with this text as its header, and so many bytes of data.
std::string npy(const std::string& dictionary, std::size_t data_bytes, char major = 1) {
    std::string bytes = "\x93NUMPY";
    bytes += {major, '\x00'};
    const std::string text = dictionary + "\n";
    for (int place = 0; place < (major == 1 ? 2 : 4); ++place) { bytes += static_cast<char>(text.size() >> (8 * place)); }
    return bytes + text + std::string(data_bytes, '\x01');
}

std::string problem_of(const std::string& bytes) {
    try {
        parse_npy(bytes);
        return "none";
    } catch (const Error& error) { return error.what(); }
}

void expect_problem(const std::string& bytes, const std::string& part) {
    const std::string problem = problem_of(bytes);
    EXPECT_NE(problem.find(part), std::string::npos) << problem;
}

TEST(Npy, IsReadInAllThreeVersions) {
    for (const char major : {'\x01', '\x02', '\x03'}) {
        const std::string bytes = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }", 24, major);
        const NpyHeader header = parse_npy(bytes);
        EXPECT_EQ(header.type, NpyType::kFloat32);
        EXPECT_EQ(header.shape, (std::vector<std::int64_t>{3, 2}));
        EXPECT_EQ(header.elements, 6);
        EXPECT_EQ(header.data_offset, bytes.size() - 24);
    }
}

TEST(Npy, IsReadWhateverTheOrderOfKeysAndSpaces) {
    EXPECT_EQ(parse_npy(npy("{\"shape\":(4,),'fortran_order':False ,  'descr':\"<i8\"}   ", 32)).elements, 4);
}

TEST(Npy, MayBeASingleNumberOrNothing) {
    EXPECT_EQ(parse_npy(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (), }", 8)).elements, 1);
    EXPECT_EQ(parse_npy(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 9223372036854775807), }", 0)).elements, 0);
}

TEST(Npy, KnowsItsTypes) {
    for (const auto& [name, bytes] : {std::pair{"<f4", 4},
                                      {"<f8", 8},
                                      {"|i1", 1},
                                      {"<i2", 2},
                                      {"<i4", 4},
                                      {"<i8", 8},
                                      {"|u1", 1},
                                      {"<u2", 2},
                                      {"<u4", 4},
                                      {"|b1", 1},
                                      {"<i1", 1}}) {
        const std::string text = std::string("{'descr': '") + name + "', 'fortran_order': False, 'shape': (1,), }";
        EXPECT_EQ(bytes_of(parse_npy(npy(text, static_cast<std::size_t>(bytes))).type), static_cast<std::size_t>(bytes)) << name;
    }
}

TEST(Npy, GivesElementsOfEveryType) {
    const std::int16_t negative[] = {5, -3};
    EXPECT_EQ(npy_whole(NpyType::kInt16, reinterpret_cast<const char*>(negative), 1), -3);
    EXPECT_EQ(npy_real(NpyType::kInt16, reinterpret_cast<const char*>(negative), 1), -3.0);
    const std::uint32_t large[] = {0xffffffffU};
    EXPECT_EQ(npy_whole(NpyType::kUint32, reinterpret_cast<const char*>(large), 0), 0xffffffffLL);
    const double real[] = {0, 2.5};
    EXPECT_EQ(npy_real(NpyType::kFloat64, reinterpret_cast<const char*>(real), 1), 2.5);
    const unsigned char flags[] = {0, 1};
    EXPECT_EQ(npy_whole(NpyType::kBool, reinterpret_cast<const char*>(flags), 1), 1);
}

TEST(Npy, RefusesWhatItCannotReadAndSaysWhy) {
    const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
    ASSERT_EQ(problem_of(npy(good, 8)), "none");
    expect_problem("PK\x03\x04 something", "expected a NumPy array");
    expect_problem("", "expected a NumPy array");
    expect_problem("\x93NUMPY", "a version");
    expect_problem(npy(good, 8, 4), "expected 1, 2 or 3");
    expect_problem(npy(good, 8).substr(0, 9), "its length");
    expect_problem(npy(good, 8).substr(0, 30), "NumPy header");
    expect_problem(npy(good, 7), "found '7 bytes', expected 8 bytes for shape (2)");
    expect_problem(npy(good, 9), "found '9 bytes'");
    expect_problem(npy("{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }", 8), "'>f4', expected one of <f4");
    expect_problem(npy("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", 8), "'<c8'");
    expect_problem(npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", 8), "'|O'");
    expect_problem(npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", 4), "a quoted text");
    expect_problem(npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2,), }", 8), "C order");
    expect_problem(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-2,), }", 8), "at least 0");
    expect_problem(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }", 8), "whole number");
    expect_problem(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", 8), "too many elements");
    expect_problem(npy("{'descr': '<f4', 'fortran_order': False, }", 8), "keys missing");
    expect_problem(npy("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", 8), "once");
    expect_problem(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x': 1}", 8), "'x'");
    expect_problem(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), } x", 8), "nothing after");
    expect_problem(npy("{'descr': '<f4", 8), "a quoted text");
}

TEST(Npy, HeaderThatIsWrittenIsReadBackAndAligned) {
    for (const auto& shape : {std::vector<std::int64_t>{}, {7}, {2, 3}, {1000000, 1, 5}}) {
        std::string bytes = format_npy_header(NpyType::kFloat32, shape);
        EXPECT_EQ(bytes.size() % 64, 0U);
        std::int64_t elements = 1;
        for (const std::int64_t extent : shape) { elements *= extent; }
        bytes.append(static_cast<std::size_t>(4 * elements), '\0');
        EXPECT_EQ(parse_npy(bytes).shape, shape);
    }
}

}  // namespace
}  // namespace medley::executor
