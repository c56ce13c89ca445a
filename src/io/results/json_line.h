#pragma once
/// One JSON object on one line, appended to a buffer at the speed a log of millions of records needs.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/units.h"
#include "io/results/json_writer.h"
#include "io/results/number_text.h"

namespace medley::io {

/// Keys are literals that need no escaping. The constructor opens the object, `end` closes it and the line.
class JsonLine {
 public:
    JsonLine(std::string& out, SimTime time, std::string_view record) : out_(out) {
        out_ += R"({"t_ns":)";
        append_whole(out_, time.value);
        out_ += R"(,"record":")";
        out_ += record;
        out_ += '"';
    }

    template <std::size_t Size>
    JsonLine& number(const char (&key)[Size], double value) {
        append_key(key);
        append_json_number(out_, value);
        return *this;
    }
    template <std::size_t Size>
    JsonLine& whole(const char (&key)[Size], std::int64_t value) {
        append_key(key);
        append_whole(out_, value);
        return *this;
    }
    template <std::size_t Size>
    JsonLine& text(const char (&key)[Size], std::string_view value) {
        append_key(key);
        append_json_string(out_, value);
        return *this;
    }
    /// `json` is a complete JSON value.
    template <std::size_t Size>
    JsonLine& raw(const char (&key)[Size], std::string_view json) {
        append_key(key);
        out_ += json;
        return *this;
    }
    template <std::size_t Size>
    JsonLine& truth(const char (&key)[Size], bool value) {
        return raw(key, value ? "true" : "false");
    }
    void end() { out_ += "}\n"; }

 private:
    template <std::size_t Size>
    void append_key(const char (&key)[Size]) {
        out_ += ",\"";
        out_.append(key, Size - 1);
        out_ += "\":";
    }

    std::string& out_;
};

}  // namespace medley::io
