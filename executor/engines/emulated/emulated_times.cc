#include "executor/engines/emulated/emulated_times.h"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "core/error.h"

namespace medley::executor {
namespace {

using SizeTable = std::vector<std::pair<std::int64_t, double>>;

const SizeTable& table_of(const EmulatedModel& model, const std::string& gpu_type) {
    for (const auto& [type, table] : model.seconds) {
        if (type == gpu_type && !table.empty()) { return table; }
    }
    if (model.seconds.size() == 1 && !model.seconds.front().second.empty()) { return model.seconds.front().second; }
    throw Error(Problem{.place = "model.profile", .found = model.profile, .expected = fmt::format("times on GPU type '{}'", gpu_type)});
}

double proportional(const std::pair<std::int64_t, double>& known, double size) {
    return known.second * size / static_cast<double>(known.first);
}

double seconds_in(const SizeTable& table, double size) {
    const auto above = std::find_if(table.begin(), table.end(), [&](const auto& row) { return static_cast<double>(row.first) >= size; });
    if (above == table.end()) { return proportional(table.back(), size); }
    if (above == table.begin()) { return proportional(table.front(), size); }
    const auto below = above - 1;
    const double part = (size - static_cast<double>(below->first)) / static_cast<double>(above->first - below->first);
    return below->second + part * (above->second - below->second);
}

}  // namespace

double emulated_node_seconds(const EmulatedModel& model, const std::string& gpu_type, double speed, std::int64_t samples) {
    const auto size = static_cast<double>(samples);
    const double seconds = model.seconds.empty() ? model.seconds_per_sample * size : seconds_in(table_of(model, gpu_type), size);
    return seconds * model.time_scale / speed;
}

void PacedSleep::operator()(double seconds) {
    using Clock = std::chrono::steady_clock;
    // A sleep that came back far too late (a busy or suspended machine) is not made up for by a burst.
    constexpr Clock::duration kMostMadeUp = std::chrono::milliseconds(5);
    const auto wanted = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    if (wanted <= Clock::duration::zero()) { return; }
    const auto until = Clock::now() + wanted - std::min(late_, wanted);
    std::this_thread::sleep_until(until);
    late_ = std::min(Clock::now() - until + std::max(late_ - wanted, Clock::duration::zero()), kMostMadeUp);
}

}  // namespace medley::executor
