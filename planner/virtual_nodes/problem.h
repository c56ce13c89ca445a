#pragma once
/// The planner's question in numbers: types with tables of batch times, counts, weights, and where communication costs what.

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/name.h"
#include "cost/communication.h"
#include "planner/virtual_nodes/batch_table.h"
#include "planner/virtual_nodes/fixed_list.h"

namespace medley::planner {

/// A per-GPU batch of the rule power-of-two: equal virtual nodes of one size, a power-of-two number of them.
struct UniformBatch {
    std::int64_t batch = 1;
    std::int64_t size = 1;
    double seconds = 0;
};

struct TypeOffer {
    Name name;
    int gpus = 0;
    double weight = 1;  ///< price or power of one GPU held for a second
    std::shared_ptr<BatchTable> table;
    std::vector<UniformBatch> uniform;            ///< rule power-of-two: ascending, each batch once with its fastest size
    std::vector<double> class_seconds;            ///< of one virtual node of each class of a given list; infinite where it cannot run
    std::shared_ptr<const ListTimes> list_times;  ///< while loads of a given list are searched, else null

    bool usable() const { return gpus > 0 && table->usable(); }
    /// Is every load of a given list known one by one? Without a list, all times come from the table.
    bool limited_to_list() const { return list_times != nullptr && list_times->complete(); }
    std::span<const double> times() const { return limited_to_list() ? list_times->times() : table->times(); }
    /// The most units of one GPU within this time.
    std::int64_t largest_within(double limit) const {
        return limited_to_list() ? list_times->largest_within(limit) : table->largest_within(limit);
    }
};

/// Counts up to `most` (by type of the problem, never more than offered) communicate at `cost`.
struct Region {
    std::vector<int> most;
    CommunicationRegion cost;

    /// The same for any number of GPUs?
    bool constant() const { return cost.seconds(2) == cost.fixed; }
};

/// Minimise (T + communication(n)) x weight so that GPUs with batches of at most T seconds add up to `batch` units.
struct Problem {
    bool weighted = false;        ///< false: the weight is 1 whatever is used (throughput)
    bool uniform = false;         ///< rule power-of-two: one batch out of `uniform` for all GPUs used of a type
    bool every_type = false;      ///< at least one GPU of each type
    bool exact_sum = true;        ///< false: more than `batch` will do (a relaxation)
    std::int64_t batch = 0;       ///< in units
    std::int64_t unit = 1;        ///< samples
    std::vector<SizeClass> list;  ///< the virtual nodes, if given and not all equal
    std::vector<TypeOffer> types;
    std::vector<Region> regions;

    double value(const Region& region, double threshold, int gpus, double weight) const {
        const double step = threshold + region.cost.seconds(gpus).value;
        return weighted ? step * weight : step;
    }
};

/// Values this close (relative) count as equal, so that the order of additions never decides between plans.
inline constexpr double kTie = 1e-12;
inline constexpr double kNoValue = std::numeric_limits<double>::infinity();

/// A best choice of counts, or none (value = kNoValue). `bound` <= the value of every choice.
struct Solution {
    double value = kNoValue;
    double bound = kNoValue;
    double threshold = 0;                            ///< T, without communication
    std::vector<int> counts;                         ///< GPUs used, by type of the problem
    std::vector<std::vector<std::int64_t>> batches;  ///< of each GPU used, by type, descending, in units; empty with a list
    Packed packed;                                   ///< a given list's loads

    bool found() const { return value < kNoValue; }
};

}  // namespace medley::planner
