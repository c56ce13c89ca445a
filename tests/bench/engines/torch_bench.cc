// What virtual nodes and exact sums cost: pairs measured in turns, processor seconds of the one thread that works (waiting for others on a
// busy machine does not count), median ratio with its 95 % confidence interval.
//
//     torch_bench [PAIRS] [NAME...]      (30 pairs; all of: plain nodes update exact convergence)

#include <ctime>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/bench/engines/convergence.h"
#include "tests/support/paired_benchmark.h"
#include "tests/unit/engines_torch/plain_loop.h"
#include "tests/unit/engines_torch/torch_group.h"

namespace medley::executor {
namespace {

double processor_seconds(const std::function<void()>& call) {
    const auto now = [] {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    };
    const double begin = now();
    call();
    return now() - begin;
}

struct Row {
    std::string what;
    std::string asked;
};

void print_row(const Row& row, const test::PairedResult& result) {
    fmt::print("{:<58} {:>10.3f} ms {:>10.3f} ms   {:.3f} [{:.3f}, {:.3f}]   {}\n", row.what, 1e3 * result.first_s, 1e3 * result.second_s,
               result.ratio, result.low, result.high, row.asked);
    std::fflush(stdout);
}

TrainingJob job_of(ModelSpec model, OptimizerSpec optimizer) {
    return {.name = "bench", .model = std::move(model), .data = SyntheticData{.samples = 4096}, .optimizer = optimizer, .seed = 1};
}

const OptimizerSpec kMomentum = {.kind = OptimizerKind::kSgd, .learning_rate = 0.01, .momentum = 0.9};
const OptimizerSpec kAdam = {.kind = OptimizerKind::kAdam, .learning_rate = 0.001};

struct Workload {
    std::string name;
    TrainingJob job;
    std::int64_t node_size;
    int repeats;  ///< steps per measurement, so that one lasts some milliseconds
};

std::vector<Workload> workloads() {
    return {{"mlp 256-512-512-10, 64 samples, sgd", job_of(MlpModel{.inputs = 256, .hidden = {512, 512}}, kMomentum), 64, 8},
            {"mlp 256-512-512-10, 64 samples, adam", job_of(MlpModel{.inputs = 256, .hidden = {512, 512}}, kAdam), 64, 8},
            {"cnn 32x32, 16 samples, sgd", job_of(CnnModel{}, kMomentum), 16, 2},
            {"gpt 0.4 M parameters, 8 x 64 tokens, adam", job_of(GptModel{}, kAdam), 8, 1}};
}

std::function<double()> engine_steps(EngineGroup& group, int repeats) {
    return [&group, repeats] { return processor_seconds([&] { group.run_steps(repeats); }); };
}

std::vector<std::int64_t> equal_nodes(std::int64_t count, std::int64_t size) {
    return std::vector<std::int64_t>(static_cast<std::size_t>(count), size);
}

void one_node_against_a_plain_loop(int pairs) {
    for (const Workload& work : workloads()) {
        EngineGroup group(torch_group(work.job, equal_nodes(1, work.node_size)));
        PlainLoop loop(work.job);
        std::vector<std::int64_t> samples(static_cast<std::size_t>(work.node_size));
        std::iota(samples.begin(), samples.end(), 0);
        const auto plain = [&] {
            return processor_seconds([&] {
                for (int i = 0; i < work.repeats; ++i) { loop.step(samples); }
            });
        };
        print_row({"1 virtual node / plain loop: " + work.name, "<= 1.02"},
                  test::measure_pairs(pairs, engine_steps(group, work.repeats), plain));
    }
}

void many_nodes_against_one(int pairs) {
    for (const Workload& work : workloads()) {
        EngineGroup one(torch_group(work.job, equal_nodes(1, work.node_size)));
        for (const int count : {2, 4, 8, 16, 32}) {
            EngineGroup many(torch_group(work.job, equal_nodes(count, work.node_size)));
            const auto ones = engine_steps(one, count);
            print_row({fmt::format("{} virtual nodes / {} x 1: {}", count, count, work.name), "<= 1.03"},
                      test::measure_pairs(pairs, engine_steps(many, 1), ones));
        }
    }
}

void amortised_updates(int pairs) {
    const TrainingJob job = job_of(MlpModel{.inputs = 512, .hidden = {2048, 2048}}, kAdam);
    EngineGroup one(torch_group(job, equal_nodes(1, 8)));
    EngineGroup many(torch_group(job, equal_nodes(32, 8)));
    print_row({"32 x 1 virtual node / 32 virtual nodes: mlp 5.3 M, 8 samples, adam", ">= 1.10"},
              test::measure_pairs(pairs, engine_steps(one, 32), engine_steps(many, 1)));
}

void exact_sums(int pairs) {
    const TrainingJob job = job_of(GptModel{.vocabulary = 512, .sequence = 64, .layers = 6, .hidden = 368, .heads = 8}, kAdam);
    GroupSetup setup = torch_group(job, equal_nodes(8, 4));
    EngineGroup plain(setup);
    setup.exact = true;
    EngineGroup exact(setup);
    exact.run_steps(2);
    print_row({"exact / plain: gpt 10 M parameters, 8 virtual nodes of 4 x 64", "<= 1.30"},
              test::measure_pairs(pairs, engine_steps(exact, 1), engine_steps(plain, 1)));
}

struct Benchmark {
    const char* name;
    void (*run)(int pairs);
};

constexpr Benchmark kBenchmarks[] = {{"plain", one_node_against_a_plain_loop},
                                     {"nodes", many_nodes_against_one},
                                     {"update", amortised_updates},
                                     {"exact", exact_sums},
                                     {"convergence", convergence}};

int run(const std::vector<std::string>& arguments) {
    const int pairs = arguments.empty() ? 30 : std::max(6, std::atoi(arguments.front().c_str()));
    fmt::print("{:<58} {:>13} {:>13}   ratio [95 %]   asked   ({} pairs)\n", "", "first", "second", pairs);
    for (const Benchmark& benchmark : kBenchmarks) {
        const bool named = std::find(arguments.begin(), arguments.end(), benchmark.name) != arguments.end();
        if (arguments.size() < 2 || named) { benchmark.run(pairs); }
    }
    return 0;
}

}  // namespace
}  // namespace medley::executor

int main(int count, char** arguments) { return medley::executor::run({arguments + 1, arguments + count}); }
