#include "sched/utilization_series.h"

#include <algorithm>

namespace medley {
namespace {

void add(ClusterLoad& sum, const ClusterLoad& load, double factor) {
    sum.present_gpus += load.present_gpus * factor;
    sum.held_gpus += load.held_gpus * factor;
    sum.running_jobs += load.running_jobs * factor;
    sum.waiting_jobs += load.waiting_jobs * factor;
}

}  // namespace

void UtilizationSeries::add(SimTime from, SimTime to, const ClusterLoad& load) {
    if (origin_ == kNever) { origin_ = from; }
    if (to <= from) { return; }
    end_ = to;
    std::int64_t start = (from - origin_).value;
    const std::int64_t end = (to - origin_).value;
    while ((end - 1) / width_ >= static_cast<std::int64_t>(kMostBins)) { double_width(); }
    while (start < end) {
        const std::int64_t bin = start / width_;
        const std::int64_t stop = end - start <= width_ - start % width_ ? end : (bin + 1) * width_;
        add_to_bin(static_cast<std::size_t>(bin), stop - start, load);
        start = stop;
    }
}

void UtilizationSeries::add_to_bin(std::size_t bin, std::int64_t span, const ClusterLoad& load) {
    if (sums_.size() <= bin) { sums_.resize(bin + 1); }
    medley::add(sums_[bin], load, static_cast<double>(span));
}

void UtilizationSeries::double_width() {
    width_ *= 2;
    for (std::size_t bin = 0; bin < sums_.size(); ++bin) {
        const ClusterLoad sum = sums_[bin];
        sums_[bin] = {};
        medley::add(sums_[bin / 2], sum, 1);
    }
    sums_.resize((sums_.size() + 1) / 2);
}

std::vector<UtilizationBin> UtilizationSeries::bins() const {
    std::vector<UtilizationBin> result;
    result.reserve(sums_.size());
    for (std::size_t bin = 0; bin < sums_.size(); ++bin) {
        const SimTime start = origin_ + SimTime{static_cast<std::int64_t>(bin) * width_};
        const SimTime end = std::min(end_, start + SimTime{width_});
        ClusterLoad mean;
        medley::add(mean, sums_[bin], 1 / static_cast<double>((end - start).value));
        result.push_back({.start = start,
                          .end = end,
                          .present_gpus = mean.present_gpus,
                          .held_gpus = mean.held_gpus,
                          .running_jobs = mean.running_jobs,
                          .waiting_jobs = mean.waiting_jobs});
    }
    return result;
}

}  // namespace medley
