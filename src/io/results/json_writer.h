#pragma once
/// Writes one JSON document as text, field by field, without building it first.
///
/// Numbers are the shortest text that reads back as the same double; what is not a number (NaN, infinite) or not known is null.
/// Texts are escaped; bytes that are not UTF-8 become U+FFFD, so the output is always valid JSON.
/// Requires: inside an object each value follows its key. Misuse is a bug and fails an assertion.

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/name.h"
#include "core/units.h"

namespace medley::io {

/// Appends `text` with its quotation marks.
void append_json_string(std::string& out, std::string_view text);
/// Appends the shortest text that reads back as `number`, or null.
void append_json_number(std::string& out, double number);

class JsonWriter {
 public:
    enum class Style { kIndented, kOneLine };
    explicit JsonWriter(Style style = Style::kIndented) : indented_(style == Style::kIndented) {}

    JsonWriter& begin_object();
    JsonWriter& end_object();
    JsonWriter& begin_array();
    JsonWriter& end_array();
    JsonWriter& key(std::string_view name);

    JsonWriter& null();
    JsonWriter& value(bool truth);
    JsonWriter& value(double number);
    JsonWriter& value(std::string_view text);
    JsonWriter& value(const char* text) { return value(std::string_view(text)); }
    JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
    JsonWriter& value(const Name& name) { return value(std::string_view(name.text())); }
    template <std::integral Whole>
    JsonWriter& value(Whole number) {
        return whole(static_cast<std::int64_t>(number), std::is_unsigned_v<Whole>);
    }
    template <class Tag, class Rep>
    JsonWriter& value(Quantity<Tag, Rep> quantity) {
        return value(quantity.value);
    }
    template <class T>
    JsonWriter& value(const std::optional<T>& perhaps) {
        return perhaps ? value(*perhaps) : null();
    }

    template <class T>
    JsonWriter& field(std::string_view name, const T& content) {
        key(name);
        return value(content);
    }

    /// The finished document, ending with a line break. Requires every object and array closed.
    std::string text() const;

 private:
    JsonWriter& whole(std::int64_t number, bool is_unsigned);
    JsonWriter& open(char bracket);
    JsonWriter& close(char bracket);
    void begin_value();
    void new_line();

    bool indented_;
    bool after_key_ = false;
    std::string out_;
    std::vector<bool> has_items_;  ///< of each open object or array
};

}  // namespace medley::io
