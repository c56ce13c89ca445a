#include "random_request.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

namespace medley::planner {
namespace {

struct Scale {
    int types;
    int gpus;
    int sizes;
    int largest_size;
    std::int64_t batch;
    bool rough;  ///< times without rhyme or reason, else rates that saturate
};

GpuProfile random_gpu(Rng& rng, const Scale& scale) {
    GpuProfile gpu;
    const double rate = rng.uniform(1, 10);
    const auto step = static_cast<int>(rng.between(1, 3));
    auto size = static_cast<int>(rng.between(1, 4));
    for (int index = 0; index < scale.sizes && size <= scale.largest_size; ++index) {
        const double seconds = scale.rough ? rng.uniform(0.1, 3) : (size + rng.uniform(0, 5)) / rate;
        ProfilePoint point{.batch = Samples{size}, .seconds = Seconds{seconds}, .memory = std::nullopt};
        if (rng.chance(0.7)) { point.memory = Bytes{static_cast<double>(size)}; }
        gpu.points.push_back(point);
        size += rng.chance(0.5) ? size : step;
    }
    return gpu;
}

Communication random_communication(Rng& rng, const PlanRequest& request) {
    if (rng.chance(0.4)) { return Communication(); }
    if (rng.chance(0.5)) { return Communication::fixed(Seconds{rng.uniform(0, 2)}); }
    Cluster cluster{.name = "random"};
    for (const OfferedGpus& offered : request.offered) {
        const GpuTypeId type(cluster.gpu_types.size());
        cluster.gpu_types.push_back(offered.type);
        const auto per_node = static_cast<int>(rng.between(1, 4));
        cluster.nodes.push_back(
            NodeGroup{.name = "n", .count = offered.gpus / per_node + 1, .gpu = type, .gpus = per_node, .intra = std::nullopt});
        if (rng.chance(0.7)) {
            cluster.nodes.back().intra = Link{.bandwidth = BytesPerSecond{rng.uniform(5, 50)}, .latency = Seconds{rng.uniform(0, 0.02)}};
        }
    }
    if (rng.chance(0.5)) {
        cluster.network.push_back(
            NetworkLevel{.name = "rack",
                         .nodes = static_cast<int>(rng.between(1, 4)),
                         .link = {.bandwidth = BytesPerSecond{rng.uniform(2, 20)}, .latency = Seconds{rng.uniform(0, 0.05)}}});
    }
    cluster.network.push_back(
        NetworkLevel{.name = "top",
                     .nodes = std::nullopt,
                     .link = {.bandwidth = BytesPerSecond{rng.uniform(1, 10)}, .latency = Seconds{rng.uniform(0, 0.1)}}});
    return Communication::over(cluster, Bytes{rng.uniform(0, 5)});
}

RandomRequest random_request(Rng& rng, const Scale& scale) {
    RandomRequest random{.profile = std::make_unique<Profile>(), .request = {}};
    random.profile->model = Name("random");
    random.profile->state = Bytes{1};
    PlanRequest& request = random.request;
    request.profile = random.profile.get();
    request.global_batch = Samples{rng.between(1, scale.batch)};
    request.objective = static_cast<Objective>(rng.below(3));
    request.batch_rule = rng.chance(0.7) ? BatchRule::kAny : BatchRule::kPowerOfTwo;
    int left = scale.gpus;
    const auto types = static_cast<int>(rng.between(1, scale.types));
    for (int index = 0; index < types && left > 0; ++index) {
        const Name name(fmt::format("T{}", index));
        random.profile->gpus[name] = random_gpu(rng, scale);
        GpuType type{.name = name, .price_usd_per_hour = rng.uniform(100, 5000), .power_w = rng.uniform(50, 400)};
        if (rng.chance(0.3)) { type.memory = Bytes{rng.uniform(1, scale.largest_size)}; }
        const auto gpus = static_cast<int>(rng.between(1, std::clamp(left - (types - index - 1), 1, 2 * scale.gpus / types)));
        request.offered.push_back(OfferedGpus{.type = type, .gpus = gpus});
        left -= gpus;
    }
    request.communication = random_communication(rng, request);
    random.profile->validate();
    return random;
}

}  // namespace

RandomRequest small_request(Rng& rng) {
    return random_request(rng, Scale{.types = 4, .gpus = 7, .sizes = 4, .largest_size = 12, .batch = 22, .rough = rng.chance(0.5)});
}

// Hard cases of the rule power-of-two with prices cost a dynamic programme over the batch for every bound: theirs are ten times smaller.
RandomRequest large_request(Rng& rng) {
    Scale scale{.types = 6, .gpus = 384, .sizes = 8, .largest_size = 256, .batch = 20'000, .rough = rng.chance(0.2)};
    Rng again = rng.fork(fmt::format("{}", rng.next()));
    RandomRequest random = random_request(again, scale);
    if (random.request.batch_rule == BatchRule::kAny || random.request.objective == Objective::kThroughput) { return random; }
    scale.batch /= 10;
    random.request.global_batch = Samples{random.request.global_batch.value % scale.batch + 1};
    return random;
}

RandomRequest small_list_request(Rng& rng) {
    RandomRequest random = small_request(rng);
    PlanRequest& request = random.request;
    std::vector<Samples> sizes;
    for (const auto& [type, gpu] : random.profile->gpus) {
        for (const ProfilePoint& point : gpu.points) { sizes.push_back(point.batch); }
    }
    request.global_batch = Samples{0};
    for (std::int64_t count = rng.between(1, 7); count > 0; --count) {
        request.virtual_nodes.push_back(sizes[rng.below(sizes.size())]);
        request.global_batch += request.virtual_nodes.back();
    }
    return random;
}

int instances(int all, int everyday) {
    const char* text = std::getenv("MEDLEY_LONG");
    return text != nullptr && std::string_view(text) == "1" ? all : everyday;
}

std::string describe(const PlanRequest& request) {
    std::string text = fmt::format("batch {}, objective {}, rule {}", request.global_batch.value, static_cast<int>(request.objective),
                                   static_cast<int>(request.batch_rule));
    for (const OfferedGpus& offered : request.offered) {
        text += fmt::format("\n  {} {} (memory {})", offered.gpus, offered.type.name.text(),
                            offered.type.memory ? offered.type.memory->value : -1);
        for (const ProfilePoint& point : request.profile->find(offered.type.name)->points) {
            text += fmt::format(" {}:{:.4f}s", point.batch.value, point.seconds.value);
        }
    }
    for (const Samples size : request.virtual_nodes) { text += fmt::format(" vn {}", size.value); }
    return text;
}

}  // namespace medley::planner
