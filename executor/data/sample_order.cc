#include "executor/data/sample_order.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.h"
#include "core/rng.h"

namespace medley::executor {
namespace {

std::uint64_t mixed(std::uint64_t value) {  // the finaliser of splitmix64
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
    return value ^ (value >> 31);
}

/// A permutation of [0, samples) for each key.
///
/// The network works on pairs (left, right) with left < sides[0] and right < sides[1], whose product is barely above `samples`, and is
/// walked along until it comes back below: seldom more than one turn.
class Permutation {
 public:
    Permutation(std::uint64_t samples, std::uint64_t seed, std::uint64_t epoch) : samples_(samples) {
        sides_[0] = static_cast<std::uint64_t>(std::ceil(std::sqrt(static_cast<double>(samples))));
        sides_[1] = (samples + sides_[0] - 1) / sides_[0];
        Rng rng = Rng(seed ^ mixed(epoch + 1)).fork("sample order");
        for (std::uint64_t& key : keys_) { key = rng.next(); }
    }

    std::uint64_t at(std::uint64_t position) const {
        do { position = encrypted(position); } while (position >= samples_);
        return position;
    }

 private:
    std::uint64_t encrypted(std::uint64_t position) const {
        std::array<std::uint64_t, 2> halves = {position % sides_[0], position / sides_[0]};
        for (std::size_t round = 0; round < keys_.size(); ++round) {
            const std::size_t changed = round % 2;
            const std::uint64_t noise = mixed(halves[1 - changed] + keys_[round]) % sides_[changed];
            halves[changed] = (halves[changed] + noise) % sides_[changed];
        }
        return halves[1] * sides_[0] + halves[0];
    }

    std::uint64_t samples_;
    std::array<std::uint64_t, 2> sides_{};
    std::array<std::uint64_t, 6> keys_{};
};

Permutation permutation_of(std::int64_t samples, std::uint64_t seed, std::int64_t epoch) {
    return {static_cast<std::uint64_t>(samples), seed, static_cast<std::uint64_t>(epoch)};
}

std::int64_t permuted(const Permutation& permutation, std::int64_t position) {
    return static_cast<std::int64_t>(permutation.at(static_cast<std::uint64_t>(position)));
}

}  // namespace

SampleOrder::SampleOrder(std::int64_t samples, std::span<const std::int64_t> virtual_nodes, std::uint64_t seed, bool shuffle)
    : samples_(samples), offsets_{0}, seed_(seed), shuffle_(shuffle) {
    MEDLEY_ASSERT(samples > 0 && !virtual_nodes.empty());
    for (const std::int64_t size : virtual_nodes) {
        MEDLEY_ASSERT(size > 0);
        offsets_.push_back(offsets_.back() + size);
    }
}

std::int64_t SampleOrder::epoch_at(std::int64_t step) const { return step * global_batch() / samples_; }

std::int64_t SampleOrder::position_of(std::int64_t step, std::uint32_t virtual_node) const {
    MEDLEY_ASSERT(virtual_node + 1 < offsets_.size());
    return step * global_batch() + offsets_[virtual_node];
}

void SampleOrder::fill(std::int64_t step, std::uint32_t virtual_node, std::vector<std::int64_t>& out) const {
    std::int64_t position = position_of(step, virtual_node);
    const std::int64_t end = position + offsets_[virtual_node + 1] - offsets_[virtual_node];
    out.clear();
    while (position < end) {  // one epoch's part at a time
        const std::int64_t epoch = position / samples_;
        const std::int64_t stop = std::min(end, (epoch + 1) * samples_);
        if (!shuffle_) {
            for (; position < stop; ++position) { out.push_back(position - epoch * samples_); }
            continue;
        }
        const Permutation permutation = permutation_of(samples_, seed_, epoch);
        for (; position < stop; ++position) { out.push_back(permuted(permutation, position - epoch * samples_)); }
    }
}

std::int64_t SampleOrder::sample_at(std::int64_t position) const {
    const std::int64_t epoch = position / samples_;
    const std::int64_t within = position - epoch * samples_;
    return shuffle_ ? permuted(permutation_of(samples_, seed_, epoch), within) : within;
}

}  // namespace medley::executor
