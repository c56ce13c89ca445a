#include "core/rng.h"

#include <bit>
#include <cmath>

#include "core/error.h"

namespace medley {
namespace {

std::uint64_t splitmix64(std::uint64_t& state) {
    state += 0x9e3779b97f4a7c15ULL;
    std::uint64_t mixed = state;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
    return mixed ^ (mixed >> 31);
}

// FNV-1a, 64 bits.
std::uint64_t hash_text(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : text) { hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL; }
    return hash;
}

}  // namespace

Rng::Rng(std::uint64_t seed) : seed_(seed) {
    std::uint64_t state = seed;
    for (auto& word : state_) { word = splitmix64(state); }
}

std::uint64_t Rng::next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
}

double Rng::uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

std::uint64_t Rng::below(std::uint64_t bound) {
    MEDLEY_ASSERT(bound > 0);
    const std::uint64_t unfair = (0 - bound) % bound;  // 2^64 mod bound: these lowest draws would favour small results
    std::uint64_t drawn = next();
    while (drawn < unfair) { drawn = next(); }
    return drawn % bound;
}

std::int64_t Rng::between(std::int64_t low, std::int64_t high) {
    MEDLEY_ASSERT(low <= high);
    const auto width = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    const std::uint64_t offset = width == 0 ? next() : below(width);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
}

double Rng::exponential(double mean) {
    MEDLEY_ASSERT(mean > 0);
    return -mean * std::log1p(-uniform());
}

double Rng::normal(double mean, double deviation) {
    double x = 0;
    double square = 0;
    do {
        x = uniform(-1, 1);
        const double y = uniform(-1, 1);
        square = x * x + y * y;
    } while (square >= 1 || square == 0);
    return mean + deviation * x * std::sqrt(-2 * std::log(square) / square);
}

Rng Rng::fork(std::string_view name) const {
    std::uint64_t state = seed_ ^ std::rotl(hash_text(name), 31);
    return Rng(splitmix64(state));
}

}  // namespace medley
