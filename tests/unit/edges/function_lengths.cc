#include "tests/unit/edges/function_lengths.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "tests/unit/edges/cpp_text.h"

namespace medley::edges {
namespace {

bool has_word(std::string_view text, std::string_view word) {
    const auto part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !part(text[at - 1])) && (end == text.size() || !part(text[end]))) { return true; }
    }
    return false;
}

// Does a brace after this text open a scope of declarations rather than a body?
bool opens_declarations(std::string_view head) {
    constexpr std::array<std::string_view, 6> kWords = {"namespace", "class", "struct", "union", "enum", "extern"};
    if (head.find('(') != std::string_view::npos && !has_word(head, "namespace")) { return false; }
    return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) { return has_word(head, word); });
}

std::string without_directives(std::string code) {
    bool directive = false;
    bool line_start = true;
    for (std::size_t at = 0; at < code.size(); ++at) {
        if (code[at] == '\n') {
            directive = directive && at > 0 && code[at - 1] == '\\';
            line_start = true;
            continue;
        }
        if (line_start && code[at] == '#') { directive = true; }
        if (code[at] != ' ') { line_start = false; }
        if (directive && code[at] != '\\') { code[at] = ' '; }
    }
    return code;
}

struct Scope {
    bool declarations = false;
    bool body = false;
    int line = 0;
    std::string head;
};

class Reader {
 public:
    explicit Reader(std::string_view text) : code_(without_directives(code_only(text))) {}

    std::vector<FunctionLength> run() {
        for (at_ = 0; at_ < code_.size(); ++at_) { read(code_[at_]); }
        return std::move(found_);
    }

 private:
    void read(char c) {
        if (c == '\n') { ++line_; }
        if (c == '{') { return open(); }
        if (c == '}') { return close(); }
        if (c == ';') {
            head_.clear();
        } else {
            head_ += c;
        }
    }

    bool in_body() const {
        return std::any_of(scopes_.begin(), scopes_.end(), [](const Scope& scope) { return scope.body; });
    }

    void open() {
        Scope scope{.declarations = opens_declarations(head_), .line = line_, .head = std::move(head_)};
        scope.body = !scope.declarations && !in_body() && scope.head.find('(') != std::string::npos;
        scopes_.push_back(std::move(scope));
        head_.clear();
    }

    void close() {
        head_.clear();
        if (scopes_.empty()) { return; }
        const Scope scope = std::move(scopes_.back());
        scopes_.pop_back();
        if (!scope.body) { return; }
        if (continues_head()) {
            head_ = scope.head + " ";
        } else {
            found_.push_back({.line = scope.line, .lines = line_ - scope.line + 1});
        }
    }

    // `X::X() : a_{1}, b_{2} {`: a brace followed by a comma or another brace was an initialiser.
    bool continues_head() const {
        const std::size_t next = code_.find_first_not_of(" \t\n", at_ + 1);
        return next != std::string::npos && (code_[next] == ',' || code_[next] == '{');
    }

    std::string code_;
    std::size_t at_ = 0;
    int line_ = 1;
    std::string head_;
    std::vector<Scope> scopes_;
    std::vector<FunctionLength> found_;
};

}  // namespace

std::vector<FunctionLength> function_lengths(std::string_view text) { return Reader(text).run(); }

}  // namespace medley::edges
