#pragma once
/// Columns of numbers for the report's page: one block of bytes, deflated, as text; and a table of contents.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/results/json_writer.h"

namespace medley::io {

/// The bytes are little-endian, each column at a multiple of 8, so that the page can view them as typed arrays. Thread rule: one thread.
class ColumnPack {
 public:
    void add(std::string_view name, const std::vector<std::uint8_t>& values) { append(name, "u8", values.data(), values.size(), 1); }
    void add(std::string_view name, const std::vector<std::uint32_t>& values) { append(name, "u32", values.data(), values.size(), 4); }
    void add(std::string_view name, const std::vector<float>& values) { append(name, "f32", values.data(), values.size(), 4); }
    void add(std::string_view name, const std::vector<double>& values) { append(name, "f64", values.data(), values.size(), 8); }
    /// Stored as differences, which deflate better. Requires ascending values.
    void add_ascending(std::string_view name, const std::vector<std::uint32_t>& values);
    void add_text(std::string_view name, std::string_view text) { append(name, "text", text.data(), text.size(), 1); }

    /// A list of `name`, `type`, `offset` (bytes) and `length` (numbers, or bytes of a text).
    void write_contents(JsonWriter& json) const;
    /// zlib, then base64. Cost: about 30 ns a byte.
    std::string packed() const;

 private:
    struct Column {
        std::string name;
        const char* type;
        std::size_t offset;
        std::size_t length;
    };
    void append(std::string_view name, const char* type, const void* values, std::size_t length, std::size_t width);

    std::vector<Column> columns_;
    std::string bytes_;
};

}  // namespace medley::io
