#include "tests/unit/edges/include_rules.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "tests/unit/edges/cpp_text.h"

namespace medley::edges {
namespace {

struct Module {
    std::string_view name;
    std::string_view folder;
    std::vector<std::string_view> may_include;  ///< besides itself
};

const std::vector<Module>& modules() {
    static const std::vector<Module> table = {
        {"core", "src/core", {}},
        {"cost", "src/cost", {"core"}},
        {"sched", "src/sched", {"core"}},
        {"io", "src/io", {"sched", "cost", "core"}},
        {"cli", "src/cli", {"executor", "planner", "simulator/cluster", "simulator/execution", "io", "sched", "cost", "core"}},
        {"simulator/execution", "simulator/execution", {"cost", "core"}},
        {"simulator/cluster", "simulator/cluster", {"sched", "cost", "core"}},
        {"planner", "planner", {"simulator/execution", "sched", "cost", "core"}},
        {"executor", "executor", {"sched", "core"}},
    };
    return table;
}

/// A library's (or the system's) headers by their beginning, and where they may stand.
struct HeaderRule {
    std::string_view beginning;
    std::vector<std::string_view> folders;
};

const std::vector<HeaderRule>& header_rules() {
    static const std::vector<std::string_view> outside_world = {"src/io", "src/cli", "executor"};
    static const std::vector<HeaderRule> table = {
        {"fmt/", {"src", "planner", "simulator", "executor"}},
        {"tl/expected.hpp", {"src", "planner", "simulator", "executor"}},
        {"nlohmann/", {"src/io"}},
        {"yaml-cpp/", {"src/io"}},
        {"simdjson.h", {"src/io"}},
        {"zlib.h", {"src/io"}},
        {"zstd.h", {"src/io"}},
        {"CLI/", {"src/cli"}},
        {"spdlog/", {"src/cli", "executor"}},
        {"Clp", {"planner/solvers"}},
        {"Coin", {"planner/solvers"}},
        {"Osi", {"planner/solvers"}},
        {"Cbc", {"planner/solvers"}},
        {"coin/", {"planner/solvers"}},
        {"Eigen/", {"planner", "simulator"}},
        {"boost/graph/", {"planner/operators"}},
        {"boost/asio", {"executor/session", "executor/launchers"}},
        {"boost/system/", {"executor/session", "executor/launchers"}},
        {"torch/", {"executor/engines"}},
        {"ATen/", {"executor/engines"}},
        {"gloo/", {"executor/collectives"}},
        {"nccl.h", {"executor/collectives"}},
        {"cuda", {"executor/collectives", "executor/engines"}},
        {"c10/", {"executor/engines"}},
        {"caffe2/", {"executor/engines"}},
        {"openssl/", {"executor"}},
        {"prometheus/", {"executor"}},
        // Files, terminals, processes and clocks belong to the modules that face the outside world.
        {"filesystem", outside_world},
        {"fstream", outside_world},
        {"iostream", outside_world},
        {"chrono", outside_world},
        {"dlfcn.h", {"src/cli", "executor"}},
        {"dirent.h", outside_world},
        {"fcntl.h", outside_world},
        {"malloc.h", {"executor/engines"}},
        {"netinet/", {"executor"}},
        {"arpa/", {"executor"}},
        {"poll.h", outside_world},
        {"signal.h", outside_world},
        {"spawn.h", outside_world},
        {"sys/", outside_world},
        {"unistd.h", outside_world},
    };
    return table;
}

// The standard library's own headers: no path, no extension.
bool of_standard_library(std::string_view header) { return header.find_first_of("./") == std::string_view::npos; }

const HeaderRule* rule_for(std::string_view header) {
    for (const HeaderRule& rule : header_rules()) {
        const bool whole = of_standard_library(rule.beginning) && of_standard_library(header);
        if (whole ? header == rule.beginning : header.substr(0, rule.beginning.size()) == rule.beginning) { return &rule; }
    }
    return nullptr;
}

const Module* module_at(std::string_view path) {
    for (const Module& module : modules()) {
        if (stands_in(path, module.folder)) { return &module; }
    }
    return nullptr;
}

std::string list_of(const std::vector<std::string_view>& names) {
    return names.empty() ? "nothing else" : fmt::format("{}", fmt::join(names, ", "));
}

std::string wrong_project_include(const Module& module, const Include& include) {
    const std::string path = path_of(include.target);
    const Module* target = path.empty() ? nullptr : module_at(path);
    if (target == nullptr) { return "is not written from src/ or the repository's root"; }
    if (target->name == module.name) { return ""; }
    const auto& permitted = module.may_include;
    if (std::find(permitted.begin(), permitted.end(), target->name) != permitted.end()) { return ""; }
    return fmt::format("is of {}, and {} may include {}", target->name, module.name, list_of(permitted));
}

std::string wrong_library_include(std::string_view path, const Include& include) {
    const HeaderRule* rule = rule_for(include.target);
    if (rule == nullptr) { return of_standard_library(include.target) ? "" : "is in no row of the table of libraries"; }
    const bool permitted = std::any_of(rule->folders.begin(), rule->folders.end(), [&](auto folder) { return stands_in(path, folder); });
    return permitted ? "" : fmt::format("may stand only in {}", list_of(rule->folders));
}

void check_file(const SourceFile& file, std::vector<std::string>& violations) {
    const Module* module = module_at(file.path);
    if (module == nullptr) {
        violations.push_back(fmt::format("{}: belongs to no module", file.path));
        return;
    }
    for (const Include& include : includes_of(file)) {
        const std::string wrong = include.quoted ? wrong_project_include(*module, include) : wrong_library_include(file.path, include);
        if (!wrong.empty()) { violations.push_back(fmt::format("{}:{}: {} {}", file.path, include.line, include.target, wrong)); }
    }
}

using Graph = std::map<std::string, std::set<std::string>>;

// What remains after removing, again and again, whatever includes nothing that remains: the circles and those who reach them; then
// likewise from the other side.
Graph circles_only(Graph graph) {
    for (bool changed = true; changed;) {
        changed = false;
        std::set<std::string> included;
        for (const auto& [from, targets] : graph) { included.insert(targets.begin(), targets.end()); }
        for (auto node = graph.begin(); node != graph.end();) {
            auto& targets = node->second;
            for (auto target = targets.begin(); target != targets.end();) {
                target = graph.contains(*target) ? ++target : targets.erase(target);
            }
            const bool loose = targets.empty() || !included.contains(node->first);
            changed |= loose;
            node = loose ? graph.erase(node) : ++node;
        }
    }
    return graph;
}

void report_circles(const Graph& graph, std::string_view kind, std::vector<std::string>& circles) {
    std::vector<std::string> members;
    for (const auto& [node, targets] : circles_only(graph)) { members.push_back(node); }
    if (!members.empty()) { circles.push_back(fmt::format("{} in a circle: {}", kind, fmt::join(members, ", "))); }
}

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

}  // namespace

std::vector<Include> includes_of(const SourceFile& file) {
    std::vector<Include> includes;
    const std::string code = code_only(file.text);
    const std::string text = without_comments(file.text);
    const auto code_lines = lines_of(code);
    const auto lines = lines_of(text);
    for (std::size_t index = 0; index < lines.size(); ++index) {
        // Looked for in the code, read from the text: a literal's inside is blank in the first.
        const std::size_t start = code_lines[index].find_first_not_of(" \t");
        if (start == std::string_view::npos || code_lines[index][start] != '#') { continue; }
        const std::size_t word = code_lines[index].find_first_not_of(" \t", start + 1);
        if (word == std::string_view::npos || code_lines[index].substr(word, 7) != "include") { continue; }
        const std::size_t open = lines[index].find_first_of("\"<", word);
        if (open == std::string_view::npos) { continue; }
        const bool quoted = lines[index][open] == '"';
        const std::size_t close = lines[index].find(quoted ? '"' : '>', open + 1);
        if (close == std::string_view::npos) { continue; }
        includes.push_back({static_cast<int>(index) + 1, std::string(lines[index].substr(open + 1, close - open - 1)), quoted});
    }
    return includes;
}

std::string_view module_of(std::string_view path) {
    const Module* module = module_at(path);
    return module == nullptr ? std::string_view() : module->name;
}

std::string path_of(std::string_view include) {
    constexpr std::array<std::string_view, 5> below_src = {"core", "cost", "sched", "io", "cli"};
    constexpr std::array<std::string_view, 3> at_root = {"planner", "simulator", "executor"};
    const std::string_view first = include.substr(0, include.find('/'));
    if (first == include) { return ""; }
    if (std::find(below_src.begin(), below_src.end(), first) != below_src.end()) { return fmt::format("src/{}", include); }
    if (std::find(at_root.begin(), at_root.end(), first) != at_root.end()) { return std::string(include); }
    return "";
}

std::vector<std::string> include_violations(const std::vector<SourceFile>& files) {
    std::vector<std::string> violations;
    for (const SourceFile& file : files) { check_file(file, violations); }
    return violations;
}

std::vector<std::string> include_circles(const std::vector<SourceFile>& files) {
    Graph by_file;
    Graph by_folder;
    for (const SourceFile& file : files) {
        for (const Include& include : includes_of(file)) {
            const std::string target = include.quoted ? path_of(include.target) : "";
            if (target.empty()) { continue; }
            by_file[file.path].insert(target);
            // A seam's folder holds its table, which names the implementations in the folders below it: together they are one place.
            const std::string from = folder_of(file.path);
            const std::string to = folder_of(target);
            if (!stands_in(from, to) && !stands_in(to, from)) { by_folder[from].insert(to); }
        }
    }
    std::vector<std::string> circles;
    report_circles(by_file, "files", circles);
    report_circles(by_folder, "folders", circles);
    return circles;
}

}  // namespace medley::edges
