#include "cli/device_cluster.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>

namespace medley::cli {
namespace {

constexpr double kMemoryTolerance = 0.1;
constexpr std::string_view kCpu = "cpu";

/// Letters and digits in lower case: "RTX 2080 Ti" and "RTX2080Ti" are the same.
std::string plain(std::string_view name) {
    std::string text;
    for (const unsigned char c : name) {
        if (std::isalnum(c) != 0) { text += static_cast<char>(std::tolower(c)); }
    }
    return text;
}

/// "A100-80GB": A100 must occur in the device's name; 80GB is the memory's business. "H100-PCIe": PCIe must occur, too.
bool words_occur(std::string_view type, const std::string& device) {
    while (!type.empty()) {
        const std::size_t dash = type.find('-');
        const std::string word = plain(type.substr(0, dash));
        if (!word.ends_with("gb") && device.find(word) == std::string::npos) { return false; }
        type.remove_prefix(dash == std::string_view::npos ? type.size() : dash + 1);
    }
    return true;
}

bool memory_fits(const GpuType& type, std::int64_t memory_bytes) {
    return !type.memory || std::abs(static_cast<double>(memory_bytes) / type.memory->value - 1) <= kMemoryTolerance;
}

GpuType type_of(const executor::DeviceFound& device, std::span<const GpuType> catalogue) {
    const std::string name = plain(device.name);
    const GpuType* best = nullptr;
    for (const GpuType& type : catalogue) {
        if (!words_occur(type.name.text(), name) || !memory_fits(type, device.memory_bytes)) { continue; }
        if (best == nullptr || type.name.text().size() > best->name.text().size()) { best = &type; }
    }
    if (best != nullptr) { return *best; }
    GpuType type{.name = Name(device.name)};
    if (device.memory_bytes > 0) { type.memory = Bytes{static_cast<double>(device.memory_bytes)}; }
    return type;
}

void add_device(Cluster& cluster, const GpuType& type) {
    if (const auto known = cluster.find(type.name.text())) {
        ++cluster.nodes[known->index()].gpus;
        return;
    }
    cluster.nodes.push_back({.name = "", .gpu = GpuTypeId(cluster.gpu_types.size())});
    cluster.gpu_types.push_back(type);
}

}  // namespace

Cluster cluster_of_devices(const executor::DevicesFound& found, std::span<const GpuType> catalogue) {
    Cluster cluster;
    for (const executor::DeviceFound& device : found.devices) {
        if (device.device != kCpu) { add_device(cluster, type_of(device, catalogue)); }
    }
    if (cluster.nodes.empty()) { add_device(cluster, {.name = Name(kCpu)}); }
    cluster.validate();
    return cluster;
}

}  // namespace medley::cli
