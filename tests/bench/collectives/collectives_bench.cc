/// CPU all-reduce of Medley against Gloo used bare, processes on this machine, in interleaved pairs.
///
///   collectives_bench [PAIRS [LARGEST_BYTES [SMALLEST_BYTES [RANKS [TYPE]]]]]    (30 100000000 1000 3 float32; TYPE also float64, int64)

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "executor/collectives/collective.h"
#include "tests/bench/collectives/bare_gloo.h"
#include "tests/support/file_exchange.h"
#include "tests/support/paired_benchmark.h"

namespace medley::bench {
namespace {

namespace fs = std::filesystem;
using executor::Collective;

struct Options {
    int pairs = 30;
    std::size_t largest_bytes = 100'000'000;
    std::size_t smallest_bytes = 1'000;
    int ranks = 3;
    executor::ElementType type = executor::ElementType::kFloat32;
};

constexpr std::pair<executor::ElementType, const char*> kTypes[] = {
    {executor::ElementType::kFloat32, "float32"}, {executor::ElementType::kFloat64, "float64"}, {executor::ElementType::kInt64, "int64"}};

const char* name_of(executor::ElementType type) {
    return std::find_if(std::begin(kTypes), std::end(kTypes), [&](const auto& row) { return row.first == type; })->second;
}

executor::ElementType type_of(const std::string& name) {
    for (const auto& [type, its_name] : kTypes) {
        if (name == its_name) { return type; }
    }
    refuse_value("type", name, "float32, float64 or int64");
}

int repeats_for(std::size_t bytes) { return bytes >= 10'000'000 ? 1 : bytes >= 1'000'000 ? 4 : bytes >= 100'000 ? 30 : 100; }

void require(bool done) {
    if (!done) { std::exit(1); }
}

void meet(Collective& collective) { require(collective.all_gather("").has_value()); }

void compare(Collective& ours, BareGloo& bare, std::size_t bytes, const std::string& algorithm, const Options& options) {
    std::vector<double> zeros(bytes / sizeof(double));
    const executor::Buffer buffer{
        .data = zeros.data(), .elements = zeros.size() * sizeof(double) / bytes_of(options.type), .type = options.type};
    bare.use(buffer, algorithm);
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
        options.pairs, [&] { return timed([&] { require(ours.all_reduce(buffer, executor::ReduceOp::kSum).has_value()); }); },
        [&] { return timed([&] { bare.all_reduce(); }); });
    if (ours.rank() > 0) { return; }
    fmt::print("{:>12} {:<18} {:>12.1f} {:>12.1f} {:>8.3f}  [{:.3f}, {:.3f}]\n", bytes, algorithm, result.first_s * 1e6,
               result.second_s * 1e6, result.ratio, result.low, result.high);
    std::fflush(stdout);
}

void run_rank(const fs::path& folder, int rank, const Options& options) {
    const auto made = executor::connect_collective("gloo", {.rank = rank,
                                                            .size = options.ranks,
                                                            .deadline = std::chrono::seconds(60),
                                                            .exchange = test::exchange_through(folder, rank, options.ranks)});
    require(made.has_value());
    BareGloo bare(folder, rank, options.ranks);
    if (rank == 0) {
        fmt::print("{} ranks, {} pairs, {}\n{:>12} {:<18} {:>12} {:>12} {:>8}  95 % of the median\n", options.ranks, options.pairs,
                   name_of(options.type), "bytes", "bare algorithm", "Medley us", "bare us", "ratio");
    }
    for (const std::size_t bytes : {1'000u, 10'000u, 100'000u, 1'000'000u, 10'000'000u, 100'000'000u}) {
        if (bytes < options.smallest_bytes || bytes > options.largest_bytes) { continue; }
        for (const std::string& algorithm : BareGloo::algorithms()) { compare(**made, bare, bytes, algorithm, options); }
    }
    meet(**made);
}

int run(const Options& options) {
    std::string name = (fs::temp_directory_path() / "medley-bench-XXXXXX").string();
    const fs::path folder = mkdtemp(name.data());
    std::vector<pid_t> others;
    for (int rank = 1; rank < options.ranks; ++rank) {
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
    const auto number = [&](int place, long long usual) { return argc > place ? std::atoll(argv[place]) : usual; };
    medley::bench::Options options;
    options.pairs = static_cast<int>(number(1, options.pairs));
    options.largest_bytes = static_cast<std::size_t>(number(2, static_cast<long long>(options.largest_bytes)));
    options.smallest_bytes = static_cast<std::size_t>(number(3, static_cast<long long>(options.smallest_bytes)));
    options.ranks = static_cast<int>(number(4, options.ranks));
    if (argc > 5) { options.type = medley::bench::type_of(argv[5]); }
    return medley::bench::run(options);
}
