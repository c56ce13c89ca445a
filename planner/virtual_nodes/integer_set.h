#pragma once
/// A set of integers from 0 to a limit, as bits; its sums give the totals that several GPUs can reach together.

#include <cstdint>
#include <vector>

namespace medley::planner {

class IntegerSet {
 public:
    /// Words that this thread has touched in adding sets, ever: a measure of work that, unlike time, is the same on every machine.
    static std::uint64_t words_added();

    explicit IntegerSet(std::int64_t limit);
    static IntegerSet of_zero(std::int64_t limit);

    std::int64_t limit() const { return limit_; }
    /// Requires 0 <= value <= limit.
    void insert(std::int64_t value);
    bool contains(std::int64_t value) const;
    std::int64_t size() const;
    /// The members ascending.
    std::vector<std::int64_t> members() const;
    /// Adds every member of `other`, another set of the same limit, moved up by `shift`, as far as it stays within the limit.
    /// O(limit / 64).
    void insert_shifted(const IntegerSet& other, std::int64_t shift);
    bool operator==(const IntegerSet&) const = default;

 private:
    std::int64_t limit_;
    std::vector<std::uint64_t> words_;
};

/// {x + y within the limit}. Requires equal limits. O(smaller set x limit / 64).
IntegerSet sum_of(const IntegerSet& a, const IntegerSet& b);
/// Sums of exactly `count` members; of at most `count` if 0 is one. O(log count) sums, fewer once they stop growing.
IntegerSet multiple_of(const IntegerSet& set, std::int64_t count);
/// Is `total` a member of `a` plus a member of `b`? Requires total <= both limits. O(smaller set).
bool sum_contains(const IntegerSet& a, const IntegerSet& b, std::int64_t total);

}  // namespace medley::planner
