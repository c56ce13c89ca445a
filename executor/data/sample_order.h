#pragma once
/// Which samples a virtual node works on in a step: the same for every mapping, and each sample exactly once per epoch.
///
/// The epochs' permutations, one after another, make one endless stream; step s takes the next `global batch` of it and cuts it into the
/// virtual nodes in their order. So the data cursor is the step number alone, and a batch may reach from one epoch into the next.
/// The permutation is a keyed Feistel network with cycle walking (Black and Rogaway 2002): O(1) memory, any position at once, different in
/// each epoch.

#include <cstdint>
#include <span>
#include <vector>

namespace medley::executor {

class SampleOrder {
 public:
    /// `shuffle` false (inference): the data set's own order. Requires samples > 0 and each virtual node > 0.
    SampleOrder(std::int64_t samples, std::span<const std::int64_t> virtual_nodes, std::uint64_t seed, bool shuffle = true);

    std::int64_t global_batch() const { return offsets_.back(); }
    std::int64_t epoch_at(std::int64_t step) const;
    /// Where in the endless stream a virtual node's samples of a step begin.
    std::int64_t position_of(std::int64_t step, std::uint32_t virtual_node) const;
    /// Data set positions of one virtual node's samples in the step after `step` finished ones. Cost: O(samples of the node).
    void fill(std::int64_t step, std::uint32_t virtual_node, std::vector<std::int64_t>& out) const;
    /// The sample at a position of the endless stream.
    std::int64_t sample_at(std::int64_t position) const;

 private:
    std::int64_t samples_;
    std::vector<std::int64_t> offsets_;  ///< of each virtual node in the global batch, then its size
    std::uint64_t seed_;
    bool shuffle_;
};

}  // namespace medley::executor
