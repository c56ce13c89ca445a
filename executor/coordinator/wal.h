#pragma once
/// The write-ahead log as bytes: one entry after the other, each a length (4 bytes, little-endian), its complement, the CRC-32 of
/// the payload and the payload (an encoded Record). Pure; files belong to the session.
///
/// A log whose end was torn off by a crash reads as its good part. Damage before the end is told apart, since nothing after it can be
/// trusted.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "executor/coordinator/records.h"

namespace medley::executor {

/// The bytes to append for one record.
std::string wal_entry(const Record& record);

enum class WalEnd : std::uint8_t {
    kWhole,    ///< nothing follows the last entry
    kTorn,     ///< an entry that was never completed follows: cut it off and append after `good_bytes`
    kDamaged,  ///< more follows than one torn entry explains
};
struct WalContents {
    std::vector<Record> records;
    std::size_t good_bytes = 0;  ///< where the entries read end
    WalEnd end = WalEnd::kWhole;
};
WalContents read_wal(std::string_view bytes);

/// IEEE 802.3, as in zlib.
std::uint32_t crc32(std::string_view bytes);

}  // namespace medley::executor
