#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "io/document.h"
#include "io/document_limits.h"

namespace medley::io {
namespace {

constexpr std::size_t kNoLine = 0;

// Without the library's own prefix, which repeats the position.
std::string short_message(std::string_view message) {
    const std::size_t start = message.find("syntax error");
    return std::string(start == std::string_view::npos ? message : message.substr(start));
}

class TreeHandler final : public nlohmann::json_sax<nlohmann::json> {
 public:
    explicit TreeHandler(std::string_view text) : text_(text) {}

    bool null() override {
        builder.null(kNoLine);
        return true;
    }
    bool boolean(bool value) override { return scalar(value ? "true" : "false"); }
    bool number_integer(number_integer_t value) override { return scalar(fmt::format("{}", value)); }
    bool number_unsigned(number_unsigned_t value) override { return scalar(fmt::format("{}", value)); }
    bool number_float(number_float_t, const string_t& text) override { return scalar(text); }
    bool string(string_t& value) override { return scalar(value); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return begin(DocumentNode::Kind::kMap); }
    bool key(string_t& value) override {
        builder.key(value, kNoLine);
        return true;
    }
    bool end_object() override { return end(); }
    bool start_array(std::size_t) override { return begin(DocumentNode::Kind::kList); }
    bool end_array() override { return end(); }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
        const std::string_view read = text_.substr(0, position);
        const auto line = 1 + std::count(read.begin(), read.end(), '\n');
        throw Error(Problem{.place = fmt::format("line {}", line), .message = "not JSON: " + short_message(error.what())});
    }

    NodeBuilder builder;

 private:
    bool scalar(std::string text) {
        builder.scalar(std::move(text), kNoLine);
        return true;
    }
    bool begin(DocumentNode::Kind kind) {
        builder.begin(kind, kNoLine);
        return true;
    }
    bool end() {
        builder.end();
        return true;
    }

    std::string_view text_;
};

}  // namespace

DocumentNode parse_json(std::string_view text) {
    require_document_limits(text);
    TreeHandler handler(text);
    nlohmann::json::sax_parse(text, &handler);
    return handler.builder.take();
}

}  // namespace medley::io
