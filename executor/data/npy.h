#pragma once
/// NumPy's array format (.npy), versions 1.0 to 3.0, from bytes: little-endian numbers in C order.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace medley::executor {

enum class NpyType { kFloat32, kFloat64, kInt8, kInt16, kInt32, kInt64, kUint8, kUint16, kUint32, kBool };

struct NpyHeader {
    NpyType type = NpyType::kFloat32;
    std::vector<std::int64_t> shape;
    std::size_t data_offset = 0;
    std::int64_t elements = 1;
};

std::size_t bytes_of(NpyType type);
bool whole_numbers(NpyType type);
/// As NumPy writes it: "<f4".
std::string npy_name(NpyType type);

/// Reads and checks the header of a file that consists of `bytes`. Throws medley::Error (without the file's name) for anything that is not
/// exactly such an array: another magic or version, a header that is damaged, a type or order that is not read here, too few or
/// too many data.
NpyHeader parse_npy(std::string_view bytes);

/// The header (version 1.0, data aligned to 64 bytes) of an array.
std::string format_npy_header(NpyType type, std::span<const std::int64_t> shape);

/// Elements of the data that begin at `data`. Requires an index within the array.
double npy_real(NpyType type, const char* data, std::int64_t index);
std::int64_t npy_whole(NpyType type, const char* data, std::int64_t index);  ///< requires whole_numbers(type)

}  // namespace medley::executor
