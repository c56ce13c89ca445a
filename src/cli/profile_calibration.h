#pragma once
/// A profile brought in line with what a run measured.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/profile.h"
#include "executor/coordinator/records.h"

namespace medley::cli {

/// What became of one virtual-node size.
enum class CalibrationKind : std::uint8_t {
    kMeasured,  ///< workers held virtual nodes of this size alone: their time replaces the profile's
    kScaled,    ///< multiplied by the type's ratio of measured to profiled time
};
struct CalibratedSize {
    std::string gpu_type;
    std::int64_t batch = 0;
    CalibrationKind kind = CalibrationKind::kMeasured;
    std::optional<double> before_s;  ///< empty = the profile had no such size
    double after_s = 0;
};

struct Calibration {
    Profile profile;
    std::vector<CalibratedSize> sizes;
    std::int64_t steps = 0;               ///< of single workers, that count
    std::vector<std::string> left_as_is;  ///< GPU types of the profile that the run says nothing of
};

/// The fewest steps of one worker that its median is trusted from.
inline constexpr std::size_t kFewestCalibrationSteps = 5;

/// A worker's compute time is the sum of its virtual nodes' times; its first step of each membership warms up and does not count. Where
/// all of a worker's virtual nodes have one size, the median over steps gives that size's seconds. A type's other sizes are multiplied by
/// the median, over all its workers' steps, of measured time over the sum of the profile's. Updates are replaced by medians. Memory,
/// scaling and link stay. `time_scale` divides what an emulated run measured. Cost: O(records log records).
/// Throws medley::Error if no worker has enough steps.
Calibration calibrate(const Profile& profile, std::span<const executor::Record> records, std::span<const std::int64_t> virtual_nodes,
                      double time_scale);

}  // namespace medley::cli
