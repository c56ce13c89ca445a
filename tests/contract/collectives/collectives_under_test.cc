#include "tests/contract/collectives/collectives_under_test.h"

#include "executor/collectives/nccl/nccl_collective.h"
#include "tests/support/thread_collective.h"

namespace medley::test {
namespace {

CollectiveUnderTest named(const std::string& name) {
    return {.name = name, .connect = [name](const executor::CollectiveSetup& setup) { return executor::connect_collective(name, setup); }};
}

CollectiveUnderTest on_fake_cuda(const std::string& name, executor::MemoryKind memory) {
    const auto connect = [](executor::CollectiveSetup setup) {
        setup.device = "cuda:0";
        return executor::connect_nccl_ranks(setup);
    };
    return {.name = name, .connect = connect, .memory = memory};
}

}  // namespace

std::vector<CollectiveUnderTest> all_collectives() {
    return {
        {.name = "threads", .connect = [](const executor::CollectiveSetup& setup) { return connect_threads(setup); }},
        named("gloo"),
        named("host"),
        on_fake_cuda("nccl_with_device_memory", executor::MemoryKind::kDevice),
        on_fake_cuda("nccl_with_host_memory", executor::MemoryKind::kHost),
    };
}

}  // namespace medley::test
