#include "planner/policies/group_split.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace medley::planner {
namespace {

constexpr double kRounding = 1e-6;  // of the solver, in jobs

class GroupSplit {
 public:
    GroupSplit(std::span<const double> mean_shares, std::span<const double> gain, std::span<const std::optional<GpuTypeId>> homes)
        : gain_(gain), homes_(homes), shares_(homes.size()), left_(mean_shares.begin(), mean_shares.end()), jobs_left_(homes.size()) {
        mean_gain_ = std::inner_product(gain.begin(), gain.end(), mean_shares.begin(), 0.0);
        for (double& share : left_) { share *= static_cast<double>(homes.size()); }
        spare_time_ = static_cast<double>(homes.size()) - std::accumulate(left_.begin(), left_.end(), 0.0);
    }

    std::vector<std::vector<double>> split() {
        for (const bool home_only : {true, false}) {
            for (std::size_t type = 0; type < gain_.size(); ++type) { dedicate_jobs_to(type, home_only); }
        }
        spread_the_rest();
        return std::move(shares_);
    }

 private:
    /// The time on this type that alone gives the mean gain.
    double time_on(std::size_t type) const { return mean_gain_ / gain_[type]; }

    int most_on(std::size_t type) const {
        if (left_[type] <= 0 || gain_[type] <= 0 || time_on(type) > 1 + kRounding) { return 0; }
        double most = left_[type] / time_on(type);
        const double saved = 1 - time_on(type);  // time that the others cannot have
        if (saved > kRounding) { most = std::min(most, spare_time_ / saved); }
        return static_cast<int>(std::floor(most + kRounding));
    }

    void dedicate_jobs_to(std::size_t type, bool home_only) {
        int most = most_on(type);
        for (std::size_t job = 0; job < homes_.size() && most > 0; ++job) {
            if (!shares_[job].empty() || (home_only && homes_[job] != GpuTypeId(type))) { continue; }
            const double time = std::min(time_on(type), 1.0);
            shares_[job].assign(gain_.size(), 0.0);
            shares_[job][type] = time;
            left_[type] = std::max(left_[type] - time, 0.0);
            spare_time_ -= 1 - time;
            --jobs_left_;
            --most;
        }
    }

    void spread_the_rest() {
        for (double& share : left_) { share /= static_cast<double>(std::max<std::size_t>(jobs_left_, 1)); }
        for (std::vector<double>& shares : shares_) {
            if (shares.empty()) { shares = left_; }
        }
    }

    std::span<const double> gain_;
    std::span<const std::optional<GpuTypeId>> homes_;
    std::vector<std::vector<double>> shares_;  ///< by job; empty = not decided
    std::vector<double> left_;                 ///< by type, in jobs' time
    std::size_t jobs_left_;
    double mean_gain_ = 0;
    double spare_time_ = 0;  ///< of the jobs that are left, beyond the time that is left for them
};

}  // namespace

std::vector<std::vector<double>> split_group(std::span<const double> mean_shares, std::span<const double> gain,
                                             std::span<const std::optional<GpuTypeId>> homes) {
    return GroupSplit(mean_shares, gain, homes).split();
}

}  // namespace medley::planner
