#pragma once
/// Measures what a profile holds: seconds and memory of one virtual node by its size, the update, and the link between workers.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/profile.h"
#include "executor/engines/engine.h"
#include "executor/report/measurement.h"

namespace medley::cli {

/// 1, 2, 4, 8, 12, 16, 24, 32, 48, ...: powers of two, and from 8 on the midpoints between them, up to `largest`.
std::vector<std::int64_t> profiled_sizes(std::int64_t largest);

struct MeasurementOptions {
    TrainingJob job;
    std::string device = "cpu";
    std::string gpu_type;  ///< that an emulated device stands for
    std::vector<std::int64_t> sizes;
    int steps = 20;
    int warm_up = 2;                      ///< more, which are dropped
    std::int64_t memory_limit_bytes = 0;  ///< a size that needs more is the last; 0 = none
    double step_limit_s = 0;              ///< a size whose virtual node takes longer is the last; 0 = none
};

struct SizeMeasurement {
    std::int64_t size = 0;
    executor::Measurement node_s;  ///< forward and backward of one virtual node
    executor::Measurement update_s;
    std::optional<std::int64_t> memory_bytes;  ///< beyond what stays; empty if the engine cannot tell
};

struct DeviceMeasurement {
    std::string device;
    std::string device_name;
    std::vector<SizeMeasurement> sizes;
    std::int64_t parameters = 0;
    std::int64_t gradient_bytes = 0;
    std::int64_t state_bytes = 0;
    std::string ended;  ///< why sizes were left out; empty if none were
};

/// Steps one engine after another, one for each size. Out of memory ends it, and is no error unless it meets the first size. `progress` is
/// called after each step with steps done and to do.
DeviceMeasurement measure_device(const MeasurementOptions& options, const std::function<void(std::size_t, std::size_t)>& progress);

/// Times of an all-reduce between two workers of this machine.
struct LinkMeasurement {
    executor::Measurement small_s;  ///< of 8 bytes
    executor::Measurement large_s;  ///< of `large_bytes`
    double large_bytes = 0;
    executor::LinkEstimate link;  ///< from the medians

    /// The bandwidth if large messages took this long.
    double bytes_per_s_at(double seconds) const;
};
/// `gradient_bytes`: what will be summed each step; the large message is of that size, within 1 and 64 MB, since a link's rate depends on
/// it. Two threads talk over the collective as two workers would; what they add up costs time too, as it does in a run. Throws
/// medley::Error where the collective cannot connect. Cost: 128 MB moved, ten times the large message at least.
LinkMeasurement measure_link(const std::string& collective, std::int64_t gradient_bytes);

/// Adds the device's points to a profile, as the GPU type `type`.
void add_to_profile(Profile& profile, const std::string& type, const DeviceMeasurement& measured);

}  // namespace medley::cli
