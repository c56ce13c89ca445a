#include "executor/data/npy.h"

#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"

namespace medley::executor {
namespace {

static_assert(std::endian::native == std::endian::little, "data are read as they lie in the file");

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kFixedBytes = 8;  // magic and version
constexpr std::size_t kMostDimensions = 32;
constexpr std::size_t kAlignment = 64;

struct TypeRow {
    NpyType type;
    const char* name;
    std::size_t bytes;
};
constexpr std::array<TypeRow, 10> kTypes = {{
    {NpyType::kFloat32, "<f4", 4},
    {NpyType::kFloat64, "<f8", 8},
    {NpyType::kInt8, "|i1", 1},
    {NpyType::kInt16, "<i2", 2},
    {NpyType::kInt32, "<i4", 4},
    {NpyType::kInt64, "<i8", 8},
    {NpyType::kUint8, "|u1", 1},
    {NpyType::kUint16, "<u2", 2},
    {NpyType::kUint32, "<u4", 4},
    {NpyType::kBool, "|b1", 1},
}};

const TypeRow& row_of(NpyType type) { return kTypes[static_cast<std::size_t>(type)]; }

[[noreturn]] void refuse_header(std::string found, std::string expected) {
    refuse_value("NumPy header", std::move(found), std::move(expected));
}

/// The header's text, a Python dictionary of three fixed keys: {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }.
class HeaderText {
 public:
    explicit HeaderText(std::string_view text) : rest_(text) {}

    NpyHeader parse() {
        require("{");
        while (!taken("}")) {
            parse_entry();
            if (!taken(",")) {
                require("}");
                break;
            }
        }
        skip_spaces();
        if (!rest_.empty()) { refuse("nothing after the dictionary"); }
        if (!type_ || !ordered_ || !shape_) { refuse_header("a dictionary with keys missing", "descr, fortran_order and shape"); }
        return {.type = *type_, .shape = *shape_};
    }

 private:
    void parse_entry() {
        const std::string_view key = text();
        require(":");
        if (key == "descr" && !type_) {
            type_ = type(text());
        } else if (key == "fortran_order" && !ordered_) {
            parse_order();
        } else if (key == "shape" && !shape_) {
            shape_ = shape();
        } else {
            refuse_header(std::string(key), "each of descr, fortran_order and shape once");
        }
    }

    static NpyType type(std::string_view name) {
        for (const TypeRow& row : kTypes) {
            // For single bytes NumPy writes '|', others also '<' or '='.
            const bool same =
                name == row.name || (row.bytes == 1 && name.size() == 3 && name.substr(1) == std::string_view(row.name).substr(1));
            if (same) { return row.type; }
        }
        std::vector<std::string_view> known;
        for (const TypeRow& row : kTypes) { known.emplace_back(row.name); }
        refuse_value("NumPy type (descr)", std::string(name), fmt::format("one of {}", fmt::join(known, ", ")));
    }

    void parse_order() {
        if (taken("True")) { refuse_value("fortran_order", "True", "False: data in C order (numpy.ascontiguousarray)"); }
        require("False");
        ordered_ = true;
    }

    std::vector<std::int64_t> shape() {
        std::vector<std::int64_t> extents;
        require("(");
        while (!taken(")")) {
            extents.push_back(number());
            if (extents.size() > kMostDimensions) {
                refuse_header("a shape of many dimensions", fmt::format("at most {}", kMostDimensions));
            }
            if (!taken(",")) {
                require(")");
                break;
            }
        }
        return extents;
    }

    std::int64_t number() {
        skip_spaces();
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (error != std::errc() || value < 0) { refuse("a whole number of at least 0"); }
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        return value;
    }

    std::string_view text() {
        skip_spaces();
        const std::size_t end = rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"') ? std::string_view::npos : rest_.find(rest_[0], 1);
        if (end == std::string_view::npos) { refuse("a quoted text"); }
        const std::string_view value = rest_.substr(1, end - 1);
        rest_.remove_prefix(end + 1);
        return value;
    }

    bool taken(std::string_view token) {
        skip_spaces();
        if (!rest_.starts_with(token)) { return false; }
        rest_.remove_prefix(token.size());
        return true;
    }
    void require(std::string_view token) {
        if (!taken(token)) { refuse(fmt::format("'{}'", token)); }
    }
    void skip_spaces() {
        while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n' || rest_[0] == '\t')) { rest_.remove_prefix(1); }
    }
    [[noreturn]] void refuse(std::string expected) const {
        refuse_header(rest_.empty() ? "its end" : std::string(rest_.substr(0, 20)), std::move(expected));
    }

