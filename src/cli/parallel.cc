#include "cli/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace medley::cli {

void run_in_parallel(std::size_t count, int threads, const std::function<void(std::size_t)>& work,
                     const std::function<void(std::size_t)>& report) {
    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};
    std::mutex reporting;
    std::size_t done = 0;
    std::vector<std::exception_ptr> failures(count);
    // An index taken is always worked on, and they are taken in order, so the failures of all lower ones are known at the end.
    const auto work_on = [&] {
        while (!failed) {
            const std::size_t index = next++;
            if (index >= count) { return; }
            try {
                work(index);
            } catch (...) {
                failures[index] = std::current_exception();
                failed = true;
            }
            const std::lock_guard<std::mutex> lock(reporting);
            report(++done);
        }
    };
    const std::size_t extra = std::min(static_cast<std::size_t>(std::max(threads, 1)), count);
    std::vector<std::jthread> helpers;
    for (std::size_t helper = 1; helper < extra; ++helper) { helpers.emplace_back(work_on); }
    work_on();
    helpers.clear();
    for (const std::exception_ptr& failure : failures) {
        if (failure) { std::rethrow_exception(failure); }
    }
}

}  // namespace medley::cli
