#pragma once
/// Runs one piece of work on every rank of a collective, each rank in a thread of its own.

#include <chrono>
#include <functional>
#include <string>

#include "executor/collectives/collective.h"

namespace medley::test {

/// One way to get a collective, and the memory that it takes.
struct CollectiveUnderTest {
    std::string name;
    std::function<executor::CollectiveMade(const executor::CollectiveSetup&)> connect;
    executor::MemoryKind memory = executor::MemoryKind::kHost;
};

/// Connects `size` ranks and runs `work` on each; a rank's collective is destroyed when its work returns. Fails the test, and runs nothing
/// on that rank, if it cannot connect.
void on_ranks(const CollectiveUnderTest& kind, int size, const std::function<void(executor::Collective&)>& work,
              std::chrono::milliseconds deadline = std::chrono::seconds(60));

}  // namespace medley::test
