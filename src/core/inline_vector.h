#pragma once
/// A vector of small plain values that keeps the first few inside itself, for lists that nearly always have one or two elements and of
/// which there are millions (a job's GPUs by type): no allocation, no pointer to follow.
///
/// Behaves as std::vector does, as far as it goes; pointers and iterators are good until the next change or move. Elements beyond
/// `kInside` go to the heap. Thread rule: as std::vector.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>

namespace medley {

template <class T, std::size_t kInside>
class InlineVector {
    static_assert(std::is_trivially_copyable_v<T>, "elements are moved by copying");

 public:
    using value_type = T;

    InlineVector() = default;
    InlineVector(std::initializer_list<T> values) { assign(values.begin(), values.size()); }
    InlineVector(const InlineVector& other) { assign(other.data(), other.size()); }
    InlineVector(InlineVector&& other) noexcept { take(other); }
    InlineVector& operator=(const InlineVector& other) {
        if (this != &other) { assign(other.data(), other.size()); }
        return *this;
    }
    InlineVector& operator=(InlineVector&& other) noexcept {
        if (this != &other) { take(other); }
        return *this;
    }
    ~InlineVector() = default;

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    T* data() { return outside_ ? outside_.get() : inside_.data(); }
    const T* data() const { return outside_ ? outside_.get() : inside_.data(); }
    T* begin() { return data(); }
    T* end() { return data() + size_; }
    const T* begin() const { return data(); }
    const T* end() const { return data() + size_; }
    T& operator[](std::size_t index) { return data()[index]; }
    const T& operator[](std::size_t index) const { return data()[index]; }
    T& front() { return *data(); }
    const T& front() const { return *data(); }
    T& back() { return data()[size_ - 1]; }
    const T& back() const { return data()[size_ - 1]; }

    void clear() { size_ = 0; }
    void push_back(T value) {
        if (size_ == capacity()) { grow(); }
        data()[size_++] = value;
    }
    /// Drops the elements from `first` on.
    void truncate(T* first) { size_ = static_cast<std::uint32_t>(first - data()); }

    bool operator==(const InlineVector& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

 private:
    std::size_t capacity() const { return outside_ ? outside_capacity_ : kInside; }

    void assign(const T* values, std::size_t count) {
        if (count > capacity()) { allocate(count); }
        std::copy_n(values, count, data());
        size_ = static_cast<std::uint32_t>(count);
    }
    void grow() {
        const std::unique_ptr<T[]> before = std::move(outside_);
        const T* values = before ? before.get() : inside_.data();
        allocate(size_ * std::size_t{2});
        std::copy_n(values, size_, outside_.get());
    }
    void allocate(std::size_t count) {
        outside_ = std::make_unique<T[]>(count);
        outside_capacity_ = static_cast<std::uint32_t>(count);
    }
    void take(InlineVector& other) noexcept {
        outside_ = std::move(other.outside_);
        outside_capacity_ = other.outside_capacity_;
        inside_ = other.inside_;
        size_ = std::exchange(other.size_, 0);
    }

    std::unique_ptr<T[]> outside_;
    std::uint32_t size_ = 0;
    std::uint32_t outside_capacity_ = 0;
    std::array<T, kInside> inside_{};
};

template <class T, std::size_t kInside, class Condition>
void erase_if(InlineVector<T, kInside>& values, Condition condition) {
    values.truncate(std::remove_if(values.begin(), values.end(), condition));
}

}  // namespace medley
