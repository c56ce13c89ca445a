#pragma once
/// What was measured of one model: seconds and memory of one virtual node by GPU type and size, and how several GPUs scale.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/cluster.h"
#include "core/name.h"
#include "core/units.h"

namespace medley {

/// One measured virtual-node size on one GPU type.
struct ProfilePoint {
    Samples batch;
    Seconds seconds;              ///< forward and backward of one virtual node of this size
    std::optional<Bytes> memory;  ///< activations, temporaries and inputs of one virtual node; empty = taken to fit
};

/// A measured data-parallel rate of several GPUs of one type.
struct ScalingPoint {
    int gpus = 1;
    std::optional<Samples> batch;  ///< global batch, if stated
    double samples_per_s = 0;
};

struct GpuProfile {
    std::vector<ProfilePoint> points;   ///< ascending in batch, unique
    std::vector<ScalingPoint> scaling;  ///< ascending in gpus
    std::optional<Seconds> update;      ///< one optimizer update, which a step pays once; not part of a plan's prediction
};

/// One model's profile. GPU types go by name, since a profile outlives any one cluster file.
struct Profile {
    Name model;
    std::string sample = "sample";  ///< what one example is: image, sequence, token
    double parameters = 0;          ///< 0 = not stated
    Bytes gradient;                 ///< bytes of one gradient, also of the one buffer that virtual nodes share
    Bytes state;                    ///< weights + optimizer
    std::string source;
    std::optional<double> scaling_exponent;  ///< rate of n GPUs = n^exponent x rate of one, where no points were measured
    std::map<Name, GpuProfile> gpus;
    std::optional<Link> link;  ///< between workers, as measured where the profile was; a cluster file's network comes before it

    /// Throws medley::Error naming the path inside the profile, the value and what was expected.
    void validate() const;
    const GpuProfile* find(Name gpu_type) const;
};

}  // namespace medley
