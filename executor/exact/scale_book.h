#pragma once
/// The scales of a job's fixed-point sums: part of its checkpointed, mapping-independent state.
///
/// The exponent of a tensor follows the largest magnitude met over all workers, by one rule and nothing else, so every mapping of the same
/// virtual nodes has the same scales at the same step:
///  - an addend did not fit: the exponent rises to the largest magnitude's plus the margin, and the step is redone;
///  - the largest magnitude lies more than `kScaleMargin + kMostSlack` below: precision would suffer, so the exponent falls to the same
///    place, and the step is redone;
///  - else the step stands; for the next one the exponent rises to the margin if it is closer, or falls by one if it is farther.
/// A tensor of zeros keeps its exponent. After a redo nothing more needs a redo, since the addends are the same.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace medley::executor {

inline constexpr int kScaleMargin = 4;  ///< a magnitude may grow 16-fold from step to step without a redo
inline constexpr int kMostSlack = 12;   ///< and fall 4096-fold
/// Scales beyond this would leave the range of double; magnitudes below 2^-900 lose their low bits.
inline constexpr std::int64_t kLowestExponent = -900;
inline constexpr std::int64_t kHighestExponent = 1024 + kScaleMargin;

class ScaleBook {
 public:
    explicit ScaleBook(std::size_t tensors) : exponents_(tensors, kFirstGuess) {}
    /// For the step to come. Before the first step a guess, which one redo puts right.
    std::span<const std::int64_t> exponents() const { return exponents_; }
    /// Takes the largest exponents over all workers; true if the step must be redone with the exponents as they are now. Else they are
    /// those of the next step. Requires one per tensor. `overflow` says that some addend did not fit.
    bool learn(std::span<const std::int64_t> largest, bool overflow);
    std::span<std::byte> state() { return std::as_writable_bytes(std::span(exponents_)); }

 private:
    static constexpr std::int64_t kFirstGuess = 0;

    std::vector<std::int64_t> exponents_;
};

}  // namespace medley::executor
