#include "simulator/cluster/synthetic.h"

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "core/error.h"
#include "core/rng.h"

namespace medley::simulator {
namespace {

constexpr double kSecondsPerHour = 3600;

double total_weight(const std::vector<GangWeight>& gangs) {
    double total = 0;
    for (const GangWeight& gang : gangs) { total += gang.weight; }
    return total;
}

void require_fraction(double value, const char* place) {
    if (!(value >= 0 && value <= 1)) { refuse_value(place, fmt::format("{}", value), "a number from 0 to 1"); }
}

void validate(const SyntheticOptions& options) {
    if (options.jobs == 0) { refuse_value("jobs", "0", "a whole number of at least 1"); }
    if (!(options.jobs_per_hour >= 0) || !std::isfinite(options.jobs_per_hour)) {
        refuse_value("jobs per hour", fmt::format("{}", options.jobs_per_hour), "a finite number of at least 0");
    }
    if (!(options.shortest.value > 0)) { refuse_value("shortest duration", fmt::format("{}", options.shortest.value), "seconds above 0"); }
    if (!(options.longest >= options.shortest) || !std::isfinite(options.longest.value)) {
        refuse_value("longest duration", fmt::format("{}", options.longest.value), "seconds no fewer than the shortest");
    }
    for (const GangWeight& gang : options.gangs) {
        if (gang.gpus < 1) { refuse_value("gang", fmt::format("{}", gang.gpus), "at least 1 GPU"); }
        if (!(gang.weight >= 0) || !std::isfinite(gang.weight)) {
            refuse_value("gang weight", fmt::format("{}", gang.weight), "a number of at least 0");
        }
    }
    if (!(total_weight(options.gangs) > 0)) { refuse_value("gangs", "", "at least one gang size with a weight above 0"); }
    require_fraction(options.high_priority_fraction, "high-priority fraction");
    require_fraction(options.elastic_fraction, "elastic fraction");
}

int draw_gang(const std::vector<GangWeight>& gangs, double total, Rng& random) {
    double left = random.uniform() * total;
    int last = 1;
    for (const GangWeight& gang : gangs) {
        if (gang.weight <= 0) { continue; }
        if (left < gang.weight) { return gang.gpus; }
        left -= gang.weight;
        last = gang.gpus;
    }
    return last;  // rounding left a crumb
}

struct Streams {
    explicit Streams(const Rng& root)
        : arrivals(root.fork("arrivals")),
          gangs(root.fork("gangs")),
          durations(root.fork("durations")),
          models(root.fork("models")),
          priorities(root.fork("priorities")),
          elasticity(root.fork("elasticity")) {}
    Rng arrivals, gangs, durations, models, priorities, elasticity;
};

double mean_duration(const SyntheticOptions& options) {
    const double low = options.shortest.value;
    const double high = options.longest.value;
    return high > low ? (high - low) / std::log(high / low) : low;
}

double mean_gang(const SyntheticOptions& options) {
    double sum = 0;
    for (const GangWeight& gang : options.gangs) { sum += gang.gpus * gang.weight; }
    return sum / total_weight(options.gangs);
}

}  // namespace

Trace generate(const SyntheticOptions& options) {
    validate(options);
    Streams random{Rng(options.seed)};
    const double weights = total_weight(options.gangs);
    const double span = std::log(options.longest.value / options.shortest.value);
    Seconds now{0};
    Trace trace;
    trace.jobs.reserve(options.jobs);
    for (std::size_t index = 0; index < options.jobs; ++index) {
        Job& job = trace.jobs.emplace_back();
        job.id = std::to_string(index);
        job.submit = to_sim_time(now);
        job.gpus = draw_gang(options.gangs, weights, random.gangs);
        job.duration = options.shortest * std::exp(span * random.durations.uniform());
        job.reference_gpu_type = options.reference_gpu_type;
        if (!options.models.empty()) { job.model = options.models[random.models.below(options.models.size())]; }
        job.priority = random.priorities.chance(options.high_priority_fraction) ? options.high_priority : 1;
        job.weight = job.priority > 0 ? job.priority : 1;
        if (random.elasticity.chance(options.elastic_fraction)) { job.min_gpus = 1; }
        if (options.jobs_per_hour > 0) { now += Seconds{random.arrivals.exponential(kSecondsPerHour / options.jobs_per_hour)}; }
    }
    trace.order_jobs();
    return trace;
}

double jobs_per_hour_for_load(const SyntheticOptions& options, double load, int gpus) {
    validate(options);
    return load * gpus * kSecondsPerHour / (mean_duration(options) * mean_gang(options));
}

}  // namespace medley::simulator
