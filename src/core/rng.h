#pragma once
/// Random numbers that are the same on every compiler and machine.
///
/// xoshiro256** (Blackman and Vigna 2018) seeded through splitmix64, with our own distributions, because the standard library's
/// differ between implementations. `fork(name)` gives an independent stream: adding a consumer never shifts another's numbers.
/// Thread rule: one instance per thread.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace medley {

class Rng {
 public:
    explicit Rng(std::uint64_t seed);

    std::uint64_t next();
    /// Uniform in [0, 1), 53 bits.
    double uniform();
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    /// Uniform in [0, bound), without bias. Requires bound > 0.
    std::uint64_t below(std::uint64_t bound);
    /// Uniform in [low, high], both included. Requires low <= high.
    std::int64_t between(std::int64_t low, std::int64_t high);
    bool chance(double probability) { return uniform() < probability; }
    /// Exponential with this mean. Requires mean > 0.
    double exponential(double mean);
    /// Gaussian (polar Box-Muller, one number a call).
    double normal(double mean, double deviation);

    /// An independent stream; depends only on this stream's seed and the name, not on numbers drawn so far.
    Rng fork(std::string_view name) const;

    template <class T>
    void shuffle(std::span<T> items) {
        for (std::size_t left = items.size(); left > 1; --left) { std::swap(items[left - 1], items[below(left)]); }
    }

 private:
    std::uint64_t seed_;
    std::array<std::uint64_t, 4> state_;
};

}  // namespace medley
