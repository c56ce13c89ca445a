#include "io/report/column_pack.h"

#include <bit>

#include <zlib.h>

#include "core/error.h"
#include "io/report/base64.h"

namespace medley::io {
namespace {

static_assert(std::endian::native == std::endian::little, "columns are written as they lie in memory");

constexpr std::size_t kAlignment = 8;
constexpr int kCompressionLevel = 5;

}  // namespace

void ColumnPack::add_ascending(std::string_view name, const std::vector<std::uint32_t>& values) {
    std::vector<std::uint32_t> differences;
    differences.reserve(values.size());
    std::uint32_t before = 0;
    for (const std::uint32_t value : values) {
        MEDLEY_ASSERT(value >= before);
        differences.push_back(value - before);
        before = value;
    }
    append(name, "u32-ascending", differences.data(), differences.size(), sizeof(std::uint32_t));
}

void ColumnPack::append(std::string_view name, const char* type, const void* values, std::size_t length, std::size_t width) {
    bytes_.resize((bytes_.size() + kAlignment - 1) / kAlignment * kAlignment);
    columns_.push_back({.name = std::string(name), .type = type, .offset = bytes_.size(), .length = length});
    if (length > 0) { bytes_.append(static_cast<const char*>(values), length * width); }
}

void ColumnPack::write_contents(JsonWriter& json) const {
    json.begin_array();
    for (const Column& column : columns_) {
        json.begin_object().field("name", column.name).field("type", column.type);
        json.field("offset", column.offset).field("length", column.length).end_object();
    }
    json.end_array();
}

std::string ColumnPack::packed() const {
    uLongf size = compressBound(bytes_.size());
    std::string packed(size, '\0');
    const int outcome = compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes_.data()),
                                  bytes_.size(), kCompressionLevel);
    MEDLEY_ASSERT(outcome == Z_OK);
    packed.resize(size);
    return to_base64(packed);
}

}  // namespace medley::io
