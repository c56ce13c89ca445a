#pragma once
/// The report's columns read back, by a decoder that shares no code with the program's.

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <zlib.h>
#include <nlohmann/json.hpp>

namespace medley::test {

inline std::string from_base64(std::string_view text) {
    std::string bytes;
    unsigned group = 0;
    int bits = 0;
    for (const char c : text) {
        if (c == '=') { break; }
        const std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        group = group << 6U | static_cast<unsigned>(digits.find(c));
        bits += 6;
        if (bits < 8) { continue; }
        bits -= 8;
        bytes += static_cast<char>(group >> static_cast<unsigned>(bits) & 0xffU);
    }
    return bytes;
}

inline std::string inflated(std::string_view packed) {
    std::string bytes(std::size_t{1} << 24, '\0');
    uLongf size = bytes.size();
    EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
              Z_OK);
    bytes.resize(size);
    return bytes;
}

/// A column by its name in the contents, as numbers of type T as stored.
template <class T>
std::vector<T> column(const nlohmann::json& contents, const std::string& bytes, const std::string& name) {
    for (const nlohmann::json& each : contents) {
        if (each["name"] != name) { continue; }
        std::vector<T> values(each["length"].get<std::size_t>());
        EXPECT_LE(each["offset"].get<std::size_t>() + values.size() * sizeof(T), bytes.size());
        EXPECT_EQ(each["offset"].get<std::size_t>() % 8, 0U);
        if (!values.empty()) { std::memcpy(values.data(), bytes.data() + each["offset"].get<std::size_t>(), values.size() * sizeof(T)); }
        return values;
    }
    ADD_FAILURE() << "no column " << name;
    return {};
}

}  // namespace medley::test
