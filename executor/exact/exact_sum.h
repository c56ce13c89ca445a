#pragma once
/// The exact sum of doubles, in any order and any grouping: a superaccumulator of whole numbers (Kulisch). Used for losses, of which there
/// are few; two accumulators add word by word, so an integer all-reduce merges them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace medley::executor {

class ExactSum {
 public:
    /// 32 bits of the sum a word, from 2^-1074 up; then counts of +inf, -inf and NaN.
    static constexpr std::size_t kWords = 70;

    void add(double value);
    /// The sum rounded once (to nearest even); infinities and NaN as IEEE addition would give. After at most 2^30 additions in all.
    double value() const;
    /// For the all-reduce.
    std::span<std::int64_t, kWords> words() { return words_; }
    std::span<const std::int64_t, kWords> words() const { return words_; }

 private:
    std::array<std::int64_t, kWords> words_{};
};

}  // namespace medley::executor
