#include "cli/profile_calibration.h"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/error.h"
#include "executor/report/measurement.h"

namespace medley::cli {
namespace {

using executor::Generation;
using executor::Step;
using executor::WorkerNumber;

/// Virtual nodes on one device, and what its steps took.
struct Share {
    std::string gpu_type;
    std::vector<std::int64_t> batches;  ///< ascending
    std::vector<double> compute_s;
    std::vector<double> update_s;
};

/// The steps of each worker, by GPU type and share of the virtual nodes.
class ShareTimes {
 public:
    explicit ShareTimes(std::span<const std::int64_t> virtual_nodes) : virtual_nodes_(virtual_nodes) {}

    void operator()(const executor::GenerationRecord& record) {
        share_of_.clear();
        generation_ = record.generation;
        joined_at_ = record.step;
        for (std::size_t rank = 0; rank < record.members.size() && rank < record.placement.places.size(); ++rank) {
            share_of_[record.members[rank]] = &share(record.placement.places[rank]);
        }
    }
    void operator()(const executor::JoinedRecord& record) {
        if (record.generation == generation_) { joined_at_ = record.step; }
    }
    void operator()(const executor::SteppedRecord& record) {
        const auto found = share_of_.find(record.worker);
        const bool settled = record.stepped.generation == generation_ && record.stepped.step > joined_at_ + 1;
        if (found == share_of_.end() || !settled || !(record.stepped.times.compute_s > 0)) { return; }
        found->second->compute_s.push_back(record.stepped.times.compute_s);
        found->second->update_s.push_back(record.stepped.times.update_s);
    }
    template <class Other>
    void operator()(const Other&) {}

    std::vector<Share> trusted() const {
        std::vector<Share> shares;
        for (const auto& [key, share] : shares_) {
            if (share.compute_s.size() >= kFewestCalibrationSteps && !share.batches.empty()) { shares.push_back(share); }
        }
        return shares;
    }

 private:
    Share& share(const executor::Place& place) {
        std::vector<std::int64_t> batches;
        for (const executor::VirtualNode node : place.virtual_nodes) {
            if (node < virtual_nodes_.size()) { batches.push_back(virtual_nodes_[node]); }
        }
        std::sort(batches.begin(), batches.end());
        const std::string& type = place.gpu_type.empty() ? place.device : place.gpu_type;
        Share& share = shares_[{type, batches}];
        share.gpu_type = type;
        share.batches = std::move(batches);
        return share;
    }

    std::span<const std::int64_t> virtual_nodes_;
    std::map<std::pair<std::string, std::vector<std::int64_t>>, Share> shares_;  // addresses stand
    std::map<WorkerNumber, Share*> share_of_;
    Generation generation_ = 0;
    Step joined_at_ = 0;
};

const ProfilePoint* find_point(const GpuProfile* gpu, std::int64_t batch) {
    if (gpu == nullptr) { return nullptr; }
    const auto point =
        std::find_if(gpu->points.begin(), gpu->points.end(), [&](const ProfilePoint& each) { return each.batch.value == batch; });
    return point == gpu->points.end() ? nullptr : &*point;
}

/// What the profile says of a share; empty if it lacks a size.
std::optional<double> profiled_seconds(const GpuProfile* gpu, const Share& share) {
    double seconds = 0;
    for (const std::int64_t batch : share.batches) {
        const ProfilePoint* point = find_point(gpu, batch);
        if (point == nullptr) { return std::nullopt; }
        seconds += point->seconds.value;
    }
    return seconds;
}

/// What a run says of one GPU type.
struct TypeTimes {
    std::map<std::int64_t, std::vector<double>> node_s;  ///< by size, of shares of that size alone
    std::vector<double> ratios;                          ///< measured over profiled
    std::vector<double> update_s;
};

std::map<std::string, TypeTimes> times_by_type(const Profile& profile, const std::vector<Share>& shares, double time_scale) {
    std::map<std::string, TypeTimes> types;
    for (const Share& share : shares) {
        TypeTimes& times = types[share.gpu_type];
        const bool alike = share.batches.front() == share.batches.back();
        const auto nodes = static_cast<double>(share.batches.size());
        const std::optional<double> profiled = profiled_seconds(profile.find(Name(share.gpu_type)), share);
        for (const double compute_s : share.compute_s) {
            const double measured_s = compute_s / time_scale;
            if (alike) { times.node_s[share.batches.front()].push_back(measured_s / nodes); }
            if (profiled) { times.ratios.push_back(measured_s / *profiled); }
        }
        times.update_s.insert(times.update_s.end(), share.update_s.begin(), share.update_s.end());
    }
    return types;
}

class TypeCalibration {
 public:
    TypeCalibration(std::string type, GpuProfile& gpu, const TypeTimes& times) : type_(std::move(type)), gpu_(gpu), times_(times) {}

