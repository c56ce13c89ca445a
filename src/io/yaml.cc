#include <sstream>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "core/error.h"
#include "io/document.h"
#include "io/document_limits.h"

namespace medley::io {
namespace {

std::size_t line_of(const YAML::Mark& mark) { return static_cast<std::size_t>(mark.line) + 1; }

class TreeHandler final : public YAML::EventHandler {
 public:
    void OnDocumentStart(const YAML::Mark& mark) override {
        if (builder.complete()) { refuse_value(fmt::format("line {}", line_of(mark)), "another document", "one document a file"); }
    }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
        if (key_expected()) { refuse_key(mark); }
        builder.null(line_of(mark));
        value_done();
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
        refuse_value(fmt::format("line {}", line_of(mark)), "an alias", "the value itself");
    }
    void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t, const std::string& value) override {
        if (key_expected()) {
            builder.key(value, line_of(mark));
            have_key_ = true;
            return;
        }
        builder.scalar(value, line_of(mark));
        value_done();
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
        begin(DocumentNode::Kind::kList, mark);
    }
    void OnSequenceEnd() override { end(); }
    void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
        begin(DocumentNode::Kind::kMap, mark);
    }
    void OnMapEnd() override { end(); }

    NodeBuilder builder;

 private:
    // A map's events alternate between key and value; a finished value, however deep, makes its parent expect a key.
    bool key_expected() const { return builder.in_map() && !have_key_; }
    void value_done() { have_key_ = false; }
    void begin(DocumentNode::Kind kind, const YAML::Mark& mark) {
        if (key_expected()) { refuse_key(mark); }
        builder.begin(kind, line_of(mark));
        have_key_ = false;
    }
    void end() {
        builder.end();
        value_done();
    }
    [[noreturn]] static void refuse_key(const YAML::Mark& mark) {
        refuse_value(fmt::format("line {}", line_of(mark)), "a key that is no text", "a plain key");
    }

    bool have_key_ = false;
};

}  // namespace

DocumentNode parse_yaml(std::string_view text) {
    require_document_limits(text);
    std::istringstream stream{std::string(text)};
    TreeHandler handler;
    try {
        YAML::Parser parser(stream);
        while (parser.HandleNextDocument(handler)) {}
    } catch (const YAML::Exception& error) {
        throw Error(
            Problem{.place = error.mark.is_null() ? "" : fmt::format("line {}", line_of(error.mark)), .message = "not YAML: " + error.msg});
    }
    if (!handler.builder.complete()) { throw Error(Problem{.expected = "a map of keys and values", .message = "the file is empty"}); }
    return handler.builder.take();
}

}  // namespace medley::io
