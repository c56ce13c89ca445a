#include "tests/unit/edges/style_rules.h"

#include <algorithm>
#include <regex>

#include <fmt/format.h>

#include "tests/unit/edges/cpp_text.h"
#include "tests/unit/edges/function_lengths.h"

namespace medley::edges {
namespace {

struct BannedCall {
    std::string_view hint;  ///< stands in every match: regular expressions are slow, and few files hold it
    std::regex pattern;
    std::string_view instead;
    std::vector<std::string_view> permitted_in;
};

const std::vector<BannedCall>& banned_calls() {
    constexpr std::string_view kRng = "core/rng.h, whose numbers are the same everywhere";
    constexpr std::string_view kNow = "the time handed in: results know no wall clock";
    constexpr std::string_view kFmt = "fmt (clang-tidy 14 and libstdc++ 12)";
    constexpr std::string_view kReturn = "returned values: only the program prints";
    static const std::vector<std::string_view> clocks = {"src/cli",      "executor",  "tests/bench",
                                                         "tests/device", "tests/e2e", "tests/support"};
    static const std::vector<std::string_view> printers = {"src/cli", "executor", "tests"};
    static const std::vector<BannedCall> table = {
        {"rand", std::regex(R"(\bs?rand(48)?\s*\()"), kRng, {}},
        {"random_device", std::regex(R"(\brandom_device\b)"), kRng, {}},
        {"mt19937", std::regex(R"(\bmt19937)"), kRng, {}},
        {"random_engine", std::regex(R"(\bdefault_random_engine\b)"), kRng, {}},
        {"_distribution", std::regex(R"(\bstd::\w+_distribution\b)"), kRng, {}},
        {"shuffle", std::regex(R"(\bstd::(random_)?shuffle\b)"), kRng, {}},
        {"_clock", std::regex(R"(\b(system|steady|high_resolution)_clock\b)"), kNow, clocks},
        {"clock_gettime", std::regex(R"(\bclock_gettime\b)"), kNow, clocks},
        {"gettimeofday", std::regex(R"(\bgettimeofday\b)"), kNow, clocks},
        {"std::time", std::regex(R"(\bstd::time\s*\()"), kNow, clocks},
        {"format", std::regex(R"(\bstd::v?format\b|<format>)"), kFmt, {}},
        {"source_location", std::regex(R"(\bsource_location\b)"), kFmt, {}},
        {"using namespace", std::regex(R"(\busing\s+namespace\s+std\b)"), "qualified names", {}},
        {"assert", std::regex(R"((^|[^\w:.>])assert\s*\()"), "MEDLEY_ASSERT, which stays on in release", {}},
        {"std::c", std::regex(R"(\bstd::(cout|cerr|clog)\b)"), kReturn, printers},
        {"puts", std::regex(R"(\bputs\s*\()"), kReturn, printers},
        {"printf", std::regex(R"((^|[^\w])printf\s*\()"), kReturn, printers},
        {"if 0", std::regex(R"(^\s*#\s*if\s+0\b)"), "nothing: dead code is removed", {}},
    };
    return table;
}

class Report {
 public:
    explicit Report(const SourceFile& file) : path_(file.path) {}
    void add(std::size_t index, std::string_view what) { lines_.push_back(fmt::format("{}:{}: {}", path_, index + 1, what)); }
    std::vector<std::string> take() { return std::move(lines_); }

 private:
    std::string path_;
    std::vector<std::string> lines_;
};

// Columns, not bytes: what continues a UTF-8 character takes none.
std::size_t columns(std::string_view line) {
    return static_cast<std::size_t>(
        std::count_if(line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

void check_layout(const SourceFile& file, Report& report) {
    const auto lines = lines_of(file.text);
    for (std::size_t index = 0; index < lines.size(); ++index) {
        if (lines[index].find('\t') != std::string_view::npos) { report.add(index, "tab; indent with 4 spaces"); }
        if (!lines[index].empty() && (lines[index].back() == ' ' || lines[index].back() == '\r')) {
            report.add(index, "blank at the end of the line");
        }
        if (columns(lines[index]) > kMostColumns) {
            report.add(index, fmt::format("{} columns; at most {}", columns(lines[index]), kMostColumns));
        }
    }
    if (lines.size() > kMostFileLines) { report.add(0, fmt::format("{} lines; split it by concept at {}", lines.size(), kMostFileLines)); }
    if (file.text.empty() || file.text.back() != '\n') {
        report.add(lines.empty() ? 0 : lines.size() - 1, "no line break at the end of the file");
    }
    const bool header = file.path.size() > 2 && file.path.substr(file.path.size() - 2) == ".h";
    if (header && (lines.empty() || lines[0] != "#pragma once")) { report.add(0, "a header begins with #pragma once"); }
}

void check_calls(const SourceFile& file, Report& report) {
    const std::string code = code_only(file.text);
    const auto lines = lines_of(code);
    for (const BannedCall& call : banned_calls()) {
        const auto& permitted = call.permitted_in;
        if (std::any_of(permitted.begin(), permitted.end(), [&](auto folder) { return stands_in(file.path, folder); })) { continue; }
        if (code.find(call.hint) == std::string::npos) { continue; }
        for (std::size_t index = 0; index < lines.size(); ++index) {
            if (lines[index].find(call.hint) == std::string_view::npos) { continue; }
            std::cmatch match;
            if (!std::regex_search(lines[index].data(), lines[index].data() + lines[index].size(), match, call.pattern)) { continue; }
            report.add(index, fmt::format("'{}' is banned; use {}", match.str(), call.instead));
        }
    }
}

bool holds_word(std::string_view line, std::string_view word) {
    const std::size_t at = line.find(word);
    if (at == std::string_view::npos) { return false; }
    const std::size_t end = at + word.size();
    return (at == 0 || !part_of_word(line[at - 1])) && (end == line.size() || !part_of_word(line[end]));
}

void check_comments(const SourceFile& file, Report& report) {
    if (stands_in(file.path, "tests/unit/edges")) { return; }
    const auto lines = lines_of(file.text);
    for (std::size_t index = 0; index < lines.size(); ++index) {
        for (const std::string_view word : {"TODO", "FIXME", "XXX", "HACK"}) {
            if (holds_word(lines[index], word)) { report.add(index, "unfinished work is an issue, not a comment"); }
        }
    }
}

}  // namespace

std::vector<std::string> style_violations(const SourceFile& file) {
    Report report(file);
    check_layout(file, report);
    check_calls(file, report);
    check_comments(file, report);
    return report.take();
}

FunctionSizes function_sizes(const std::vector<SourceFile>& files) {
    std::vector<int> lengths;
    FunctionSizes sizes;
    for (const SourceFile& file : files) {
        for (const FunctionLength& function : function_lengths(file.text)) {
            lengths.push_back(function.lines);
            if (function.lines > 70) { sizes.longest.push_back(fmt::format("{}:{}: {}", file.path, function.line, function.lines)); }
        }
    }
    if (lengths.empty()) { return sizes; }
    std::sort(lengths.begin(), lengths.end());
    sizes.functions = lengths.size();
    sizes.median = lengths[lengths.size() / 2];
    sizes.percentile_90 = lengths[lengths.size() * 9 / 10];
    sizes.above_70 = static_cast<double>(sizes.longest.size()) / static_cast<double>(lengths.size());
    return sizes;
}

}  // namespace medley::edges
