#include "enumeration.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace medley::planner {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

class Enumeration {
 public:
    explicit Enumeration(const PlanRequest& request) : request_(request), batch_(request.global_batch.value) {
        for (const OfferedGpus& offered : request.offered) {
            times_.push_back(times_of(offered));
            counts_.push_back(TypeCount{.type = offered.type.name, .gpus = 0});
        }
    }

    std::optional<double> best() {
        if (!request_.virtual_nodes.empty()) {
            place_list();
        } else if (request_.batch_rule == BatchRule::kPowerOfTwo) {
            uniform(0, batch_, 0);
        } else {
            free_batches(0, 0, batch_, batch_, 0);
        }
        return best_ == kNone ? std::nullopt : std::optional<double>(best_);
    }

 private:
    bool fits(const OfferedGpus& offered, const ProfilePoint& point) const {
        const double resident = request_.profile->state.value + request_.profile->gradient.value;
        return !offered.type.memory || resident + (point.memory ? point.memory->value : 0) <= offered.type.memory->value;
    }

    /// Least seconds for each batch on one GPU: by all ways to pick virtual nodes, or only the powers of two.
    std::vector<double> times_of(const OfferedGpus& offered) const {
        std::vector<double> times(static_cast<std::size_t>(batch_) + 1, kNone);
        std::vector<ProfilePoint> points;
        for (const ProfilePoint& point : request_.profile->find(offered.type.name)->points) {
            if (fits(offered, point)) { points.push_back(point); }
        }
        if (request_.batch_rule == BatchRule::kPowerOfTwo) {
            for (const ProfilePoint& point : points) { add_powers(point, times); }
        } else {
            add_ways(points, 0, 0, 0.0, times);
        }
        return times;
    }

    void add_powers(const ProfilePoint& point, std::vector<double>& times) const {
        for (std::int64_t count = 1; count * point.batch.value <= batch_; count *= 2) {
            const std::int64_t batch = count * point.batch.value;
            bool allowed = false;
            for (std::int64_t power = 1; power <= batch; power *= 2) { allowed = allowed || power == batch || 3 * power == batch; }
            double& time = times[static_cast<std::size_t>(batch)];
            if (allowed) { time = std::min(time, point.seconds.value * static_cast<double>(count)); }
        }
    }

    void add_ways(const std::vector<ProfilePoint>& points, std::size_t from, std::int64_t sum, double seconds,
                  std::vector<double>& times) const {
        times[static_cast<std::size_t>(sum)] = std::min(times[static_cast<std::size_t>(sum)], seconds);
        for (std::size_t index = from; index < points.size(); ++index) {
            const std::int64_t next = sum + points[index].batch.value;
            if (next <= batch_) { add_ways(points, index, next, seconds + points[index].seconds.value, times); }
        }
    }

    /// Every GPU of every type takes a batch of at most its predecessor's.
    void free_batches(std::size_t type, int used, std::int64_t left, std::int64_t most, double slowest) {
        if (left == 0) {
            consider(slowest);
            return;
        }
        if (type == times_.size()) { return; }
        free_batches(type + 1, 0, left, left, slowest);
        if (used == request_.offered[type].gpus) { return; }
        ++counts_[type].gpus;
        for (std::int64_t batch = 1; batch <= std::min(most, left); ++batch) {
            const double time = times_[type][static_cast<std::size_t>(batch)];
            if (time < kNone) { free_batches(type, used + 1, left - batch, batch, std::max(slowest, time)); }
        }
        --counts_[type].gpus;
    }

    void uniform(std::size_t type, std::int64_t left, double slowest) {
        if (left == 0) {
            consider(slowest);
            return;
        }
        if (type == times_.size()) { return; }
        uniform(type + 1, left, slowest);
        for (int gpus = 1; gpus <= request_.offered[type].gpus; ++gpus) {
            for (std::int64_t batch = 1; batch * gpus <= left; ++batch) {
                const double time = times_[type][static_cast<std::size_t>(batch)];
                if (time == kNone) { continue; }
                counts_[type].gpus = gpus;
                uniform(type + 1, left - batch * gpus, std::max(slowest, time));
                counts_[type].gpus = 0;
            }
        }
    }

    /// Each virtual node of the list in turn on every GPU, unused GPUs of a type one for all.
    void place_list() {
        for (std::size_t type = 0; type < request_.offered.size(); ++type) {
            for (int gpu = 0; gpu < request_.offered[type].gpus; ++gpu) { type_of_gpu_.push_back(type); }
        }
        busy_.assign(type_of_gpu_.size(), 0.0);
        place(0);
    }

    void place(std::size_t index) {
        if (index == request_.virtual_nodes.size()) {
            for (std::size_t gpu = 0; gpu < busy_.size(); ++gpu) { counts_[type_of_gpu_[gpu]].gpus += busy_[gpu] > 0 ? 1 : 0; }
            consider(*std::max_element(busy_.begin(), busy_.end()));
            for (TypeCount& count : counts_) { count.gpus = 0; }
            return;
        }
        for (std::size_t gpu = 0; gpu < busy_.size(); ++gpu) {
            const bool as_before = gpu > 0 && type_of_gpu_[gpu - 1] == type_of_gpu_[gpu] && busy_[gpu - 1] == busy_[gpu];
            const OfferedGpus& offered = request_.offered[type_of_gpu_[gpu]];
            for (const ProfilePoint& point : request_.profile->find(offered.type.name)->points) {
                if (as_before || point.batch != request_.virtual_nodes[index] || !fits(offered, point)) { continue; }
                const double before = busy_[gpu];
                busy_[gpu] += point.seconds.value;
                place(index + 1);
                busy_[gpu] = before;
            }
        }
    }

    void consider(double slowest) {
        double weight = request_.objective == Objective::kThroughput ? 1 : 0;
        for (std::size_t type = 0; type < counts_.size(); ++type) {
            const GpuType& gpu = request_.offered[type].type;
            if (request_.objective == Objective::kCost) { weight += counts_[type].gpus * *gpu.price_usd_per_hour / 3600; }
            if (request_.objective == Objective::kEnergy) { weight += counts_[type].gpus * *gpu.power_w; }
        }
        best_ = std::min(best_, (slowest + request_.communication.seconds(counts_).value) * weight);
    }

    const PlanRequest& request_;
    std::int64_t batch_;
    std::vector<std::vector<double>> times_;
    std::vector<TypeCount> counts_;
    std::vector<std::size_t> type_of_gpu_;
    std::vector<double> busy_;
    double best_ = kNone;
};

}  // namespace

std::optional<double> enumerate_best(const PlanRequest& request) { return Enumeration(request).best(); }

}  // namespace medley::planner
