/// Whole training steps of three processes over gloo, in interleaved pairs: with `--exact` against without, gpt of 10 M parameters, 8
/// virtual nodes dealt 3, 3 and 2. Wall time of rank 0 between two moments at which all ranks have met.
///
///   training_bench [PAIRS]      (30)

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "executor/collectives/collective.h"
#include "executor/engines/engine.h"
#include "executor/training/training_step.h"
#include "tests/support/file_exchange.h"
#include "tests/support/paired_benchmark.h"

namespace medley::bench {
namespace {

namespace fs = std::filesystem;
using namespace medley::executor;

constexpr int kRanks = 3;

TrainingJob gpt_job() {
    return {.name = "bench",
            .model = GptModel{.vocabulary = 512, .sequence = 64, .layers = 6, .hidden = 368, .heads = 8},
            .data = SyntheticData{.samples = 4096},
            .optimizer = {.kind = OptimizerKind::kAdam, .learning_rate = 0.001},
            .seed = 1};
}

void require(bool done) {
    if (!done) { std::exit(1); }
}

/// One worker's part of a job.
class Worker {
 public:
    Worker(Collective& collective, bool exact)
        : setup_{.job = gpt_job(), .virtual_nodes = std::vector<std::int64_t>(8, 4), .exact = exact},
          collective_(collective),
          state_(make_training_state(make_engine({.job = setup_.job, .virtual_nodes = setup_.virtual_nodes, .exact = exact}), setup_)),
          order_(state_.engine->samples(), setup_.virtual_nodes, setup_.job.seed) {
        for (VirtualNode node = 0; node < setup_.virtual_nodes.size(); ++node) {
            if (static_cast<int>(node) % kRanks == collective.rank()) { virtual_nodes_.push_back(node); }
        }
        state_.initialise();
    }

    /// Seconds of a step, from when all are ready until all are done.
    double step() {
        meet();
        return test::seconds_of([&] {
            const auto result = training_step(state_, {order_, collective_, virtual_nodes_}, [] { return false; });
            require(result.has_value());
            meet();
        });
    }

 private:
    void meet() { require(collective_.all_gather("").has_value()); }

    RunSetup setup_;
    Collective& collective_;
    TrainingState state_;
    SampleOrder order_;
    std::vector<VirtualNode> virtual_nodes_;
};

void run_rank(const fs::path& folder, int rank, int pairs) {
    const auto made = connect_collective(
        "gloo",
        {.rank = rank, .size = kRanks, .deadline = std::chrono::seconds(60), .exchange = test::exchange_through(folder, rank, kRanks)});
    require(made.has_value());
    Worker exact(**made, true);
    Worker plain(**made, false);
    exact.step();  // finds its scales
    const auto result = test::measure_pairs(
        pairs, [&] { return exact.step(); }, [&] { return plain.step(); });
    if (rank > 0) { return; }
    fmt::print(
        "exact / plain, gpt of 10 M parameters, 8 virtual nodes of 4 x 64 on 3 workers: {:.1f} ms, {:.1f} ms, "
        "{:.3f} [{:.3f}, {:.3f}] of {} pairs (asked: at most 1.3)\n",
        1e3 * result.first_s, 1e3 * result.second_s, result.ratio, result.low, result.high, result.pairs);
    std::fflush(stdout);
}

int run(int pairs) {
    std::string name = (fs::temp_directory_path() / "medley-bench-XXXXXX").string();
    const fs::path folder = mkdtemp(name.data());
    std::vector<pid_t> others;
    for (int rank = 1; rank < kRanks; ++rank) {
        const pid_t child = fork();
        if (child == 0) {
            run_rank(folder, rank, pairs);
            std::_Exit(0);
        }
        others.push_back(child);
    }
    run_rank(folder, 0, pairs);
    for (const pid_t other : others) { waitpid(other, nullptr, 0); }
    fs::remove_all(folder);
    return 0;
}

}  // namespace
}  // namespace medley::bench

int main(int argc, char** argv) { return medley::bench::run(argc > 1 ? std::max(6, std::atoi(argv[1])) : 30); }
