#include "executor/exact/scale_book.h"

#include <algorithm>

#include "core/error.h"
#include "executor/exact/fixed_point.h"

namespace medley::executor {
namespace {

std::int64_t wanted(std::int64_t largest) { return std::max(largest + kScaleMargin, kLowestExponent); }

bool unfit(std::int64_t exponent, std::int64_t largest) {
    return largest != kNoExponent && (largest > exponent || exponent > wanted(largest) + kMostSlack);
}

}  // namespace

bool ScaleBook::learn(std::span<const std::int64_t> largest, bool overflow) {
    MEDLEY_ASSERT(largest.size() == exponents_.size());
    bool redo = false;
    for (std::size_t tensor = 0; tensor < exponents_.size(); ++tensor) {
        if (!unfit(exponents_[tensor], largest[tensor])) { continue; }
        exponents_[tensor] = wanted(largest[tensor]);
        redo = true;
    }
    MEDLEY_ASSERT(redo || !overflow);  // an overflow shows in the largest exponents
    if (redo) { return true; }
    for (std::size_t tensor = 0; tensor < exponents_.size(); ++tensor) {
        if (largest[tensor] == kNoExponent) { continue; }
        exponents_[tensor] = std::max(wanted(largest[tensor]), exponents_[tensor] - 1);
    }
    return false;
}

}  // namespace medley::executor
