/// medley-check-log DIR: verifies DIR/events.jsonl and, where it covers the whole log, that DIR/summary.json agrees. Exit 1 with the
/// first violation, 2 if there is nothing to read.

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/log_checker.h"

namespace {

int fail(const std::string& what) {
    std::fprintf(stderr, "medley-check-log: %s\n", what.c_str());
    return 1;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string folder = argc == 2 ? argv[1] : "";
    std::ifstream events(folder + "/events.jsonl");
    if (folder.empty() || !events) {
        std::fprintf(stderr, "usage: medley-check-log DIR (with events.jsonl and, optionally, summary.json)\n");
        return 2;
    }
    const medley::test::LogReport report = medley::test::check_log(events);
    if (!report.clean()) { return fail(report.violations.front()); }
    std::ifstream summary(folder + "/summary.json");
    if (summary) {
        const std::string text{std::istreambuf_iterator<char>(summary), std::istreambuf_iterator<char>()};
        const bool whole = nlohmann::json::parse(text).value("window", nlohmann::json()).is_null();
        const std::vector<std::string> differences = whole ? compare_with_summary(report, text) : std::vector<std::string>();
        if (!differences.empty()) { return fail(differences.front()); }
    }
    std::printf("%zu records, %zu jobs completed, %zu unfinished: no violation\n", report.records, report.jobs_completed,
                report.jobs_unfinished);
    return 0;
}
