#pragma once
/// Which peers a rank is connected to, and the blob by which it tells them where it listens.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace medley::executor {

/// Up to so many ranks everybody is everybody's peer.
inline constexpr int kFewRanks = 8;

/// The ranks at distances 1, 2, 4, ... both ways round, which is all that trees, doubling and rings need: some 2 log2(size) instead of
/// size - 1.
/// Everybody, where there are few. Ascending; a relation that holds both ways.
std::vector<int> peers_of(int rank, int size);

/// By rank of the peer: the address where it is awaited, in the transport's own form.
using AddressBook = std::map<int, std::vector<char>>;

/// Addresses are mostly zeros, and each of them goes to every rank: runs of zeros are shortened.
std::string encode(const AddressBook& book);
/// Empty if the bytes are not an address book.
std::optional<AddressBook> decode_address_book(std::string_view bytes);

}  // namespace medley::executor
