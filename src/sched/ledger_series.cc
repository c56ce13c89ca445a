#include "sched/ledger_series.h"

#include <algorithm>

#include "core/error.h"

namespace medley {

void LedgerSeries::add(const Span& span, LedgerBin bin, double gpus) {
    if (origin_ == kNever) { origin_ = end_ = span.from; }
    MEDLEY_ASSERT(span.from >= origin_);
    end_ = std::max(end_, span.to);
    std::int64_t at = (span.from - origin_).value;
    const std::int64_t end = (span.to - origin_).value;
    while (end > at && (end - 1) / width_ >= static_cast<std::int64_t>(kMostStretches)) { double_width(); }
    while (at < end) {
        const std::int64_t stretch = at / width_;
        const std::int64_t stop = end - at <= width_ - at % width_ ? end : (stretch + 1) * width_;
        const std::size_t cell = place(static_cast<std::size_t>(stretch), span.type, bin);
        if (amounts_.size() <= cell) { amounts_.resize((static_cast<std::size_t>(stretch) + 1) * types_ * kLedgerBins); }
        amounts_[cell] += gpus * static_cast<double>(stop - at);
        at = stop;
    }
}

void LedgerSeries::move(const Span& span, LedgerBin from, LedgerBin to, double gpus) {
    add(span, from, -gpus);
    add(span, to, gpus);
}

SimTime LedgerSeries::end_of(std::size_t stretch) const { return std::min(end_, start_of(stretch + 1)); }

// What corrections take away again leaves crumbs of rounding, of either sign.
double LedgerSeries::gpu_seconds(std::size_t stretch, GpuTypeId type, LedgerBin bin) const {
    return std::max(0.0, amounts_[place(stretch, type, bin)]) / kNanosecondsPerSecond;
}

void LedgerSeries::double_width() {
    const std::size_t row = types_ * kLedgerBins;
    const std::size_t before = stretches();
    width_ *= 2;
    for (std::size_t stretch = 0; stretch < before; ++stretch) {
        for (std::size_t cell = 0; cell < row; ++cell) {
            const double amount = amounts_[stretch * row + cell];
            amounts_[stretch * row + cell] = 0;
            amounts_[stretch / 2 * row + cell] += amount;
        }
    }
    amounts_.resize((before + 1) / 2 * row);
}

}  // namespace medley
