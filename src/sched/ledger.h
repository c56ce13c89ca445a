#pragma once
/// The ledger of GPU time: every GPU-nanosecond of the log falls into exactly one bin.
///
/// The bins add up, in exact integers, to the time integral over all types of max(nominal, present) capacity. GPU time counts from the
/// log's first record to its last.

#include <array>
#include <cstddef>
#include <cstdint>

namespace medley {

/// GPU count x nanoseconds; 128 bits, since ten thousand GPUs overflow 64 bits within two weeks.
__extension__ typedef __int128 GpuTime;

inline double gpu_seconds(GpuTime time) { return static_cast<double>(time) / 1e9; }

enum class LedgerBin : std::uint8_t {
    kUseful,         ///< working on steps that count
    kStartup,        ///< held, before the first progress after a launch
    kCheckpoint,     ///< held while state is saved before a stop
    kLostWork,       ///< worked on steps that had to be done again
    kCommunication,  ///< waiting for communication inside a step
    kResize,         ///< gained in a resize that is not complete
    kDown,           ///< absent: nominal capacity that is not there
    kFragmented,     ///< free while a waiting job exists whose least gang is no more than the free GPUs of its allowed types
    kIdle,           ///< free otherwise
};
inline constexpr std::size_t kLedgerBins = 9;
/// Names as in `ledger_gpu_seconds`, by bin.
inline constexpr std::array<const char*, kLedgerBins> kLedgerBinNames = {
    "useful", "startup", "checkpoint", "lost_work", "communication_wait", "resize", "down", "fragmented", "idle"};

struct Ledger {
    std::array<GpuTime, kLedgerBins> bins{};

    GpuTime& operator[](LedgerBin bin) { return bins[static_cast<std::size_t>(bin)]; }
    GpuTime operator[](LedgerBin bin) const { return bins[static_cast<std::size_t>(bin)]; }
    GpuTime total() const;
    void move(LedgerBin from, LedgerBin to, GpuTime time) { (*this)[from] -= time; (*this)[to] += time; }
};

}  // namespace medley
