#include "core/error.h"

#include <cstdio>
#include <cstdlib>

namespace medley {
namespace {

// One line whatever the input held: line breaks and control characters are shown, long values are cut.
std::string one_line(const std::string& text) {
    constexpr std::size_t kLongest = 200;
    std::string line;
    for (const char c : text.substr(0, kLongest)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte != 0x7f) {
            line += c;
            continue;
        }
        char escape[5];
        std::snprintf(escape, sizeof escape, "\\x%02x", byte);
        line += escape;
    }
    return text.size() > kLongest ? line + "..." : line;
}

std::string describe(const Problem& problem) {
    std::string text;
    const auto append = [&](const std::string& part, const char* before) {
        if (!part.empty()) { text += (text.empty() ? "" : before) + one_line(part); }
    };
    append(problem.file, "");
    append(problem.place, ": ");
    append(problem.message, ": ");
    if (!problem.found.empty()) { append("found '" + problem.found + "'", ": "); }
    if (!problem.expected.empty()) { append("expected " + problem.expected, problem.found.empty() ? ": " : ", "); }
    return text;
}

}  // namespace

Error::Error(Problem problem) : std::runtime_error(describe(problem)), problem_(std::move(problem)) {}

Error::Error(const std::string& message) : Error(Problem{.message = message}) {}

Error Error::in_file(const std::string& file) const {
    Problem problem = problem_;
    problem.file = file;
    return Error(std::move(problem));
}

void refuse_value(std::string place, std::string found, std::string expected) {
    throw Error(Problem{.place = std::move(place), .found = std::move(found), .expected = std::move(expected)});
}

void assertion_failed(const char* condition, const char* file, int line) {
    std::fprintf(stderr, "%s:%d: broken invariant: %s\n", file, line, condition);
    std::abort();
}

}  // namespace medley
