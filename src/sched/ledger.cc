#include "sched/ledger.h"

#include <algorithm>
#include <numeric>

#include "sched/ledger_series.h"

namespace medley {

GpuTime Ledger::total() const {
    GpuTime sum = 0;
    for (const GpuTime time : bins) { sum += time; }
    return sum;
}

void LedgerKeeper::advance(SimTime now) {
    if (now_ == kNever) { now_ = now; }
    const std::int64_t span = (now - now_).value;
    now_ = now;
    if (span == 0) { return; }
    for (std::size_t bin = 0; bin < kHeldBins; ++bin) { ledger_.bins[bin] += GpuTime{active_[bin]} * span; }
    held_time_ += GpuTime{held()} * span;
    present_time_ += GpuTime{present()} * span;
    book_free(span);
}

void LedgerKeeper::book_free(std::int64_t span) {
    free_.resize(nominal_.size());
    for (std::size_t type = 0; type < nominal_.size(); ++type) { free_[type] = std::max(0, present_[type] - held_[type]); }
    const GpuTypeMask wanted = waiting_.wanted(free_);
    for (std::size_t type = 0; type < nominal_.size(); ++type) {
        ledger_[LedgerBin::kDown] += GpuTime{absent(type)} * span;
        const bool fragmented = (wanted >> type) & 1U;
        ledger_[fragmented ? LedgerBin::kFragmented : LedgerBin::kIdle] += GpuTime{free_[type]} * span;
    }
    if (series_ != nullptr) { book_series(now_ - SimTime{span}, now_, wanted); }
}

void LedgerKeeper::book_series(SimTime from, SimTime to, GpuTypeMask wanted) {
    for (std::size_t type = 0; type < nominal_.size(); ++type) {
        const auto book = [&](LedgerBin bin, int gpus) {
            if (gpus > 0) { series_->add({.type = GpuTypeId(type), .from = from, .to = to}, bin, gpus); }
        };
        for (std::size_t bin = 0; bin < kHeldBins; ++bin) { book(static_cast<LedgerBin>(bin), active_of_type_[type][bin]); }
        book(LedgerBin::kDown, absent(type));
        book((wanted >> type) & 1U ? LedgerBin::kFragmented : LedgerBin::kIdle, free_[type]);
    }
}

int LedgerKeeper::absent(std::size_t type) const {
    return std::max(0, std::max(nominal_[type], present_[type]) - std::max(present_[type], held_[type]));
}

int LedgerKeeper::present() const { return std::accumulate(present_.begin(), present_.end(), 0); }
int LedgerKeeper::held() const { return std::accumulate(held_.begin(), held_.end(), 0); }

}  // namespace medley