    std::string_view rest_;
    std::optional<NpyType> type_;
    bool ordered_ = false;
    std::optional<std::vector<std::int64_t>> shape_;
};

std::uint32_t little_endian(std::string_view bytes) {
    std::uint32_t value = 0;
    for (std::size_t index = bytes.size(); index > 0; --index) { value = value << 8 | static_cast<unsigned char>(bytes[index - 1]); }
    return value;
}

std::string_view header_text(std::string_view bytes) {
    if (!bytes.starts_with(kMagic)) { refuse_value("first bytes", std::string(bytes.substr(0, kMagic.size())), "a NumPy array (.npy)"); }
    if (bytes.size() < kFixedBytes) { refuse_header("the end of the file", "a version"); }
    const int major = static_cast<unsigned char>(bytes[6]);
    if (major < 1 || major > 3) { refuse_value("NumPy format version", fmt::format("{}", major), "1, 2 or 3"); }
    const std::size_t length_bytes = major == 1 ? 2 : 4;
    if (bytes.size() < kFixedBytes + length_bytes) { refuse_header("the end of the file", "its length"); }
    const std::size_t length = little_endian(bytes.substr(kFixedBytes, length_bytes));
    const std::string_view rest = bytes.substr(kFixedBytes + length_bytes);
    if (length > rest.size()) { refuse_header(fmt::format("{} bytes", rest.size()), fmt::format("{} bytes", length)); }
    return rest.substr(0, length);
}

std::int64_t product_of(const std::vector<std::int64_t>& shape) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 8;
    std::int64_t product = 1;
    for (const std::int64_t extent : shape) {
        if (extent == 0) { return 0; }
    }
    for (const std::int64_t extent : shape) {
        if (extent > kMost / product) { refuse_header("a shape of too many elements", fmt::format("at most {}", kMost)); }
        product *= extent;
    }
    return product;
}

template <class T>
T element(const char* data, std::int64_t index) {
    T value{};
    std::memcpy(&value, data + index * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
    return value;
}

// The C++ type of an element is known inside `use` only.
template <class Use>
auto with_element(NpyType type, const char* data, std::int64_t index, const Use& use) {
    switch (type) {
        case NpyType::kFloat32: return use(element<float>(data, index));
        case NpyType::kFloat64: return use(element<double>(data, index));
        case NpyType::kInt8: return use(element<std::int8_t>(data, index));
        case NpyType::kInt16: return use(element<std::int16_t>(data, index));
        case NpyType::kInt32: return use(element<std::int32_t>(data, index));
        case NpyType::kInt64: return use(element<std::int64_t>(data, index));
        case NpyType::kUint8: return use(element<std::uint8_t>(data, index));
        case NpyType::kUint16: return use(element<std::uint16_t>(data, index));
        case NpyType::kUint32: return use(element<std::uint32_t>(data, index));
        case NpyType::kBool: return use(static_cast<std::uint8_t>(element<std::uint8_t>(data, index) != 0));
    }
    assertion_failed("a known type", __FILE__, __LINE__);
}

}  // namespace

std::size_t bytes_of(NpyType type) { return row_of(type).bytes; }
bool whole_numbers(NpyType type) { return type != NpyType::kFloat32 && type != NpyType::kFloat64; }
std::string npy_name(NpyType type) { return row_of(type).name; }

NpyHeader parse_npy(std::string_view bytes) {
    const std::string_view text = header_text(bytes);
    NpyHeader header = HeaderText(text).parse();
    header.data_offset = static_cast<std::size_t>(text.data() + text.size() - bytes.data());
    header.elements = product_of(header.shape);
    const std::size_t expected = static_cast<std::size_t>(header.elements) * bytes_of(header.type);
    const std::size_t found = bytes.size() - header.data_offset;
    if (found != expected) {
        refuse_value("data", fmt::format("{} bytes", found),
                     fmt::format("{} bytes for shape ({})", expected, fmt::join(header.shape, ", ")));
    }
    return header;
}

std::string format_npy_header(NpyType type, std::span<const std::int64_t> shape) {
    const std::string extents = fmt::format("{}{}", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
    std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", npy_name(type), extents);
    const std::size_t unpadded = kFixedBytes + 2 + text.size() + 1;
    text.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
    text += '\n';
    std::string bytes(kMagic);
    bytes += {'\x01', '\x00', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
    return bytes + text;
}

double npy_real(NpyType type, const char* data, std::int64_t index) {
    return with_element(type, data, index, [](auto value) { return static_cast<double>(value); });
}

std::int64_t npy_whole(NpyType type, const char* data, std::int64_t index) {
    MEDLEY_ASSERT(whole_numbers(type));
    return with_element(type, data, index, [](auto value) { return static_cast<std::int64_t>(value); });
}

}  // namespace medley::executor
