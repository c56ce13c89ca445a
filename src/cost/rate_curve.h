#pragma once
/// Data-parallel rates of one model on one GPU type, ready for a million look-ups.
///
/// One GPU works as fast as its best profiled virtual-node size that fits its memory and its slice of the batch. Several GPUs follow the
/// measured points where the profile has some (straight lines in log-log; before the first point from the one-GPU rate, beyond the last
/// one with the last line's exponent, at most 1), else GPUs^exponent x the one-GPU rate (exponent 1 unless the profile states one).

#include <cstdint>
#include <optional>
#include <vector>

#include "core/cluster.h"
#include "core/profile.h"
#include "core/units.h"

namespace medley {

/// A rate and the GPUs that take part in it.
struct Rate {
    double samples_per_s = 0;
    int working = 0;    ///< GPUs that have at least one virtual node
    double single = 0;  ///< of one working GPU by itself

    /// Share of the time that working GPUs wait for one another: what is missing to linear scaling.
    double communication_fraction() const;
};

/// Thread rule: immutable after construction. Cost of every look-up: O(log points), no allocation.
class RateCurve {
 public:
    /// Sizes that do not fit `type` are left out; null = a type of unknown memory.
    RateCurve(const Profile& profile, const GpuProfile& gpu, const GpuType* type);

    /// Do the rates of several GPUs come from measurements? Else they are linear and leave communication out.
    bool scaling_measured() const { return !measured_.empty() || exponent_measured_; }
    /// Can the model run here at all?
    bool usable() const { return !sizes_.empty() || !measured_.empty(); }
    /// Rate of this many GPUs at a global batch (0 = unknown). Where no size is as small as a GPU's slice, the smallest one is used and
    /// only as many GPUs work as it fills.
    Rate at(int gpus, Samples batch) const;
    /// Rate of this many GPUs of a job whose virtual nodes were made for slices of this size (0 = unknown), however many GPUs share
    /// them now: what a job gets that was measured on one number of GPUs and runs on another.
    Rate at_slice(int gpus, Samples batch, Samples slice) const;

 private:
    struct Size {
        Samples batch;
        double best_samples_per_s;  ///< of this and all smaller sizes
    };
    struct Line {
        std::optional<Samples> batch;
        std::vector<ScalingPoint> points;  ///< ascending in gpus, each once
    };

    double single(Samples slice) const;
    double several(int gpus, double single) const;
    const Line* line_for(Samples batch) const;
    double measured(const Line& line, int gpus, double single) const;
    double beyond(const std::vector<ScalingPoint>& points, int gpus, double single) const;

    std::vector<Size> sizes_;
    std::vector<Line> measured_;
    double exponent_;
    bool exponent_measured_;
};

}  // namespace medley
