#include "core/profile.h"

#include <cmath>

#include <fmt/format.h>

#include "core/error.h"

namespace medley {
namespace {

constexpr double kBytesPerGb = 1e9;
constexpr double kSecondsPerMicrosecond = 1e-6;

bool positive(double value) { return value > 0 && std::isfinite(value); }

void validate_points(const GpuProfile& gpu, const std::string& place) {
    for (std::size_t index = 0; index < gpu.points.size(); ++index) {
        const ProfilePoint& point = gpu.points[index];
        const std::string here = fmt::format("{}[{}]", place, index);
        if (point.batch.value < 1) { refuse_value(here + ".batch", fmt::format("{}", point.batch.value), "a whole number of at least 1"); }
        if (!positive(point.seconds.value)) { refuse_value(here, fmt::format("{} s", point.seconds.value), "a finite time above 0"); }
        if (point.memory && !positive(point.memory->value)) {
            refuse_value(here + ".memory_bytes", fmt::format("{}", point.memory->value), "a finite number above 0");
        }
        if (index > 0 && gpu.points[index - 1].batch >= point.batch) {
            refuse_value(here + ".batch", fmt::format("{}", point.batch.value), "each batch size once");
        }
    }
}

void validate_scaling(const GpuProfile& gpu, const std::string& place) {
    for (std::size_t index = 0; index < gpu.scaling.size(); ++index) {
        const ScalingPoint& point = gpu.scaling[index];
        const std::string here = fmt::format("{}[{}]", place, index);
        if (point.gpus < 1) { refuse_value(here + ".gpus", fmt::format("{}", point.gpus), "a whole number of at least 1"); }
        if (!positive(point.samples_per_s)) {
            refuse_value(here + ".samples_per_s", fmt::format("{}", point.samples_per_s), "a finite number above 0");
        }
    }
}

}  // namespace

void Profile::validate() const {
    if (model.empty()) { refuse_value("model", "", "the model's name"); }
    if (!(parameters >= 0) || !std::isfinite(parameters)) {
        refuse_value("parameters", fmt::format("{}", parameters), "a count of at least 0");
    }
    if (!(gradient.value >= 0) || !std::isfinite(gradient.value)) {
        refuse_value("gradient_bytes", fmt::format("{}", gradient.value), "at least 0");
    }
    if (!(state.value >= 0) || !std::isfinite(state.value)) { refuse_value("state_bytes", fmt::format("{}", state.value), "at least 0"); }
    if (scaling_exponent && !(*scaling_exponent >= 0 && *scaling_exponent <= 2)) {
        refuse_value("scaling.exponent", fmt::format("{}", *scaling_exponent), "a number from 0 to 2");
    }
    if (link && !positive(link->bandwidth.value)) {
        refuse_value("link.gb_per_s", fmt::format("{}", link->bandwidth.value / kBytesPerGb), "a finite number above 0");
    }
    if (link && !(link->latency.value >= 0 && std::isfinite(link->latency.value))) {
        refuse_value("link.latency_us", fmt::format("{}", link->latency.value / kSecondsPerMicrosecond), "a finite number of at least 0");
    }
    for (const auto& [type, gpu] : gpus) {
        if (gpu.update && !positive(gpu.update->value)) {
            refuse_value(fmt::format("update_seconds.{}", type.text()), fmt::format("{}", gpu.update->value), "a finite time above 0");
        }
        validate_points(gpu, fmt::format("gpus.{}", type.text()));
        validate_scaling(gpu, fmt::format("scaling.{}", type.text()));
    }
}

const GpuProfile* Profile::find(Name gpu_type) const {
    const auto found = gpus.find(gpu_type);
    return found == gpus.end() ? nullptr : &found->second;
}

}  // namespace medley
