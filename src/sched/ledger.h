#pragma once
/// The ledger of GPU time: every GPU-nanosecond of the log falls into exactly one bin.
///
/// The bins add up, in exact integers, to the time integral over all types of max(nominal, present) capacity. GPU time counts from the
/// log's first record to its last.

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/ids.h"
#include "core/units.h"
#include "sched/waiting_jobs.h"

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
inline constexpr std::size_t kHeldBins = 6;  ///< the first ones: GPUs held by jobs
/// Names as in `ledger_gpu_seconds`, by bin.
inline constexpr std::array<const char*, kLedgerBins> kLedgerBinNames = {
    "useful", "startup", "checkpoint", "lost_work", "communication_wait", "resize", "down", "fragmented", "idle"};

struct Ledger {
    std::array<GpuTime, kLedgerBins> bins{};

    GpuTime& operator[](LedgerBin bin) { return bins[static_cast<std::size_t>(bin)]; }
    GpuTime operator[](LedgerBin bin) const { return bins[static_cast<std::size_t>(bin)]; }
    GpuTime total() const;
    void move(LedgerBin from, LedgerBin to, GpuTime time) {
        (*this)[from] -= time;
        (*this)[to] += time;
    }
};

class LedgerSeries;

/// Where the GPUs are now, integrated over time. Cost of `advance`: O(types) beyond WaitingJobs::wanted.
class LedgerKeeper {
 public:
    explicit LedgerKeeper(std::vector<int> nominal)
        : nominal_(nominal), present_(std::move(nominal)), held_(nominal_.size(), 0), active_of_type_(nominal_.size()) {}

    /// From now on all GPU time is also booked there, over time and by type, which costs O(types x bins) an `advance`. It must outlive
    /// this keeper. Corrections (`move`) are not: whoever makes one knows over which time.
    void watch(LedgerSeries& series) { series_ = &series; }

    /// Books the time since the last call. The first call starts the clock.
    void advance(SimTime now);

    void set_present(GpuTypeId type, int gpus) { present_[type.index()] = gpus; }
    /// GPUs of a type enter (+) or leave (-) one of the bins of held GPUs.
    void hold(LedgerBin bin, GpuTypeId type, int gpus) {
        active_[static_cast<std::size_t>(bin)] += gpus;
        active_of_type_[type.index()][static_cast<std::size_t>(bin)] += gpus;
        held_[type.index()] += gpus;
    }
    /// A correction after the fact, such as the communication share of a stretch that is over.
    void move(LedgerBin from, LedgerBin to, GpuTime time) { ledger_.move(from, to, time); }
    WaitingJobs& waiting() { return waiting_; }

    const Ledger& ledger() const { return ledger_; }
    GpuTime present_time() const { return present_time_; }
    GpuTime held_time() const { return held_time_; }
    int nominal(GpuTypeId type) const { return nominal_[type.index()]; }
    int present() const;
    int held() const;

 private:
    void book_free(std::int64_t span);
    void book_series(SimTime from, SimTime to, GpuTypeMask wanted);
    int absent(std::size_t type) const;

    std::vector<int> nominal_, present_, held_, free_;
    std::array<std::int64_t, kHeldBins> active_{};
    std::vector<std::array<std::int32_t, kHeldBins>> active_of_type_;
    LedgerSeries* series_ = nullptr;
    WaitingJobs waiting_;
    Ledger ledger_;
    GpuTime present_time_ = 0;
    GpuTime held_time_ = 0;
    SimTime now_ = kNever;
};

}  // namespace medley
