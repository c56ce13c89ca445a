#include "io/importers/gpu_share.h"

#include <cmath>

#include "io/importers/record_fields.h"

namespace medley::io {

void GpuShare::add(std::int64_t instances, double gpus) {
    const double count = static_cast<double>(instances);
    touched_ += count * std::ceil(gpus);
    total_ += count * gpus;
}

bool GpuShare::apply(RecordedJob& record) const {
    if (touched_ > static_cast<double>(kMostRecordedGpus)) { return false; }
    record.job.gpus = static_cast<int>(touched_);
    record.extras.gpu_fraction = touched_ > 0 ? std::min(total_ / touched_, 1.0) : 1.0;
    if (!(record.extras.gpu_fraction > 0)) {
        record.job.gpus = 0;
        record.extras.gpu_fraction = 1;
    }
    return true;
}

}  // namespace medley::io
