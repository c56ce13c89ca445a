#include "planner/virtual_nodes/integer_set.h"

#include <algorithm>
#include <bit>

#include "core/error.h"

namespace medley::planner {
namespace {

constexpr std::int64_t kWordBits = 64;

std::size_t word_of(std::int64_t value) { return static_cast<std::size_t>(value / kWordBits); }
thread_local std::uint64_t words_added_ever = 0;

std::uint64_t bit_of(std::int64_t value) { return std::uint64_t{1} << (value % kWordBits); }

}  // namespace

std::uint64_t IntegerSet::words_added() { return words_added_ever; }

IntegerSet::IntegerSet(std::int64_t limit) : limit_(limit), words_(word_of(limit) + 1, 0) {}

IntegerSet IntegerSet::of_zero(std::int64_t limit) {
    IntegerSet set(limit);
    set.insert(0);
    return set;
}

void IntegerSet::insert(std::int64_t value) {
    MEDLEY_ASSERT(value >= 0 && value <= limit_);
    words_[word_of(value)] |= bit_of(value);
}

bool IntegerSet::contains(std::int64_t value) const {
    return value >= 0 && value <= limit_ && (words_[word_of(value)] & bit_of(value)) != 0;
}

std::int64_t IntegerSet::size() const {
    std::int64_t count = 0;
    for (const std::uint64_t word : words_) { count += std::popcount(word); }
    return count;
}

std::vector<std::int64_t> IntegerSet::members() const {
    std::vector<std::int64_t> values;
    for (std::size_t index = 0; index < words_.size(); ++index) {
        for (std::uint64_t word = words_[index]; word != 0; word &= word - 1) {
            values.push_back(static_cast<std::int64_t>(index) * kWordBits + std::countr_zero(word));
        }
    }
    return values;
}

void IntegerSet::insert_shifted(const IntegerSet& other, std::int64_t shift) {
    MEDLEY_ASSERT(other.limit_ == limit_);
    if (shift > limit_) { return; }
    const std::size_t whole = word_of(shift);
    const auto part = static_cast<unsigned>(shift % kWordBits);
    const std::size_t moved = words_.size() - whole;
    words_added_ever += moved;
    std::uint64_t* const target = words_.data() + whole;
    const std::uint64_t* const source = other.words_.data();
    if (part == 0) {
        for (std::size_t word = 0; word < moved; ++word) { target[word] |= source[word]; }
    } else {
        target[0] |= source[0] << part;
        for (std::size_t word = 1; word < moved; ++word) {
            target[word] |= (source[word] << part) | (source[word - 1] >> (kWordBits - part));
        }
    }
    const auto spare = static_cast<int>(kWordBits - 1 - limit_ % kWordBits);
    words_.back() &= ~std::uint64_t{0} >> spare;
}

IntegerSet sum_of(const IntegerSet& a, const IntegerSet& b) {
    MEDLEY_ASSERT(a.limit() == b.limit());
    const bool a_smaller = a.size() <= b.size();
    const IntegerSet& few = a_smaller ? a : b;
    const IntegerSet& many = a_smaller ? b : a;
    IntegerSet sums(a.limit());
    for (const std::int64_t value : few.members()) { sums.insert_shifted(many, value); }
    return sums;
}

IntegerSet multiple_of(const IntegerSet& set, std::int64_t count) {
    IntegerSet sums = IntegerSet::of_zero(set.limit());
    IntegerSet power = set;
    while (count > 0) {
        if (count % 2 == 1) { sums = sum_of(sums, power); }
        count /= 2;
        if (count == 0) { break; }
        IntegerSet doubled = sum_of(power, power);
        // With 0 a member, sums that stop growing have reached all that any number of members reaches.
        if (doubled == power && set.contains(0)) { return sum_of(sums, power); }
        power = std::move(doubled);
    }
    return sums;
}

bool sum_contains(const IntegerSet& a, const IntegerSet& b, std::int64_t total) {
    const std::vector<std::int64_t> members = a.members();
    return std::any_of(members.begin(), members.end(), [&](std::int64_t value) { return b.contains(total - value); });
}

}  // namespace medley::planner
