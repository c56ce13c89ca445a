/// Steps of a job whose "gradients" are random, summed in fixed point by workers that hold the virtual nodes in random groups: the sums and
/// the scales are one and the same for every grouping and order, and close to what exact arithmetic gives.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>

#include "core/rng.h"
#include "executor/exact/fixed_point.h"

namespace medley::executor {
namespace {

constexpr int kSteps = 6;

std::uint64_t seeds() { return std::getenv("MEDLEY_LONG") != nullptr ? 20'000 : 400; }

using Grouping = std::vector<std::vector<std::size_t>>;  // virtual nodes of each worker, in the order of their work

struct Job {
    std::size_t tensors = 1;
    std::size_t elements = 1;  // of each
    std::size_t nodes = 1;
    std::uint64_t seed = 0;
};

Job random_job(Rng& rng) {
    return {.tensors = static_cast<std::size_t>(rng.between(1, 3)),
            .elements = static_cast<std::size_t>(rng.between(1, 40)),
            .nodes = static_cast<std::size_t>(rng.between(1, 12)),
            .seed = rng.next()};
}

// Magnitudes differ by tensor and wander, jump and vanish from step to step.
template <class Float>
std::vector<Float> gradient_of(const Job& job, int step, std::size_t tensor, std::size_t node) {
    Rng level = Rng(job.seed).fork("level " + std::to_string(tensor));
    std::int64_t size = level.between(-120, 60);
    for (int passed = 0; passed <= step; ++passed) { size += level.chance(0.2) ? level.between(-40, 40) : level.between(-2, 2); }
    size = std::min<std::int64_t>(size, 120);  // so that no float, nor a sum of them, is infinite
    Rng rng = Rng(job.seed).fork("values " + std::to_string((static_cast<std::size_t>(step) * 100 + tensor) * 100 + node));
    std::vector<Float> values(job.elements);
    for (Float& value : values) {
        const int exponent = static_cast<int>(size - (rng.chance(0.5) ? 0 : rng.between(0, 40)));
        value = static_cast<Float>(rng.chance(0.05) ? 0 : std::ldexp(rng.uniform(-1, 1), exponent));
    }
    return values;
}

Grouping random_grouping(const Job& job, Rng& rng) {
    Grouping workers(static_cast<std::size_t>(rng.between(1, 5)));
    std::vector<std::size_t> nodes(job.nodes);
    for (std::size_t node = 0; node < job.nodes; ++node) { nodes[node] = node; }
    rng.shuffle(std::span<std::size_t>(nodes));
    for (const std::size_t node : nodes) { workers[rng.below(workers.size())].push_back(node); }
    return workers;
}

/// How the workers settle the scales: by what is largest over all of them, as they must, or each by its own.
enum class Scales { kReduced, kLocal };

template <class Float>
class Trainee {
 public:
    Trainee(const Job& job, Scales rule) : job_(job), rule_(rule), book_(job.tensors) {}

    // The sums of one step, tensor after tensor.
    std::vector<Float> step(int number, const Grouping& workers) {
        for (int redos = 0;; ++redos) {
            const std::vector<std::int64_t> used(book_.exponents().begin(), book_.exponents().end());
            const bool redo = accumulate(number, workers);
            if (!redo) { return unfolded(used); }
            EXPECT_EQ(redos, 0);  // one redo always suffices
        }
    }
    std::vector<std::int64_t> exponents() const { return {book_.exponents().begin(), book_.exponents().end()}; }

 private:
    bool accumulate(int number, const Grouping& workers) {
        sums_.assign(job_.tensors, std::vector<std::int64_t>(job_.elements, 0));
        std::vector<std::int64_t> largest(job_.tensors, kNoExponent);
        bool overflow = false;
        for (const auto& nodes : workers) {
            if (rule_ == Scales::kLocal && &nodes != &workers.front()) { break; }
            overflow |= add_worker(number, nodes, largest);
        }
        if (rule_ == Scales::kLocal) {
            for (std::size_t worker = 1; worker < workers.size(); ++worker) {
                std::vector<std::int64_t> ignored(job_.tensors, kNoExponent);
                add_worker(number, workers[worker], ignored);
            }
        }
        return book_.learn(largest, overflow);
    }

    bool add_worker(int number, const std::vector<std::size_t>& nodes, std::vector<std::int64_t>& largest) {
        bool overflow = false;
        for (const std::size_t node : nodes) {
            for (std::size_t tensor = 0; tensor < job_.tensors; ++tensor) {
                const std::vector<Float> values = gradient_of<Float>(job_, number, tensor, node);
                const FoldStatus status = fold(std::span<const Float>(values), book_.exponents()[tensor], job_.nodes, sums_[tensor]);
                largest[tensor] = std::max(largest[tensor], status.largest_exponent);
                overflow |= status.overflow;
            }
        }
        return overflow;
    }

    std::vector<Float> unfolded(const std::vector<std::int64_t>& exponents) const {
        std::vector<Float> all;
        for (std::size_t tensor = 0; tensor < job_.tensors; ++tensor) {
            std::vector<Float> values(job_.elements);
            unfold(sums_[tensor], exponents[tensor], job_.nodes, std::span<Float>(values));
            all.insert(all.end(), values.begin(), values.end());
        }
        return all;
    }

    Job job_;
    Scales rule_;
    ScaleBook book_;
    std::vector<std::vector<std::int64_t>> sums_;
};

// Within one rounding of each addend at 2^-(61 - guard - margin - slack) of the largest, and one of the sum.
template <class Float>
void expect_close(const Job& job, int number, const std::vector<Float>& sums) {
    for (std::size_t tensor = 0; tensor < job.tensors; ++tensor) {
        std::vector<long double> exact(job.elements, 0);
        long double largest = 0;
        for (std::size_t node = 0; node < job.nodes; ++node) {
            const std::vector<Float> values = gradient_of<Float>(job, number, tensor, node);
            for (std::size_t index = 0; index < job.elements; ++index) {
                exact[index] += values[index];
                largest = std::max(largest, std::abs(static_cast<long double>(values[index])));
            }
        }
        const long double addend = std::ldexp(largest, kScaleMargin + kMostSlack + 2 - 61 + guard_bits(job.nodes));
        for (std::size_t index = 0; index < job.elements; ++index) {
            const long double rounding =
                std::abs(exact[index]) * std::numeric_limits<Float>::epsilon() + std::numeric_limits<Float>::denorm_min();
            ASSERT_LE(std::abs(sums[tensor * job.elements + index] - exact[index]),
                      addend * static_cast<long double>(job.nodes) + rounding);
        }
    }
}

template <class Float>
void expect_one_result_for_all_mappings(std::uint64_t seed) {
    Rng rng = Rng(seed).fork("mappings");
    const Job job = random_job(rng);
    Trainee<Float> first(job, Scales::kReduced);
    Trainee<Float> second(job, Scales::kReduced);
    for (int number = 0; number < kSteps; ++number) {
        const std::vector<Float> sums = first.step(number, random_grouping(job, rng));
        ASSERT_EQ(sums, second.step(number, random_grouping(job, rng))) << "seed " << seed;
        ASSERT_EQ(first.exponents(), second.exponents());
        expect_close(job, number, sums);
    }
}

TEST(FixedPointSums, OfFloatsAreTheSameForEveryMapping) {
    for (std::uint64_t seed = 0; seed < seeds(); ++seed) { expect_one_result_for_all_mappings<float>(seed); }
}

TEST(FixedPointSums, OfDoublesAreTheSameForEveryMapping) {
    for (std::uint64_t seed = 0; seed < seeds(); ++seed) { expect_one_result_for_all_mappings<double>(seed); }
}

template <class Sum>
bool some_mapping_differs(const Sum& sum) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Rng rng = Rng(seed).fork("mappings");
        const Job job = random_job(rng);
        if (sum(job, random_grouping(job, rng)) != sum(job, random_grouping(job, rng))) { return true; }
    }
    return false;
}

TEST(FloatSums, DifferByMappingSoThatTheTestAboveMeansSomething) {
    EXPECT_TRUE(some_mapping_differs([](const Job& job, const Grouping& workers) {
        std::vector<float> total(job.elements, 0);
        for (const auto& nodes : workers) {
            std::vector<float> local(job.elements, 0);
            for (const std::size_t node : nodes) {
                const std::vector<float> values = gradient_of<float>(job, 0, 0, node);
                for (std::size_t index = 0; index < job.elements; ++index) { local[index] += values[index]; }
            }
            for (std::size_t index = 0; index < job.elements; ++index) { total[index] += local[index]; }
        }
        return total;
    }));
}

// The scales of a step must come from all workers: taken from the first one's virtual nodes, they depend on which those are.
TEST(ScalesFromOneWorkerAlone, DifferByMapping) {
    EXPECT_TRUE(some_mapping_differs([](const Job& job, const Grouping& workers) {
        Trainee<float> trainee(job, Scales::kLocal);
        trainee.step(0, workers);
        return trainee.exponents();
    }));
}

}  // namespace
}  // namespace medley::executor
