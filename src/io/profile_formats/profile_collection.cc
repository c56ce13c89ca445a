#include "io/profile_formats/profile_collection.h"

#include "sched/statistics.h"

namespace medley::io {

void ProfileCollection::add_point(const MeasuredOn& on, std::int64_t batch, double seconds) {
    if (!type_of(on).seconds.emplace(batch, seconds).second) { return drop("the same model, GPU and batch again: the first one is kept"); }
    ++report_.rows;
    ++report_.kept;
}

void ProfileCollection::add_rate(const MeasuredOn& on, int gpus, std::int64_t global_batch, double samples_per_s, int nodes) {
    const auto [known, first] = type_of(on).rates.try_emplace({gpus, global_batch}, Placed{.samples_per_s = samples_per_s, .nodes = nodes});
    if (!first && nodes < known->second.nodes) { known->second = {.samples_per_s = samples_per_s, .nodes = nodes}; }
    if (!first) { return drop("as many GPUs and the same batch again: the placement on the fewest nodes is kept"); }
    ++report_.rows;
    ++report_.kept;
}

void ProfileCollection::drop(const std::string& reason, std::size_t rows) {
    if (rows == 0) { return; }
    report_.rows += rows;
    report_.dropped[reason] += rows;
}

void ProfileCollection::add_rate_beside(const MeasuredOn& on, int gpus, std::int64_t global_batch, double samples_per_s) {
    type_of(on).rates.try_emplace({gpus, global_batch}, Placed{.samples_per_s = samples_per_s, .nodes = 1});
}

void ProfileCollection::add_update(const MeasuredOn& on, double seconds) {
    if (seconds > 0) { type_of(on).updates_s.push_back(seconds); }
}

GpuProfile ProfileCollection::profile_of(const OneGpuType& type) {
    GpuProfile gpu;
    for (const auto& [batch, seconds] : type.seconds) {
        gpu.points.push_back({.batch = Samples{batch}, .seconds = Seconds{seconds}, .memory = {}});
    }
    for (const auto& [key, placed] : type.rates) {
        gpu.scaling.push_back({.gpus = key.first, .batch = Samples{key.second}, .samples_per_s = placed.samples_per_s});
    }
    std::vector<double> updates_s = type.updates_s;
    if (const auto median = percentile(updates_s, 50)) { gpu.update = Seconds{*median}; }
    return gpu;
}

ProfileImport ProfileCollection::finish(std::string meaning) {
    ProfileImport result{.profiles = {}, .report = std::move(report_)};
    result.report.meaning = std::move(meaning);
    for (auto& [name, model] : models_) {
        Profile profile = std::move(model.profile);
        profile.model = Name(name);
        for (const auto& [gpu_type, measured] : model.types) { profile.gpus[Name(gpu_type)] = profile_of(measured); }
        if (!profile.gpus.empty()) { result.profiles.push_back(std::move(profile)); }
    }
    return result;
}

}  // namespace medley::io
