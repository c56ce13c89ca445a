#include "cost/price.h"

#include <algorithm>

namespace medley {
namespace {

template <class Figure>
std::optional<double> sum_of(std::span<const TypeCount> held, std::span<const GpuType> types, Figure figure) {
    double sum = 0;
    for (const TypeCount& count : held) {
        if (count.gpus == 0) { continue; }
        const GpuType* type = find_type(types, count.type);
        if (type == nullptr || !figure(*type)) { return std::nullopt; }
        sum += *figure(*type) * count.gpus;
    }
    return sum;
}

}  // namespace

const GpuType* find_type(std::span<const GpuType> types, Name name) {
    const auto found = std::find_if(types.begin(), types.end(), [&](const GpuType& type) { return type.name == name; });
    return found == types.end() ? nullptr : &*found;
}

std::optional<double> usd_per_second(std::span<const TypeCount> held, std::span<const GpuType> types) {
    const auto per_hour = sum_of(held, types, [](const GpuType& type) { return type.price_usd_per_hour; });
    if (!per_hour) { return std::nullopt; }
    return *per_hour / kSecondsPerHour;
}

std::optional<double> watts(std::span<const TypeCount> held, std::span<const GpuType> types) {
    return sum_of(held, types, [](const GpuType& type) { return type.power_w; });
}

}  // namespace medley
