/// CPU all-reduce of Medley against Gloo used bare, 3 processes on this machine, in interleaved pairs.
///
///   collectives_bench [PAIRS [LARGEST_BYTES]]

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "executor/collectives/collective.h"
#include "tests/bench/collectives/bare_gloo.h"
#include "tests/support/file_exchange.h"
#include "tests/support/paired_benchmark.h"

namespace medley::bench {
namespace {

namespace fs = std::filesystem;
using executor::Collective;

constexpr int kRanks = 3;

struct Options {
    int pairs = 30;
    std::size_t largest_bytes = 100'000'000;
};

int repeats_for(std::size_t bytes) { return bytes >= 10'000'000 ? 1 : bytes >= 1'000'000 ? 4 : bytes >= 100'000 ? 30 : 100; }

void require(bool done) {
    if (!done) { std::exit(1); }
}

void meet(Collective& collective) { require(collective.all_gather("").has_value()); }

void compare(Collective& ours, BareGloo& bare, std::size_t bytes, const std::string& algorithm, int pairs) {
    std::vector<float> values(bytes / sizeof(float), 1e-30F);
    const executor::Buffer buffer{.data = values.data(), .elements = values.size()};
    bare.use(values.data(), values.size(), algorithm);
    const int repeats = repeats_for(bytes);
    const auto timed = [&](auto call) {
        meet(ours);
        const double seconds = test::seconds_of([&] {
            for (int repeat = 0; repeat < repeats; ++repeat) { call(); }
        });
        meet(ours);
        return seconds / repeats;
    };
    const auto result = test::measure_pairs(
        pairs, [&] { return timed([&] { require(ours.all_reduce(buffer, executor::ReduceOp::kSum).has_value()); }); },
        [&] { return timed([&] { bare.all_reduce(); }); });
    if (ours.rank() > 0) { return; }
    fmt::print("{:>12} {:<18} {:>12.1f} {:>12.1f} {:>8.3f}  [{:.3f}, {:.3f}]\n", bytes, algorithm, result.first_s * 1e6,
               result.second_s * 1e6, result.ratio, result.low, result.high);
    std::fflush(stdout);
}

void run_rank(const fs::path& folder, int rank, const Options& options) {
    const auto made = executor::connect_collective(
        "gloo",
        {.rank = rank, .size = kRanks, .deadline = std::chrono::seconds(60), .exchange = test::exchange_through(folder, rank, kRanks)});
    require(made.has_value());
    BareGloo bare(folder, rank, kRanks);
    if (rank == 0) {
        fmt::print("{} ranks, {} pairs\n{:>12} {:<18} {:>12} {:>12} {:>8}  95 % of the median\n", kRanks, options.pairs, "bytes",
                   "bare algorithm", "Medley us", "bare us", "ratio");
    }
    for (const std::size_t bytes : {1'000u, 10'000u, 100'000u, 1'000'000u, 10'000'000u, 100'000'000u}) {
        if (bytes > options.largest_bytes) { break; }
        for (const std::string& algorithm : BareGloo::algorithms()) { compare(**made, bare, bytes, algorithm, options.pairs); }
    }
    meet(**made);
}

int run(const Options& options) {
    std::string name = (fs::temp_directory_path() / "medley-bench-XXXXXX").string();
    const fs::path folder = mkdtemp(name.data());
    std::vector<pid_t> others;
    for (int rank = 1; rank < kRanks; ++rank) {
        const pid_t child = fork();
        if (child == 0) {
            run_rank(folder, rank, options);
            std::_Exit(0);
        }
        others.push_back(child);
    }
    run_rank(folder, 0, options);
    for (const pid_t other : others) { waitpid(other, nullptr, 0); }
    fs::remove_all(folder);
    return 0;
}

}  // namespace
}  // namespace medley::bench

int main(int argc, char** argv) {
    medley::bench::Options options;
    if (argc > 1) { options.pairs = std::atoi(argv[1]); }
    if (argc > 2) { options.largest_bytes = static_cast<std::size_t>(std::atoll(argv[2])); }
    return medley::bench::run(options);
}
