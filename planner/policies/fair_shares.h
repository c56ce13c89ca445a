#pragma once
/// Elastic weighted fair shares in powers of two (VirtualFlow; Or et al., MLSys 2022).

#include <span>
#include <vector>

namespace medley::planner {

/// One job that shares a pool.
struct ShareClaim {
    int demand = 1;     ///< most it can use
    int least = 1;      ///< fewest it can run on
    double weight = 1;  ///< positive
};

/// GPUs of each claim, in the order given. Requires claims in decreasing order of priority and 1 <= least <= demand.
///
/// 1. A share is the claim's part by weight of what is left, rounded down to a power of two, at least `least`.
/// 2. While the shares exceed what is left, they are halved in increasing order of priority, never below `least`.
/// 3. Claims whose share reaches their demand get exactly that and leave; the rest start again at 1. If none did, all get their share.
/// 4. What is left over doubles claims in decreasing order of priority, each as often as fits and does not exceed its demand.
///
/// The sum exceeds `gpus` only if the sum of `least` does. Cost: O(n^2) with n claims, usually O(n).
std::vector<int> fair_shares(std::span<const ShareClaim> claims, int gpus);

}  // namespace medley::planner
