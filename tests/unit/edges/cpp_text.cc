#include "tests/unit/edges/cpp_text.h"

#include <cctype>

namespace medley::edges {
namespace {

class Blanker {
 public:
    Blanker(std::string_view text, bool blank_literals) : text_(text), blank_literals_(blank_literals) { out_.reserve(text.size()); }

    std::string run() {
        while (at_ < text_.size()) { step(); }
        return std::move(out_);
    }

 private:
    void step() {
        const char c = text_[at_];
        if (starts("//")) { return blank_until(text_.find('\n', at_)); }
        if (starts("/*")) { return blank_until(after(text_.find("*/", at_ + 2), 2)); }
        if (c == '"' && at_ > 0 && text_[at_ - 1] == 'R') { return raw_literal(); }
        if (c == '"') { return literal('"'); }
        // 1'000'000: a quote after a digit or letter separates digits.
        if (c == '\'' && (at_ == 0 || !part_of_word(text_[at_ - 1]))) { return literal('\''); }
        keep();
    }

    bool starts(std::string_view what) const { return text_.substr(at_, what.size()) == what; }
    std::size_t after(std::size_t found, std::size_t length) const {
        return found == std::string_view::npos ? text_.size() : found + length;
    }
    void keep() { out_ += text_[at_++]; }
    void blank() { out_ += text_[at_++] == '\n' ? '\n' : ' '; }
    void blank_until(std::size_t end) {
        while (at_ < text_.size() && at_ < end) { blank(); }
    }
    void inside() { blank_literals_ ? blank() : keep(); }

    void literal(char quote) {
        keep();
        while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
            if (text_[at_] == '\\' && at_ + 1 < text_.size()) { inside(); }
            inside();
        }
        if (at_ < text_.size()) { keep(); }
    }

    void raw_literal() {
        const std::size_t open = text_.find('(', at_);
        if (open == std::string_view::npos) { return keep(); }
        const std::string close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
        const std::size_t found = text_.find(close, open);
        const bool closed = found != std::string_view::npos;
        const std::size_t end = after(found, close.size());
        keep();
        while (at_ + (closed ? 1 : 0) < end) { inside(); }
        if (closed) { keep(); }
    }

    std::string_view text_;
    bool blank_literals_;
    std::size_t at_ = 0;
    std::string out_;
};

}  // namespace

bool part_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string without_comments(std::string_view text) { return Blanker(text, false).run(); }

std::string code_only(std::string_view text) { return Blanker(text, true).run(); }

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        if (end == std::string_view::npos) { break; }
        text.remove_prefix(end + 1);
    }
    return lines;
}

}  // namespace medley::edges
