#include "planner/policies/fair_shares.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace medley::planner {
namespace {

int power_of_two_below(double share) {
    share *= 1 + 1e-12;  // a share of exactly 4 may have been computed as 3.9999...
    return share < 1 ? 1 : static_cast<int>(std::bit_floor(static_cast<unsigned>(share)));
}

class FairShares {
 public:
    FairShares(std::span<const ShareClaim> claims, int gpus) : claims_(claims), left_(gpus), granted_(claims.size(), 0) {
        open_.resize(claims.size());
        std::iota(open_.begin(), open_.end(), std::size_t{0});
    }

    std::vector<int> compute() {
        while (!open_.empty()) {
            set_shares();
            halve_until_they_fit();
            if (!satisfy_small_demands()) { break; }
        }
        for (const std::size_t claim : open_) { grant(claim, share_of(claim)); }
        double_with_the_rest();
        return granted_;
    }

 private:
    int& share_of(std::size_t claim) { return granted_[claim]; }  // provisional until `grant`

    void grant(std::size_t claim, int gpus) {
        granted_[claim] = gpus;
        left_ -= gpus;
    }

    void set_shares() {
        double weights = 0;
        for (const std::size_t claim : open_) { weights += claims_[claim].weight; }
        for (const std::size_t claim : open_) {
            const double part = std::max(left_, 0) * claims_[claim].weight / weights;
            share_of(claim) = std::max(power_of_two_below(part), claims_[claim].least);
        }
    }

    void halve_until_they_fit() {
        int excess = -left_;
        for (const std::size_t claim : open_) { excess += share_of(claim); }
        bool halved = true;
        while (excess > 0 && halved) {
            halved = false;
            for (auto claim = open_.rbegin(); claim != open_.rend() && excess > 0; ++claim) {
                const int share = share_of(*claim);
                const int less = std::max(share / 2, claims_[*claim].least);
                share_of(*claim) = less;
                excess -= share - less;
                halved = halved || less < share;
            }
        }
    }

    bool satisfy_small_demands() {
        const auto satisfied = [this](std::size_t claim) { return share_of(claim) >= claims_[claim].demand; };
        const auto rest = std::stable_partition(open_.begin(), open_.end(), [&](std::size_t claim) { return !satisfied(claim); });
        const bool any = rest != open_.end();
        std::for_each(rest, open_.end(), [this](std::size_t claim) { grant(claim, claims_[claim].demand); });
        open_.erase(rest, open_.end());
        return any;
    }

    void double_with_the_rest() {
        for (std::size_t claim = 0; claim < claims_.size(); ++claim) {
            while (granted_[claim] <= left_ && 2 * granted_[claim] <= claims_[claim].demand) {
                left_ -= granted_[claim];
                granted_[claim] *= 2;
            }
        }
    }

    std::span<const ShareClaim> claims_;
    int left_;
    std::vector<int> granted_;
    std::vector<std::size_t> open_;  ///< claims without a final share, in decreasing order of priority
};

}  // namespace

std::vector<int> fair_shares(std::span<const ShareClaim> claims, int gpus) { return FairShares(claims, gpus).compute(); }

}  // namespace medley::planner
