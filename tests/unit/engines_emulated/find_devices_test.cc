#include <gtest/gtest.h>

#include "executor/engines/engine.h"

namespace medley::executor {
namespace {

TEST(FindDevices, TheProcessorComesFirstWithItsMemory) {
    const DevicesFound found = find_devices();
    ASSERT_FALSE(found.devices.empty());
    EXPECT_EQ(found.devices.front().device, "cpu");
    EXPECT_FALSE(found.devices.front().name.empty());
    EXPECT_GT(found.devices.front().memory_bytes, 0);
}

TEST(FindDevices, EitherThereIsAGpuOrOneLineSaysWhyNot) {
    const DevicesFound found = find_devices();
    EXPECT_EQ(found.devices.size() > 1, found.note.empty()) << found.note;
    EXPECT_EQ(found.note.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace medley::executor