    std::vector<CalibratedSize> apply() {
        for (const auto& [batch, seconds] : times_.node_s) { measure(batch, executor::summarize(seconds).median); }
        if (!times_.ratios.empty()) { scale_others(executor::summarize(times_.ratios).median); }
        const double update_s = executor::summarize(times_.update_s).median;
        if (update_s > 0) { gpu_.update = Seconds{update_s}; }
        std::sort(gpu_.points.begin(), gpu_.points.end(), [](const auto& a, const auto& b) { return a.batch < b.batch; });
        std::sort(sizes_.begin(), sizes_.end(), [](const auto& a, const auto& b) { return a.batch < b.batch; });
        return std::move(sizes_);
    }

 private:
    void measure(std::int64_t batch, double seconds) {
        sizes_.push_back({.gpu_type = type_, .batch = batch, .kind = CalibrationKind::kMeasured, .before_s = {}, .after_s = seconds});
        for (ProfilePoint& point : gpu_.points) {
            if (point.batch.value != batch) { continue; }
            sizes_.back().before_s = std::exchange(point.seconds, Seconds{seconds}).value;
            return;
        }
        gpu_.points.push_back({.batch = Samples{batch}, .seconds = Seconds{seconds}, .memory = {}});
    }
    void scale_others(double ratio) {
        for (ProfilePoint& point : gpu_.points) {
            if (times_.node_s.contains(point.batch.value)) { continue; }
            const double before_s = point.seconds.value;
            point.seconds = Seconds{before_s * ratio};
            sizes_.push_back({.gpu_type = type_,
                              .batch = point.batch.value,
                              .kind = CalibrationKind::kScaled,
                              .before_s = before_s,
                              .after_s = point.seconds.value});
        }
    }

    std::string type_;
    GpuProfile& gpu_;
    const TypeTimes& times_;
    std::vector<CalibratedSize> sizes_;
};

}  // namespace

Calibration calibrate(const Profile& profile, std::span<const executor::Record> records, std::span<const std::int64_t> virtual_nodes,
                      double time_scale) {
    ShareTimes times(virtual_nodes);
    for (const executor::Record& record : records) { std::visit(times, record); }
    const std::vector<Share> shares = times.trusted();
    if (shares.empty()) {
        throw Error(Problem{.expected = fmt::format("at least {} steps of one worker behind its first", kFewestCalibrationSteps),
                            .message = "holds too few steps to calibrate from"});
    }
    Calibration result{.profile = profile, .sizes = {}, .left_as_is = {}};
    const std::map<std::string, TypeTimes> types = times_by_type(profile, shares, time_scale);
    for (const Share& share : shares) { result.steps += static_cast<std::int64_t>(share.compute_s.size()); }
    for (const auto& [type, measured] : types) {
        for (CalibratedSize& size : TypeCalibration(type, result.profile.gpus[Name(type)], measured).apply()) {
            result.sizes.push_back(std::move(size));
        }
    }
    for (const auto& [type, gpu] : profile.gpus) {
        if (!types.contains(type.text())) { result.left_as_is.push_back(type.text()); }
    }
    return result;
}

}  // namespace medley::cli
