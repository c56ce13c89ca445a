#pragma once
/// Bytes <-> values for messages and the write-ahead log: fixed-width little-endian numbers, length-prefixed texts and lists.
///
/// One `visit_fields(archive, value)` per struct, found by argument-dependent lookup, serves both directions. The reader is total: any
/// bytes either give a value or set `failed()`; it never throws, never reads outside its bytes, and allocates
/// in proportion to the bytes it has read, whatever lengths they claim.

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace medley::executor {

class Writer {
 public:
    static constexpr bool kReading = false;

    template <class... Fields>
    void operator()(const Fields&... fields) {
        (put(fields), ...);
    }
    std::string take() { return std::move(bytes_); }

 private:
    template <class T>
    void put(const T& value);
    void put_raw(std::uint64_t bits, int bytes) {
        for (int index = 0; index < bytes; ++index) { bytes_.push_back(static_cast<char>(bits >> (8 * index))); }
    }
    template <class... Alternatives>
    void put_variant(const std::variant<Alternatives...>& value) {
        put_raw(value.index(), 1);
        std::visit([&](const auto& alternative) { put(alternative); }, value);
    }

    std::string bytes_;
};

class Reader {
 public:
    static constexpr bool kReading = true;

    explicit Reader(std::string_view bytes) : rest_(bytes) {}

    template <class... Fields>
    void operator()(Fields&... fields) {
        (get(fields), ...);
    }
    bool failed() const { return failed_; }
    /// Everything was understood and nothing is left over.
    bool complete() const { return !failed_ && rest_.empty(); }

 private:
    template <class T>
    void get(T& value);
    std::uint64_t get_raw(int bytes) {
        if (failed_ || rest_.size() < static_cast<std::size_t>(bytes)) {
            failed_ = true;
            return 0;
        }
        std::uint64_t bits = 0;
        for (int index = 0; index < bytes; ++index) {
            bits |= static_cast<std::uint64_t>(static_cast<unsigned char>(rest_[static_cast<std::size_t>(index)])) << (8 * index);
        }
        rest_.remove_prefix(static_cast<std::size_t>(bytes));
        return bits;
    }
    template <class Variant, std::size_t Index = 0>
    void get_variant(Variant& value, std::size_t wanted) {
        if constexpr (Index < std::variant_size_v<Variant>) {
            if (wanted == Index) {
                std::variant_alternative_t<Index, Variant> alternative;
                get(alternative);
                value = std::move(alternative);
            } else {
                get_variant<Variant, Index + 1>(value, wanted);
            }
        } else {
            failed_ = true;
        }
    }

    std::string_view rest_;
    bool failed_ = false;
};

namespace archive_detail {
template <class T>
inline constexpr bool kIsVector = false;
template <class T, class A>
inline constexpr bool kIsVector<std::vector<T, A>> = true;
template <class T>
inline constexpr bool kIsVariant = false;
template <class... T>
inline constexpr bool kIsVariant<std::variant<T...>> = true;
template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <class T>
inline constexpr bool kIsPair = false;
template <class A, class B>
inline constexpr bool kIsPair<std::pair<A, B>> = true;
}  // namespace archive_detail

template <class T>
void Writer::put(const T& value) {
    using namespace archive_detail;
    if constexpr (std::is_same_v<T, bool>) {
        put_raw(value ? 1 : 0, 1);
    } else if constexpr (std::is_enum_v<T>) {
        put_raw(static_cast<std::uint64_t>(value), 1);
    } else if constexpr (std::is_integral_v<T>) {
        put_raw(static_cast<std::uint64_t>(value), sizeof(T));
    } else if constexpr (std::is_same_v<T, double>) {
        put_raw(std::bit_cast<std::uint64_t>(value), 8);
    } else if constexpr (std::is_same_v<T, std::string>) {
        put_raw(value.size(), 4);
        bytes_.append(value);
    } else if constexpr (kIsVector<T>) {
        put_raw(value.size(), 4);
        for (const auto& item : value) { put(item); }
    } else if constexpr (kIsVariant<T>) {
        put_variant(value);
    } else if constexpr (kIsOptional<T>) {
        put_raw(value ? 1 : 0, 1);
        if (value) { put(*value); }
    } else if constexpr (kIsPair<T>) {
        put(value.first);
        put(value.second);
    } else {
        visit_fields(*this, const_cast<T&>(value));  // one visitor for both directions; the writer changes nothing
    }
}

template <class T>
void Reader::get(T& value) {
    using namespace archive_detail;
    if constexpr (std::is_same_v<T, bool>) {
        const std::uint64_t bits = get_raw(1);
        failed_ |= bits > 1;
        value = bits == 1;
    } else if constexpr (std::is_enum_v<T>) {
        const std::uint64_t bits = get_raw(1);
        failed_ |= bits > static_cast<std::uint64_t>(last_of(T{}));  // each enumeration on the wire names its last value
        value = failed_ ? T{} : static_cast<T>(bits);
    } else if constexpr (std::is_integral_v<T>) {
        value = static_cast<T>(get_raw(sizeof(T)));
    } else if constexpr (std::is_same_v<T, double>) {
        value = std::bit_cast<double>(get_raw(8));
    } else if constexpr (std::is_same_v<T, std::string>) {
        const std::uint64_t size = get_raw(4);
        failed_ |= size > rest_.size();
        if (failed_) { return; }
        value.assign(rest_.substr(0, size));
        rest_.remove_prefix(size);
    } else if constexpr (kIsVector<T>) {
        // An item takes a byte at least, so a count beyond the bytes left is a lie; grown as read, never reserved on trust.
        const std::uint64_t size = get_raw(4);
        failed_ |= size > rest_.size();
        value.clear();
        for (std::uint64_t index = 0; index < size && !failed_; ++index) {
            typename T::value_type item{};
            get(item);
            value.push_back(std::move(item));
        }
    } else if constexpr (kIsVariant<T>) {
        get_variant(value, get_raw(1));
    } else if constexpr (kIsOptional<T>) {
        const std::uint64_t present = get_raw(1);
        failed_ |= present > 1;
        value.reset();
        if (present == 1 && !failed_) {
            typename T::value_type item{};
            get(item);
            value = std::move(item);
        }
    } else if constexpr (kIsPair<T>) {
        get(value.first);
        get(value.second);
    } else {
        visit_fields(*this, value);
    }
}

/// The bytes of one value.
template <class T>
std::string encode(const T& value) {
    Writer writer;
    writer(value);
    return writer.take();
}

/// The value of these bytes, if they are exactly one value of the type.
template <class T>
std::optional<T> decode(std::string_view bytes) {
    Reader reader(bytes);
    T value{};
    reader(value);
    if (!reader.complete()) { return std::nullopt; }
    return value;
}

}  // namespace medley::executor
