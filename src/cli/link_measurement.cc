#include <algorithm>
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
constexpr int kSmallRounds = 200;
constexpr int kWarmUp = 4;
constexpr std::int64_t kLeastLarge_bytes = 1'000'000;
constexpr std::int64_t kMostLarge_bytes = 64'000'000;
constexpr std::int64_t kMoved_bytes = 128'000'000;

/// The large message, and how often it is sent: as often as makes medians steady, however small it is.
struct LargeMessage {
    std::size_t elements = 0;
    int rounds = 0;
};

LargeMessage large_message(std::int64_t gradient_bytes) {
    constexpr std::int64_t kFewestRounds = 10;
    constexpr std::int64_t kMostRounds = 64;
    const std::int64_t bytes = std::clamp(gradient_bytes, kLeastLarge_bytes, kMostLarge_bytes);
    const std::int64_t rounds = std::clamp(kMoved_bytes / bytes, kFewestRounds, kMostRounds);
    return {.elements = static_cast<std::size_t>(bytes) / sizeof(float), .rounds = kWarmUp + static_cast<int>(rounds)};
}

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

LinkMeasurement take_part(const std::string& name, int rank, LargeMessage large, Exchange& exchange) {
    const std::unique_ptr<Collective> collective = connect(name, rank, exchange);
    LinkMeasurement measured;
    measured.small_s = executor::summarize_settled(time_rounds(*collective, kSmallElements, kSmallRounds), kWarmUp);
    measured.large_s = executor::summarize_settled(time_rounds(*collective, large.elements, large.rounds), kWarmUp);
    measured.large_bytes = static_cast<double>(large.elements * sizeof(float));
    return measured;
}

}  // namespace

double LinkMeasurement::bytes_per_s_at(double seconds) const {
    return executor::estimate_link({.bytes = kSmallElements * sizeof(float), .seconds = small_s.median},
                                   {.bytes = large_bytes, .seconds = seconds})
        .bytes_per_s;
}

LinkMeasurement measure_link(const std::string& collective, std::int64_t gradient_bytes) {
    const LargeMessage large = large_message(gradient_bytes);
    Exchange exchange;
    std::exception_ptr failure;
    std::thread other([&] {
        try {
            take_part(collective, 1, large, exchange);
        } catch (...) { failure = std::current_exception(); }
    });
    const auto join = [&other](int*) { other.join(); };
    int unused = 0;
    LinkMeasurement measured;
    {
        const std::unique_ptr<int, decltype(join)> joined(&unused, join);
        measured = take_part(collective, 0, large, exchange);
    }
    if (failure) { std::rethrow_exception(failure); }
    // Two ranks pass the buffer once in each direction, in two messages one after another.
    measured.link = executor::estimate_link({.bytes = kSmallElements * sizeof(float), .seconds = measured.small_s.median},
                                            {.bytes = measured.large_bytes, .seconds = measured.large_s.median});
    measured.link.latency_s /= 2;
    return measured;
}

}  // namespace medley::cli
