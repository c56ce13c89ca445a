#pragma once
/// Independent pieces of work on several threads.

#include <cstddef>
#include <functional>

namespace medley::cli {

/// Calls `work(index)` for every index below `count`, each once, started in ascending order; `report(done)` after each, one call at a
/// time. Rethrows the exception of the lowest index that threw; pieces not started by then are left out. The outcome does not
/// depend on the number of threads.
void run_in_parallel(std::size_t count, int threads, const std::function<void(std::size_t)>& work,
                     const std::function<void(std::size_t)>& report);

}  // namespace medley::cli
