#include "io/availability_file.h"
#include "tests/fuzz/fuzz_target.h"

using namespace medley;

namespace {

Cluster cluster_for_test() {
    Cluster cluster;
    cluster.gpu_types = {GpuType{.name = Name("V100")}, GpuType{.name = Name("K80")}};
    cluster.nodes = {NodeGroup{.name = "v", .count = 2, .gpu = GpuTypeId(0), .gpus = 4},
                     NodeGroup{.name = "k", .gpu = GpuTypeId(1), .gpus = 8}};
    return cluster;
}

}  // namespace

// However the steps come, no type's capacity ever falls below zero.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Cluster cluster = cluster_for_test();
    fuzz::only_errors_escape([&] {
        std::vector<int> capacity = cluster.capacity();
        for (const io::CapacityStep& step : io::parse_availability(fuzz::as_text(data, size), "input", cluster)) {
            capacity[step.type.index()] += step.delta;
            MEDLEY_ASSERT(capacity[step.type.index()] >= 0);
        }
    });
    return 0;
}
