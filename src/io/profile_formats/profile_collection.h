#pragma once
/// Profiles in the making, from measured configurations in any order.

#include <cstdint>
#include <map>
#include <string>

#include "io/profile_formats/profile_format.h"

namespace medley::io {

/// What was measured: a model on one or several GPUs of a type.
struct MeasuredOn {
    std::string model;
    std::string gpu_type;
};

class ProfileCollection {
 public:
    /// Most rows go through one of these; each counts one row, kept or dropped.

    /// Forward and backward of one virtual node. A second figure of the same size is dropped.
    void add_point(const MeasuredOn& on, std::int64_t batch, double seconds);
    /// Rate of several GPUs (or of one, step and all) at a global batch. Of equal numbers of GPUs the one on the fewest nodes stays, of
    /// those the first.
    void add_rate(const MeasuredOn& on, int gpus, std::int64_t global_batch, double samples_per_s, int nodes = 1);
    void drop(const std::string& reason, std::size_t rows = 1);
    void change(const std::string& reason) { ++report_.changed[reason]; }

    /// A rate as above that belongs to a row counted already.
    void add_rate_beside(const MeasuredOn& on, int gpus, std::int64_t global_batch, double samples_per_s);
    /// Seconds of one update as measured beside one size; the median of a type's stays.
    void add_update(const MeasuredOn& on, double seconds);
    /// What is known of the model as a whole. No effect for a model without figures.
    Profile& about(const std::string& model) { return models_[model].profile; }

    /// Models without any figure are left out.
    ProfileImport finish(std::string meaning);

 private:
    struct Placed {
        double samples_per_s = 0;
        int nodes = 0;
    };
    struct OneGpuType {
        std::map<std::int64_t, double> seconds;                ///< by batch
        std::map<std::pair<int, std::int64_t>, Placed> rates;  ///< by GPUs and global batch
        std::vector<double> updates_s;
    };
    struct Model {
        Profile profile;
        std::map<std::string, OneGpuType> types;
    };

    OneGpuType& type_of(const MeasuredOn& on) { return models_[on.model].types[on.gpu_type]; }
    static GpuProfile profile_of(const OneGpuType& type);

    std::map<std::string, Model> models_;
    ProfileImportReport report_;
};

}  // namespace medley::io
