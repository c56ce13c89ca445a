#include "executor/coordinator/wal.h"

#include <algorithm>
#include <array>

#include "executor/coordinator/record_fields.h"

namespace medley::executor {
namespace {

constexpr std::size_t kHeaderBytes = 12;

constexpr std::array<std::uint32_t, 256> crc_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t rest = byte;
        for (int bit = 0; bit < 8; ++bit) { rest = (rest >> 1) ^ ((rest & 1U) != 0 ? 0xEDB88320U : 0U); }
        table[byte] = rest;
    }
    return table;
}

struct Header {
    std::uint32_t length = 0;
    std::uint32_t complement = 0;
    std::uint32_t checksum = 0;
};
template <class Archive>
void visit_fields(Archive& archive, Header& value) {
    archive(value.length, value.complement, value.checksum);
}

bool only_zeros(std::string_view bytes) {
    return std::all_of(bytes.begin(), bytes.end(), [](char byte) { return byte == 0; });
}

// What follows the good entries. File systems may leave a torn end as zeros, or the last entry with holes.
WalEnd judge_rest(std::string_view rest) {
    if (rest.empty()) { return WalEnd::kWhole; }
    if (rest.size() < kHeaderBytes || only_zeros(rest)) { return WalEnd::kTorn; }
    const auto header = decode<Header>(rest.substr(0, kHeaderBytes)).value_or(Header{});
    const bool sound = header.complement == ~header.length;
    return sound && rest.size() - kHeaderBytes <= header.length ? WalEnd::kTorn : WalEnd::kDamaged;
}

}  // namespace

std::uint32_t crc32(std::string_view bytes) {
    static constexpr auto kTable = crc_table();
    std::uint32_t rest = ~0U;
    for (const char byte : bytes) { rest = (rest >> 8) ^ kTable[(rest ^ static_cast<unsigned char>(byte)) & 0xFFU]; }
    return ~rest;
}

std::string wal_entry(const Record& record) {
    const std::string payload = encode(record);
    const auto length = static_cast<std::uint32_t>(payload.size());
    return encode(Header{.length = length, .complement = ~length, .checksum = crc32(payload)}) + payload;
}

WalContents read_wal(std::string_view bytes) {
    WalContents contents;
    std::string_view rest = bytes;
    while (rest.size() >= kHeaderBytes) {
        const auto header = decode<Header>(rest.substr(0, kHeaderBytes)).value_or(Header{});
        if (header.complement != ~header.length || rest.size() - kHeaderBytes < header.length) { break; }
        const std::string_view payload = rest.substr(kHeaderBytes, header.length);
        auto record = crc32(payload) == header.checksum ? decode<Record>(payload) : std::nullopt;
        if (!record) { break; }
        contents.records.push_back(std::move(*record));
        rest.remove_prefix(kHeaderBytes + header.length);
    }
    contents.good_bytes = bytes.size() - rest.size();
    contents.end = judge_rest(rest);
    return contents;
}

}  // namespace medley::executor
