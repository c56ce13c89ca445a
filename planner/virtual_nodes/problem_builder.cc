#include "planner/virtual_nodes/problem_builder.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "cost/memory.h"
#include "cost/price.h"

namespace medley::planner {
namespace {

struct UsableType {
    const OfferedGpus* offered;
    std::vector<ProfilePoint> points;
};

bool listed(const PlanRequest& request, Samples size) {
    return std::find(request.virtual_nodes.begin(), request.virtual_nodes.end(), size) != request.virtual_nodes.end();
}

/// A list of equal virtual nodes is the question for one size; the list is then known by its sum.
Variant without_equal_list(const PlanRequest& request, Variant variant) {
    const std::vector<Samples>& list = request.virtual_nodes;
    const bool equal = std::all_of(list.begin(), list.end(), [&](Samples size) { return size == list.front(); });
    if (!list.empty() && equal && !variant.only_size) { variant.only_size = list.front(); }
    return variant;
}

std::vector<UsableType> usable_types(const PlanRequest& request, const Variant& variant) {
    std::vector<UsableType> types;
    for (const OfferedGpus& offered : request.offered) {
        UsableType usable{.offered = &offered, .points = usable_points(request, offered.type)};
        if (variant.only_size) {
            std::erase_if(usable.points, [&](const ProfilePoint& point) { return point.batch != *variant.only_size; });
        } else if (!request.virtual_nodes.empty()) {
            std::erase_if(usable.points, [&](const ProfilePoint& point) { return !listed(request, point.batch); });
        }
        if (offered.gpus > 0 && !usable.points.empty()) { types.push_back(std::move(usable)); }
    }
    std::sort(types.begin(), types.end(),
              [](const UsableType& a, const UsableType& b) { return a.offered->type.name < b.offered->type.name; });
    return types;
}

/// Why not one type can run anything.
std::string nothing_usable(const PlanRequest& request, const Variant& variant) {
    if (variant.only_size) { return fmt::format("no offered GPU type can run virtual nodes of {}", variant.only_size->value); }
    std::vector<std::string> reasons;
    const Bytes resident = resident_memory(*request.profile, request.exact);
    for (const OfferedGpus& offered : request.offered) {
        const std::string& name = offered.type.name.text();
        const GpuProfile* gpu = request.profile->find(offered.type.name);
        if (offered.gpus == 0) {
            continue;
        } else if (gpu == nullptr || gpu->points.empty()) {
            reasons.push_back(fmt::format("{} is not in the profile", name));
        } else if (gpu->points.front().batch > request.global_batch) {
            reasons.push_back(fmt::format("no size profiled on {} is as small as the global batch", name));
        } else {
            reasons.push_back(fmt::format("{} lacks memory: {:.0f} bytes, of which the model alone takes {:.0f}", name,
                                          offered.type.memory->value, resident.value));
        }
    }
    return fmt::format("{} cannot run on what is offered: {}", request.profile->model.text(), fmt::join(reasons, "; "));
}

std::vector<TimedSize> timed_sizes(const UsableType& type, const Variant& variant, std::int64_t unit) {
    std::vector<TimedSize> sizes;
    double best_rate = BatchTable::kNever;
    for (const ProfilePoint& point : type.points) {
        sizes.push_back(TimedSize{.size = point.batch.value / unit, .seconds = point.seconds.value});
        best_rate = std::min(best_rate, point.seconds.value / static_cast<double>(point.batch.value));
    }
    if (variant.divisible) { return {TimedSize{.size = 1, .seconds = best_rate}}; }
    return sizes;
}

bool power_of_two_like(std::int64_t batch) {
    const auto value = static_cast<std::uint64_t>(batch);
    return std::has_single_bit(value) || (value % 3 == 0 && std::has_single_bit(value / 3));
}

std::vector<UniformBatch> uniform_batches(const std::vector<TimedSize>& sizes, std::int64_t unit, std::int64_t most) {
    std::map<std::int64_t, UniformBatch> fastest;
    for (const TimedSize& size : sizes) {
        for (std::int64_t count = 1; size.size <= most / count; count *= 2) {
            const UniformBatch batch{.batch = size.size * count, .size = size.size, .seconds = size.seconds * static_cast<double>(count)};
            if (!power_of_two_like(batch.batch * unit)) { continue; }
            // Sizes ascend, so of two equally fast ones the larger stays: fewer virtual nodes.
            const auto [place, added] = fastest.try_emplace(batch.batch, batch);
            if (!added && batch.seconds <= place->second.seconds) { place->second = batch; }
        }
    }
    std::vector<UniformBatch> batches;
    for (const auto& [total, batch] : fastest) { batches.push_back(batch); }
    return batches;
}

std::vector<Region> regions_of(const Communication& communication, const std::vector<TypeOffer>& types, bool every_type) {
    std::vector<Region> regions;
    const auto used = [](int gpus) { return gpus > 0; };
    for (const CommunicationRegion& cost : communication.regions()) {
        Region region{.most = {}, .cost = cost};
        for (const TypeOffer& type : types) {
            const auto place = std::find(communication.types().begin(), communication.types().end(), type.name);
            const auto index = static_cast<std::size_t>(place - communication.types().begin());
            region.most.push_back(cost.most.empty() ? type.gpus : std::min(type.gpus, cost.most[index]));
        }
        const auto& most = region.most;
        if (every_type ? std::all_of(most.begin(), most.end(), used) : std::any_of(most.begin(), most.end(), used)) {
            regions.push_back(std::move(region));
        }
    }
    return regions;
}

/// The samples that every size is a multiple of.
std::int64_t common_divisor(const std::vector<UsableType>& types) {
    std::int64_t divisor = 0;
    for (const UsableType& type : types) {
        for (const ProfilePoint& point : type.points) { divisor = std::gcd(divisor, point.batch.value); }
    }
    return divisor;
}

/// Seconds of one virtual node of each class on a type.
std::vector<double> class_seconds(const UsableType& type, const std::vector<SizeClass>& classes, std::int64_t unit) {
    std::vector<double> seconds;
    for (const SizeClass& size : classes) {
        const auto point = std::find_if(type.points.begin(), type.points.end(),
                                        [&](const ProfilePoint& known) { return known.batch.value == size.size * unit; });
        seconds.push_back(point == type.points.end() ? BatchTable::kNever : point->seconds.value);
    }
    return seconds;
}

void add_list(const PlanRequest& request, const std::vector<UsableType>& types, BuiltProblem& built) {
    for (const Samples size : request.virtual_nodes) {
        const auto runs = [&](const UsableType& type) {
            return std::any_of(type.points.begin(), type.points.end(), [&](const ProfilePoint& point) { return point.batch == size; });
        };
        if (std::any_of(types.begin(), types.end(), runs)) { continue; }
        built.reason = fmt::format("no offered GPU type can run virtual nodes of {}", size.value);
        return;
    }
    Problem& problem = built.problem;
    problem.list = classes_of(request.virtual_nodes, problem.unit);
    for (std::size_t index = 0; index < types.size(); ++index) {
        problem.types[index].class_seconds = class_seconds(types[index], problem.list, problem.unit);
    }
}

void validate_offer(const PlanRequest& request) {
    std::int64_t total = 0;
    std::vector<Name> names;
    for (const OfferedGpus& offered : request.offered) {
        const std::string& name = offered.type.name.text();
        if (offered.gpus < 0) { refuse_value(fmt::format("GPUs offered of {}", name), fmt::format("{}", offered.gpus), "at least 0"); }
        if (std::find(names.begin(), names.end(), offered.type.name) != names.end()) {
            refuse_value("GPUs offered", name, "each type once");
        }
        const auto& known = request.communication.types();
        if (!known.empty() && std::find(known.begin(), known.end(), offered.type.name) == known.end()) {
            refuse_value("GPUs offered", name, "a type of the cluster whose network is used");
        }
        names.push_back(offered.type.name);
        total += offered.gpus;
    }
    if (total < 1 || total > std::numeric_limits<int>::max()) { refuse_value("GPUs offered", fmt::format("{}", total), "at least one"); }
}

void validate_list(const PlanRequest& request) {
    if (request.virtual_nodes.empty()) { return; }
    Samples sum;
    for (const Samples size : request.virtual_nodes) {
        if (size.value < 1) { refuse_value("virtual nodes", fmt::format("{}", size.value), "sizes of at least 1"); }
        sum += size;
    }
    if (sum != request.global_batch) {
        refuse_value("virtual nodes", fmt::format("sizes that add up to {}", sum.value),
                     fmt::format("the global batch, {}", request.global_batch.value));
    }
}

}  // namespace

std::shared_ptr<BatchTable> TableCache::table(const std::vector<TimedSize>& sizes) {
    std::vector<std::pair<std::int64_t, double>> key;
    for (const TimedSize& size : sizes) { key.emplace_back(size.size, size.seconds); }
    std::shared_ptr<BatchTable>& table = tables_[std::move(key)];
    if (!table) { table = std::make_shared<BatchTable>(sizes); }
    return table;
}

void validate(const PlanRequest& request) {
    MEDLEY_ASSERT(request.profile != nullptr);
    constexpr std::int64_t kLargestBatch = 1'000'000'000;
    const std::int64_t batch = request.global_batch.value;
    if (batch < 1 || batch > kLargestBatch) {
        refuse_value("global batch", fmt::format("{}", batch), fmt::format("a whole number from 1 to {}", kLargestBatch));
    }
    validate_offer(request);
    validate_list(request);
}

double weight_of(const GpuType& type, Objective objective) {
    const auto known = [&](const std::optional<double>& figure, const char* name) {
        if (!figure) {
            refuse_value(fmt::format("gpu_types.{}.{}", type.name.text(), name), "not stated", "a figure, which the objective needs");
        }
        return *figure;
    };
    if (objective == Objective::kCost) { return known(type.price_usd_per_hour, "price_usd_per_hour") / kSecondsPerHour; }
    return objective == Objective::kEnergy ? known(type.power_w, "power_w") : 1.0;
}

std::vector<ProfilePoint> usable_points(const PlanRequest& request, const GpuType& type) {
    const GpuProfile* gpu = request.profile->find(type.name);
    if (gpu == nullptr) { return {}; }
    std::vector<ProfilePoint> points = gpu->points;
    const Bytes resident = resident_memory(*request.profile, request.exact);
    std::erase_if(points, [&](const ProfilePoint& point) { return point.batch > request.global_batch || !fits(point, type, resident); });
    return points;
}

BuiltProblem build_problem(const PlanRequest& request, const Variant& asked, TableCache& cache) {
    const Variant variant = without_equal_list(request, asked);
    const std::vector<UsableType> types = usable_types(request, variant);
    if (types.empty()) { return BuiltProblem{.problem = {}, .reason = nothing_usable(request, variant)}; }
    BuiltProblem built;
    Problem& problem = built.problem;
    problem.weighted = request.objective != Objective::kThroughput;
    problem.uniform = request.batch_rule == BatchRule::kPowerOfTwo && request.virtual_nodes.empty() && !variant.divisible;
    problem.exact_sum = variant.exact_sum;
    problem.every_type = request.every_type;
    problem.unit = variant.divisible ? 1 : common_divisor(types);
    problem.batch = variant.exact_sum ? request.global_batch.value / problem.unit : (request.global_batch.value - 1) / problem.unit + 1;
    for (const UsableType& type : types) {
        const std::vector<TimedSize> sizes = timed_sizes(type, variant, problem.unit);
        problem.types.push_back(TypeOffer{.name = type.offered->type.name,
                                          .gpus = type.offered->gpus,
                                          .weight = weight_of(type.offered->type, request.objective),
                                          .table = cache.table(sizes),
                                          .uniform = {}});
        if (problem.uniform) { problem.types.back().uniform = uniform_batches(sizes, problem.unit, problem.batch); }
    }
    problem.regions = regions_of(request.communication, problem.types, problem.every_type);
    if (!request.virtual_nodes.empty() && !variant.only_size) { add_list(request, types, built); }
    const auto offered =
        std::count_if(request.offered.begin(), request.offered.end(), [](const OfferedGpus& type) { return type.gpus > 0; });
    if (request.every_type && problem.types.size() < static_cast<std::size_t>(offered)) {
        built.reason = "not every offered GPU type can run a virtual node";
    }
    if (variant.exact_sum && request.global_batch.value % problem.unit != 0) {
        built.reason =
            fmt::format("the global batch of {} is no multiple of {}, as all profiled sizes are", request.global_batch.value, problem.unit);
    }
    return built;
}

}  // namespace medley::planner
