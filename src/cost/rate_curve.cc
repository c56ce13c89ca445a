#include "cost/rate_curve.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "cost/memory.h"

namespace medley {
namespace {

Samples slice_of(Samples batch, int gpus) { return Samples{(batch.value + gpus - 1) / gpus}; }

struct LogPoint {
    double gpus;
    double samples_per_s;
};

double exponent_between(LogPoint a, LogPoint b) { return std::log(b.samples_per_s / a.samples_per_s) / std::log(b.gpus / a.gpus); }

double from(LogPoint start, double exponent, double gpus) { return start.samples_per_s * std::pow(gpus / start.gpus, exponent); }

LogPoint log_point(const ScalingPoint& point) { return {.gpus = static_cast<double>(point.gpus), .samples_per_s = point.samples_per_s}; }

}  // namespace

double Rate::communication_fraction() const {
    const double linear = single * working;
    return linear > 0 ? std::clamp(1 - samples_per_s / linear, 0.0, 1.0) : 0;
}

RateCurve::RateCurve(const Profile& profile, const GpuProfile& gpu, const GpuType* type)
    : exponent_(profile.scaling_exponent.value_or(1)), exponent_measured_(profile.scaling_exponent.has_value()) {
    const GpuType unlimited;
    const Bytes resident = resident_memory(profile, false);
    double best = 0;
    for (const ProfilePoint& point : gpu.points) {
        if (!fits(point, type != nullptr ? *type : unlimited, resident)) { continue; }
        best = std::max(best, static_cast<double>(point.batch.value) / point.seconds.value);
        sizes_.push_back({.batch = point.batch, .best_samples_per_s = best});
    }
    for (const ScalingPoint& point : gpu.scaling) {
        const auto line = std::find_if(measured_.begin(), measured_.end(), [&](const Line& known) { return known.batch == point.batch; });
        if (line == measured_.end()) {
            measured_.push_back({.batch = point.batch, .points = {point}});
        } else if (line->points.back().gpus == point.gpus) {
            line->points.back() = point;
        } else {
            line->points.push_back(point);
        }
    }
}

Rate RateCurve::at(int gpus, Samples batch) const {
    const Samples slice = slice_of(batch, gpus);
    if (!measured_.empty() || sizes_.empty() || batch.value == 0 || slice >= sizes_.front().batch) { return at_slice(gpus, batch, slice); }
    const auto filled = static_cast<int>(batch.value / sizes_.front().batch.value);
    if (filled == 0) { return {.samples_per_s = single(batch), .working = 1, .single = single(batch)}; }
    const double alone = single(sizes_.front().batch);
    return {.samples_per_s = several(filled, alone), .working = filled, .single = alone};
}

Rate RateCurve::at_slice(int gpus, Samples batch, Samples slice) const {
    const double alone = single(slice);
    const Line* line = line_for(batch);
    return {.samples_per_s = line != nullptr ? measured(*line, gpus, alone) : several(gpus, alone), .working = gpus, .single = alone};
}

// A slice below the smallest profiled size takes at most that size's time.
double RateCurve::single(Samples slice) const {
    if (sizes_.empty()) { return 0; }
    if (slice.value == 0) { return sizes_.back().best_samples_per_s; }
    const auto above =
        std::upper_bound(sizes_.begin(), sizes_.end(), slice, [](Samples wanted, const Size& size) { return wanted < size.batch; });
    if (above != sizes_.begin()) { return std::prev(above)->best_samples_per_s; }
    const Size& smallest = sizes_.front();
    return smallest.best_samples_per_s * static_cast<double>(slice.value) / static_cast<double>(smallest.batch.value);
}

double RateCurve::several(int gpus, double single) const {
    return single * (exponent_ == 1 ? static_cast<double>(gpus) : std::pow(static_cast<double>(gpus), exponent_));
}

// Points of the job's own batch, else those without one, else those of the nearest batch by ratio.
const RateCurve::Line* RateCurve::line_for(Samples batch) const {
    constexpr double kWithoutBatch = 1e-9;  // right after an equal batch
    const auto distance = [batch](const Line& line) {
        if (!line.batch) { return kWithoutBatch; }
        if (batch.value == 0) { return 0.0; }
        return std::abs(std::log(static_cast<double>(line.batch->value) / static_cast<double>(batch.value)));
    };
    const auto nearest =
        std::min_element(measured_.begin(), measured_.end(), [&](const Line& a, const Line& b) { return distance(a) < distance(b); });
    return nearest == measured_.end() ? nullptr : &*nearest;
}

double RateCurve::measured(const Line& line, int gpus, double single) const {
    const std::vector<ScalingPoint>& points = line.points;
    const auto next =
        std::lower_bound(points.begin(), points.end(), gpus, [](const ScalingPoint& point, int wanted) { return point.gpus < wanted; });
    if (next == points.end()) { return beyond(points, gpus, single); }
    if (next->gpus == gpus) { return next->samples_per_s; }
    if (next != points.begin()) {
        const LogPoint below = log_point(*std::prev(next));
        return from(below, exponent_between(below, log_point(*next)), gpus);
    }
    const LogPoint first = log_point(points.front());
    if (single <= 0) { return from(first, 1, gpus); }
    const LogPoint one{.gpus = 1, .samples_per_s = single};
    return from(one, exponent_between(one, first), gpus);
}

double RateCurve::beyond(const std::vector<ScalingPoint>& points, int gpus, double single) const {
    const LogPoint last = log_point(points.back());
    double exponent = exponent_;
    if (points.size() > 1) {
        exponent = exponent_between(log_point(points[points.size() - 2]), last);
    } else if (last.gpus > 1 && single > 0) {
        exponent = exponent_between({.gpus = 1, .samples_per_s = single}, last);
    }
    return from(last, std::min(exponent, 1.0), gpus);
}

}  // namespace medley
