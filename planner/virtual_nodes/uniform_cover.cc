#include "planner/virtual_nodes/uniform_cover.h"

#include <algorithm>
#include <numeric>

namespace medley::planner {
namespace {

std::vector<std::int64_t> largest_within(const Problem& problem, double threshold) {
    std::vector<std::int64_t> largest;
    for (const TypeOffer& type : problem.types) {
        std::int64_t most = 0;
        for (const UniformBatch& batch : type.uniform) {
            if (batch.seconds <= threshold) { most = std::max(most, batch.batch); }
        }
        largest.push_back(most);
    }
    return largest;
}

std::vector<std::int64_t> batches_within(const TypeOffer& type, double threshold) {
    std::vector<std::int64_t> batches;
    for (const UniformBatch& batch : type.uniform) {
        if (batch.seconds <= threshold) { batches.push_back(batch.batch); }
    }
    std::reverse(batches.begin(), batches.end());
    return batches;
}

}  // namespace

UniformCover::UniformCover(const Problem& problem, const Region& region, double threshold)
    : problem_(problem),
      region_(region),
      threshold_(threshold),
      bounds_(problem, region, threshold, largest_within(problem, threshold)),
      divisor_from_(bounds_.size() + 1, 0) {
    for (std::size_t depth = 0; depth < bounds_.size(); ++depth) {
        const CoverBounds::Item& item = bounds_.item(depth);
        items_.push_back(
            UniformItem{.batches = batches_within(problem.types[item.type], threshold), .most = item.most, .weight = item.weight});
    }
    for (std::size_t depth = bounds_.size(); depth-- > 0;) {
        divisor_from_[depth] = divisor_from_[depth + 1];
        for (const std::int64_t batch : items_[depth].batches) { divisor_from_[depth] = std::gcd(divisor_from_[depth], batch); }
    }
}

double UniformCover::bound() const {
    if (bounds_.capacity_from(0) < problem_.batch || missing_type()) { return kNoValue; }
    return bounds_.value(0, {.left = problem_.batch});
}

double UniformCover::complete_exactly() {
    if (!completions_) { completions_ = std::make_unique<UniformCompletions>(items_, problem_.batch, problem_.every_type); }
    return bound_at(threshold_);
}

double UniformCover::bound_at(double threshold) const {
    const double gpus = completions_->fewest_gpus(0, problem_.batch);
    if (gpus == UniformCompletions::kNone || missing_type()) { return kNoValue; }
    return problem_.value(region_, threshold, static_cast<int>(gpus), completions_->least_weight(0, problem_.batch));
}

bool UniformCover::search(double limit, std::int64_t steps) {
    steps_left_ = steps;
    value_ = limit;
    gpus_ = std::numeric_limits<int>::max();
    best_.clear();
    chosen_.assign(bounds_.size(), Choice{});
    descend(0, {.left = problem_.batch});
    return steps_left_ > 0;
}

void UniformCover::write(Solution& solution) const {
    solution.counts.assign(problem_.types.size(), 0);
    solution.batches.assign(problem_.types.size(), {});
    for (std::size_t depth = 0; depth < best_.size(); ++depth) {
        const std::size_t type = bounds_.item(depth).type;
        solution.counts[type] = best_[depth].gpus;
        solution.batches[type].assign(static_cast<std::size_t>(best_[depth].gpus), best_[depth].batch);
    }
}

void UniformCover::descend(std::size_t depth, const Partial& partial) {
    const bool all_decided = depth == bounds_.size();
    if (partial.left == 0 && (all_decided || !problem_.every_type)) {
        keep(partial);
        return;
    }
    if (all_decided || partial.left % divisor_from_[depth] != 0) { return; }
    const bool last = depth + 1 == bounds_.size();
    for (const std::int64_t batch : items_[depth].batches) {
        if (last) {
            try_last(depth, partial, batch);
        } else {
            try_counts(depth, partial, batch);
        }
    }
    if (!last && !problem_.every_type) { try_choice(depth, partial, Choice{}); }
}

void UniformCover::try_last(std::size_t depth, const Partial& partial, std::int64_t batch) {
    const std::int64_t gpus = partial.left / batch;
    if (partial.left % batch == 0 && gpus > 0 && gpus <= items_[depth].most) {
        try_choice(depth, partial, Choice{.batch = batch, .gpus = static_cast<int>(gpus)});
    }
}

void UniformCover::try_counts(std::size_t depth, const Partial& partial, std::int64_t batch) {
    const auto most = std::min<std::int64_t>(items_[depth].most, partial.left / batch);
    for (auto gpus = static_cast<int>(most); gpus > 0 && steps_left_ > 0; --gpus) {
        if (partial.left - gpus * batch > bounds_.capacity_from(depth + 1)) { return; }
        try_choice(depth, partial, Choice{.batch = batch, .gpus = gpus});
    }
}

void UniformCover::try_choice(std::size_t depth, const Partial& partial, Choice choice) {
    if (steps_left_-- <= 0) { return; }
    const Partial next{.left = partial.left - choice.batch * choice.gpus,
                       .gpus = partial.gpus + choice.gpus,
                       .weight = partial.weight + items_[depth].weight * choice.gpus};
    if (next.left > bounds_.capacity_from(depth + 1) || !promising(depth + 1, next)) { return; }
    chosen_[depth] = choice;
    descend(depth + 1, next);
    chosen_[depth] = Choice{};
}

bool UniformCover::promising(std::size_t depth, const Partial& partial) const {
    double least = 0;
    int fewest = 0;
    if (completions_) {
        const double rest = completions_->fewest_gpus(depth, partial.left);
        if (rest == UniformCompletions::kNone) { return false; }
        fewest = partial.gpus + static_cast<int>(rest);
        // Rounded in another order than the sums that reach it, so a hair's breadth is no reason to give up.
        least = problem_.value(region_, threshold_, fewest, partial.weight + completions_->least_weight(depth, partial.left)) * (1 - kTie);
    } else {
        least = bounds_.value(depth, partial);
        fewest = bounds_.fewest_gpus(depth, partial);
    }
    return least < value_ * (1 - 2 * kTie) || (least <= value_ && fewest < gpus_);
}

void UniformCover::keep(const Partial& partial) {
    const double value = bounds_.value_of(partial);
    if (value > value_ * (1 + kTie)) { return; }
    value_ = value;
    gpus_ = partial.gpus;
    best_ = chosen_;
}

}  // namespace medley::planner
