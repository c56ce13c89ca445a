#pragma once
/// A short text that occurs many times (a model, a user, a queue), stored once and copied as one pointer.
///
/// A million jobs name a dozen models: eight bytes a field instead of thirty-two, and equality is a pointer comparison.
/// Ordering is by content, so that results never depend on the order in which texts were first seen.
/// Thread rule: interning locks a mutex; everything else is free. Interned texts live until the program ends.

#include <compare>
#include <functional>
#include <string>
#include <string_view>

namespace medley {

class Name {
 public:
    Name();
    explicit Name(std::string_view text);

    const std::string& text() const { return *text_; }
    bool empty() const { return text_->empty(); }
    bool operator==(const Name& other) const { return text_ == other.text_; }
    std::strong_ordering operator<=>(const Name& other) const;

 private:
    friend struct std::hash<Name>;
    const std::string* text_;
};

}  // namespace medley

template <>
struct std::hash<medley::Name> {
    std::size_t operator()(const medley::Name& name) const noexcept { return std::hash<const void*>{}(name.text_); }
};
