#include <array>
#include <barrier>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "cli/profile_measurement.h"
#include "core/error.h"
#include "executor/collectives/collective.h"

namespace medley::cli {
namespace {

using executor::Collective;
using Clock = std::chrono::steady_clock;

constexpr int kRanks = 2;
constexpr std::size_t kSmallElements = 2;
constexpr std::size_t kLargeElements = std::size_t{4} << 20;
constexpr int kSmallRounds = 200;
constexpr int kLargeRounds = 12;
constexpr int kWarmUp = 4;

/// What a coordinator does for workers, between two threads.
class Exchange {
 public:
    std::vector<std::string> operator()(int rank, const std::string& mine) {
        blobs_[static_cast<std::size_t>(rank)] = mine;
        meeting_.arrive_and_wait();
        const std::vector<std::string> all(blobs_.begin(), blobs_.end());
        meeting_.arrive_and_wait();  // before the next round writes
        return all;
    }

 private:
    std::array<std::string, kRanks> blobs_;
    std::barrier<> meeting_{kRanks};
};

std::unique_ptr<Collective> connect(const std::string& name, int rank, Exchange& exchange) {
    executor::CollectiveMade made = executor::connect_collective(
        name, {.rank = rank, .size = kRanks, .exchange = [&exchange, rank](const std::string& mine) { return exchange(rank, mine); }});
    if (!made) { throw Error(Problem{.place = "--collective", .found = name, .message = made.error().detail}); }
    return std::move(*made);
}

std::vector<double> time_rounds(Collective& collective, std::size_t elements, int rounds) {
    std::vector<float> values(elements, 1.0F);
    std::vector<double> seconds;
    for (int round = 0; round < rounds; ++round) {
        const Clock::time_point start = Clock::now();
        const executor::Outcome outcome = collective.all_reduce({.data = values.data(), .elements = elements}, executor::ReduceOp::kSum);
        if (!outcome) { throw Error(Problem{.message = "the link between workers failed: " + outcome.error().detail}); }
        seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
    }
    return seconds;
}

LinkMeasurement take_part(const std::string& name, int rank, Exchange& exchange) {
    const std::unique_ptr<Collective> collective = connect(name, rank, exchange);
    LinkMeasurement measured;
    measured.small_s = executor::summarize_settled(time_rounds(*collective, kSmallElements, kSmallRounds), kWarmUp);
    measured.large_s = executor::summarize_settled(time_rounds(*collective, kLargeElements, kLargeRounds), kWarmUp);
    measured.large_bytes = kLargeElements * sizeof(float);
    return measured;
}

}  // namespace

LinkMeasurement measure_link(const std::string& collective) {
    Exchange exchange;
    std::exception_ptr failure;
    std::thread other([&] {
        try {
            take_part(collective, 1, exchange);
        } catch (...) { failure = std::current_exception(); }
    });
    const auto join = [&other](int*) { other.join(); };
    int unused = 0;
    LinkMeasurement measured;
    {
        const std::unique_ptr<int, decltype(join)> joined(&unused, join);
        measured = take_part(collective, 0, exchange);
    }
    if (failure) { std::rethrow_exception(failure); }
    // Two ranks pass the buffer once in each direction, in two messages one after another.
    measured.link = executor::estimate_link({.bytes = kSmallElements * sizeof(float), .seconds = measured.small_s.median},
                                            {.bytes = measured.large_bytes, .seconds = measured.large_s.median});
    measured.link.latency_s /= 2;
    return measured;
}

}  // namespace medley::cli
