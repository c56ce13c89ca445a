#pragma once
/// A given list of virtual nodes whose places alone are free: packing sizes into GPUs of several types within a threshold T.
///
/// For each type the reachable loads of one GPU (how many of each size) give the times that T can take and the most samples within a
/// T; whether given counts of GPUs hold the list is decided by depth-first search over fullest loads, remembering what failed.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/units.h"

namespace medley::planner {

struct Problem;

/// Equal virtual nodes of a list.
struct SizeClass {
    std::int64_t size = 1;  ///< in units
    int count = 0;
};

/// Descending in size.
std::vector<SizeClass> classes_of(std::span<const Samples> sizes, std::int64_t unit);

/// How many of each class one GPU runs, in the order of the classes.
using Load = std::vector<int>;

/// What one GPU of a type can take of the list, by time.
class ListTimes {
 public:
    /// `seconds` of one virtual node by class; infinite where the type cannot run it. Cost: O(product of (counts + 1)), cut off at
    /// `kMostLoads`: then only loads of one class at a time and of full multiples are known, and `complete` is false.
    ListTimes(std::span<const SizeClass> classes, std::vector<double> seconds);

    static constexpr std::int64_t kMostLoads = 50'000;
    bool complete() const { return complete_; }
    std::span<const double> times() const { return times_; }
    std::int64_t largest_within(double limit) const;
    /// Of this load, added up class by class.
    double seconds(const Load& load) const;
    double seconds_of_class(std::size_t index) const { return seconds_[index]; }

 private:
    struct Entry {
        double seconds;
        std::int64_t units;
    };
    void add_loads(std::span<const SizeClass> classes);
    void finish(std::vector<Entry> entries);

    std::vector<double> seconds_;
    bool complete_ = true;
    std::vector<double> times_;
    std::vector<std::int64_t> largest_;  ///< within times_[i]
};

enum class Verdict { kYes, kNo, kUnknown };

/// The loads of each GPU, by type of the problem; an empty load is an idle GPU.
using Packed = std::vector<std::vector<Load>>;

/// Can GPUs in these counts run the problem's list within the threshold? Takes its tries from `steps_left`; kUnknown once they are used
/// up. After kYes the loads stand in `packed`. Requires list times in the problem's types.
Verdict pack(const Problem& problem, double threshold, std::span<const int> counts, std::int64_t& steps_left, Packed& packed);

/// Longest processing time first (Graham 1969): each virtual node, the largest first, goes to the GPU of these counts that would be done
/// with it soonest. Empty if one of them runs nowhere. Cost: O(virtual nodes x types).
Packed pack_greedily(const Problem& problem, std::span<const int> counts);

}  // namespace medley::planner
