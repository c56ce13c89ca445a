#include "io/profile_writing.h"

#include <fmt/format.h>

#include "io/yaml_text.h"

namespace medley::io {
namespace {

constexpr double kBytesPerGb = 1e9;
constexpr double kSecondsPerMicrosecond = 1e-6;

std::string point_text(const ProfilePoint& point) {
    const std::string memory = point.memory ? fmt::format(", memory_bytes: {}", point.memory->value) : "";
    return fmt::format("    - {{batch: {}, seconds: {}{}}}\n", point.batch.value, point.seconds.value, memory);
}

std::string scaling_point_text(const ScalingPoint& point) {
    const std::string batch = point.batch ? fmt::format("batch: {}, ", point.batch->value) : "";
    return fmt::format("    - {{gpus: {}, {}samples_per_s: {}}}\n", point.gpus, batch, point.samples_per_s);
}

std::string points_text(const Profile& profile) {
    std::string text;
    for (const auto& [type, gpu] : profile.gpus) {
        if (gpu.points.empty()) { continue; }
        text += fmt::format("  {}:\n", quoted_yaml(type.text()));
        for (const ProfilePoint& point : gpu.points) { text += point_text(point); }
    }
    return text;
}

std::string scaling_text(const Profile& profile) {
    std::string text = profile.scaling_exponent ? fmt::format("  exponent: {}\n", *profile.scaling_exponent) : "";
    for (const auto& [type, gpu] : profile.gpus) {
        if (gpu.scaling.empty()) { continue; }
        text += fmt::format("  {}:\n", quoted_yaml(type.text()));
        for (const ScalingPoint& point : gpu.scaling) { text += scaling_point_text(point); }
    }
    return text;
}

std::string updates_text(const Profile& profile) {
    std::string text;
    for (const auto& [type, gpu] : profile.gpus) {
        if (gpu.update) { text += fmt::format("  {}: {}\n", quoted_yaml(type.text()), gpu.update->value); }
    }
    return text.empty() ? "" : "update_seconds:\n" + text;
}

std::string link_text(const Link& link) {
    return fmt::format("link: {{gb_per_s: {}, latency_us: {}}}\n", link.bandwidth.value / kBytesPerGb,
                       link.latency.value / kSecondsPerMicrosecond);
}

}  // namespace

std::string format_profile(const Profile& profile) {
    std::string text = fmt::format("format: 1\nmodel: {}\n", quoted_yaml(profile.model.text()));
    text += fmt::format("sample: {}\n", quoted_yaml(profile.sample));
    if (!profile.source.empty()) { text += fmt::format("source: {}\n", quoted_yaml(profile.source)); }
    if (profile.parameters > 0) { text += fmt::format("parameters: {}\n", profile.parameters); }
    if (profile.gradient.value > 0) { text += fmt::format("gradient_bytes: {}\n", profile.gradient.value); }
    if (profile.state.value > 0) { text += fmt::format("state_bytes: {}\n", profile.state.value); }
    const std::string points = points_text(profile);
    const std::string scaling = scaling_text(profile);
    if (!points.empty()) { text += "gpus:\n" + points; }
    if (points.empty() && scaling.empty()) { text += "gpus: {}\n"; }
    if (!scaling.empty()) { text += "scaling:\n" + scaling; }
    text += updates_text(profile);
    return profile.link ? text + link_text(*profile.link) : text;
}

}  // namespace medley::io
