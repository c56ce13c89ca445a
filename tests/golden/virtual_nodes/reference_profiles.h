#pragma once
/// Profiles of VirtualFlow's author, as his solver read them (examples a second of one GPU at each virtual-node size).

#include <string>
#include <utility>
#include <vector>

#include "core/profile.h"

namespace medley::golden {

using Rates = std::vector<std::pair<int, double>>;

inline GpuProfile from_rates(const Rates& rates) {
    GpuProfile gpu;
    for (const auto& [size, rate] : rates) {
        gpu.points.push_back(ProfilePoint{.batch = Samples{size}, .seconds = Seconds{size / rate}, .memory = std::nullopt});
    }
    return gpu;
}

inline Profile make_profile(const std::string& model, const std::vector<std::pair<std::string, Rates>>& gpus) {
    Profile profile{.model = Name(model)};
    for (const auto& [type, rates] : gpus) { profile.gpus[Name(type)] = from_rates(rates); }
    profile.validate();
    return profile;
}

/// BERT-BASE on SST-2.
Profile sst2();
/// Transformer, sizes in tokens. Above 128 tokens the rates grow with the size: a step then takes constant time.
Profile transformer();
/// ResNet-50 on ImageNet; the K80 rates are derived from the solver's printed throughputs, its sizes assumed.
Profile resnet50();

}  // namespace medley::golden
