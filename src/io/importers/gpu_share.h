#pragma once
/// Requests for parts of a GPU, as shares of whole ones.

#include "io/importers/job_collector.h"

namespace medley::io {

/// `instances` that want `gpus` GPUs each, parts included: so many whole GPUs with the same share of each. 0.5 of one are one GPU with
/// share
/// 0.5; 1.5 are two with 0.75. Sums of several such requests keep the total and the number of GPUs touched.
class GpuShare {
 public:
    void add(std::int64_t instances, double gpus);

    double total() const { return total_; }
    /// Sets `gpus` and `gpu_fraction`; false, with nothing set, if that many GPUs are beyond all reason.
    bool apply(RecordedJob& record) const;

 private:
    double touched_ = 0;
    double total_ = 0;
};

}  // namespace medley::io
