#include "cli/emulated_times.h"

namespace medley::cli {

std::string emulated_profile(const TrainingJob& job) {
    const auto* model = std::get_if<EmulatedModel>(&job.model);
    return model != nullptr ? model->profile : "";
}

void fill_emulated_times(TrainingJob& job, const Profile& profile) {
    if (emulated_profile(job).empty()) { return; }
    auto& seconds = std::get<EmulatedModel>(job.model).seconds;
    for (const auto& [type, gpu] : profile.gpus) {
        if (gpu.points.empty()) { continue; }
        std::vector<std::pair<std::int64_t, double>> table;
        for (const ProfilePoint& point : gpu.points) { table.emplace_back(point.batch.value, point.seconds.value); }
        seconds.emplace_back(type.text(), std::move(table));
    }
}

}  // namespace medley::cli
