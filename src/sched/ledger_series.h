#pragma once
/// The ledger over time and by GPU type: GPU-seconds in a bounded number of equal stretches, whatever the length of the log.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/ids.h"
#include "core/units.h"
#include "sched/ledger.h"

namespace medley {

/// Stretches start `first_length` long and double in length whenever time runs past the last, so that there are never more than
/// `kMostStretches`. Summed over stretches and types, each bin equals the ledger's up to rounding. Cost of a booking:
/// O(stretches that it covers). Thread rule: one thread.
class LedgerSeries {
 public:
    static constexpr std::size_t kMostStretches = 512;

    struct Span {
        GpuTypeId type;
        SimTime from, to;
    };

    explicit LedgerSeries(std::size_t types, SimTime first_length = SimTime{1'000'000}) : types_(types), width_(first_length.value) {}

    /// `gpus` GPUs were in `bin` for all of the span. The first call's `from` is where time starts; none may lie before it.
    void add(const Span& span, LedgerBin bin, double gpus);
    /// A correction after the fact: so many GPUs of the span were in another bin.
    void move(const Span& span, LedgerBin from, LedgerBin to, double gpus);

    std::size_t types() const { return types_; }
    std::size_t stretches() const { return amounts_.empty() ? 0 : amounts_.size() / (types_ * kLedgerBins); }
    SimTime start_of(std::size_t stretch) const { return origin_ + SimTime{static_cast<std::int64_t>(stretch) * width_}; }
    /// The last stretch ends where the log does.
    SimTime end_of(std::size_t stretch) const;
    double gpu_seconds(std::size_t stretch, GpuTypeId type, LedgerBin bin) const;

 private:
    std::size_t place(std::size_t stretch, GpuTypeId type, LedgerBin bin) const {
        return (stretch * types_ + type.index()) * kLedgerBins + static_cast<std::size_t>(bin);
    }
    void double_width();

    std::size_t types_;
    std::vector<double> amounts_;  ///< GPUs x nanoseconds, by stretch, type and bin
    SimTime origin_ = kNever;
    SimTime end_;
    std::int64_t width_;
};

}  // namespace medley
