#include <filesystem>

#include <gtest/gtest.h>

#include "core/error.h"
#include "executor/collectives/nccl/nccl_collective.h"
#include "tests/contract/collectives/collectives_under_test.h"
#include "tests/support/fake_cuda/fake_cuda.h"

namespace medley::test {
namespace {

using executor::Collective;

class CollectiveResources : public testing::TestWithParam<CollectiveUnderTest> {};

INSTANTIATE_TEST_SUITE_P(All, CollectiveResources, testing::ValuesIn(all_collectives()),
                         [](const auto& test) { return std::string(test.param.name); });

std::ptrdiff_t open_descriptors() {
    const std::filesystem::directory_iterator folder("/proc/self/fd");
    return std::distance(begin(folder), end(folder));
}

TEST_P(CollectiveResources, NothingIsLeftOpenAfterSuccessOrFailure) {
    const auto use = [&](bool fails) {
        on_ranks(GetParam(), 3, [&](Collective& collective) {
            ASSERT_TRUE(collective.all_gather("a"));
            if (fails && collective.rank() != 1) {
                while (collective.all_gather("b")) {}
            }
        });
    };
    use(false);  // what is opened once for the process
    const std::ptrdiff_t before = open_descriptors();
    use(false);
    use(true);
    EXPECT_EQ(open_descriptors(), before);
    const FakeCudaUse left = fake_cuda_use();
    EXPECT_EQ(left.allocations, 0);
    EXPECT_EQ(left.streams, 0);
    EXPECT_EQ(left.events, 0);
    EXPECT_EQ(left.communicators, 0);
}

TEST(NcclCollective, SaysInOneLineThatThereIsNoGpu) {
    set_fake_devices(0);
    try {
        executor::connect_nccl_ranks({.device = "cuda:0"});
        ADD_FAILURE() << "connected without a GPU";
    } catch (const Error& error) {
        const std::string message = error.what();
        EXPECT_TRUE(message.starts_with("no GPU: ")) << message;
        EXPECT_EQ(message.find('\n'), std::string::npos);
    }
    set_fake_devices(4);
}

TEST(NcclCollective, RefusesADeviceThatIsNotThere) {
    EXPECT_THROW(executor::connect_nccl_ranks({.device = "cuda:4"}), Error);
    EXPECT_THROW(executor::connect_nccl_ranks({.device = "cpu"}), Error);
}

TEST(NcclCollective, TakesDeviceMemoryAndTheOthersDoNot) {
    EXPECT_TRUE((*executor::connect_nccl_ranks({.device = "cuda:0"}))->takes_device_memory());
    EXPECT_FALSE((*executor::connect_collective("gloo", {}))->takes_device_memory());
}

}  // namespace
}  // namespace medley::test
