#include "executor/collectives/gloo/address_book.h"

#include <algorithm>
#include <set>

namespace medley::executor {
namespace {

using Byte = unsigned char;

void put_number(std::string& out, std::size_t number) {
    for (; number >= 0x80; number >>= 7) { out.push_back(static_cast<char>(0x80 | (number & 0x7f))); }
    out.push_back(static_cast<char>(number));
}

std::optional<std::size_t> take_number(std::string_view& rest) {
    std::size_t number = 0;
    for (int shift = 0; shift < 35 && !rest.empty(); shift += 7) {
        const auto byte = static_cast<Byte>(rest.front());
        rest.remove_prefix(1);
        number |= static_cast<std::size_t>(byte & 0x7f) << shift;
        if (byte < 0x80) { return number; }
    }
    return std::nullopt;
}

// A zero is followed by how many more there are.
void put_bytes(std::string& out, const std::vector<char>& bytes) {
    put_number(out, bytes.size());
    for (auto at = bytes.begin(); at != bytes.end();) {
        const auto end = std::find_if(at, bytes.end(), [](char byte) { return byte != 0; });
        if (end == at) {
            out.push_back(*at++);
            continue;
        }
        out.push_back(0);
        put_number(out, static_cast<std::size_t>(end - at - 1));
        at = end;
    }
}

std::optional<std::vector<char>> take_bytes(std::string_view& rest) {
    constexpr std::size_t kMost = 1024;  // far beyond any address
    const auto size = take_number(rest);
    if (!size || *size > kMost) { return std::nullopt; }
    std::vector<char> bytes;
    while (bytes.size() < *size) {
        if (rest.empty()) { return std::nullopt; }
        bytes.push_back(rest.front());
        rest.remove_prefix(1);
        if (bytes.back() != 0) { continue; }
        const auto more = take_number(rest);
        if (!more || *more > *size - bytes.size()) { return std::nullopt; }
        bytes.resize(bytes.size() + *more);
    }
    return bytes;
}

}  // namespace

std::vector<int> peers_of(int rank, int size) {
    std::set<int> peers;
    const auto add = [&](int distance) { peers.insert({(rank + distance) % size, (rank + size - distance) % size}); };
    for (int distance = 1; distance < size; distance = size <= kFewRanks ? distance + 1 : distance * 2) { add(distance); }
    return {peers.begin(), peers.end()};
}

std::string encode(const AddressBook& book) {
    std::string out;
    for (const auto& [rank, address] : book) {
        put_number(out, static_cast<std::size_t>(rank));
        put_bytes(out, address);
    }
    return out;
}

std::optional<AddressBook> decode_address_book(std::string_view bytes) {
    AddressBook book;
    while (!bytes.empty()) {
        const auto rank = take_number(bytes);
        auto address = rank ? take_bytes(bytes) : std::nullopt;
        if (!address) { return std::nullopt; }
        book.emplace(static_cast<int>(*rank), std::move(*address));
    }
    return book;
}

}  // namespace medley::executor
