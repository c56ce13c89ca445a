#include "io/slurm/nodes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/error.h"
#include "io/scalar.h"
#include "io/slurm/hostlist.h"
#include "io/slurm/records.h"
#include "io/text_file.h"

namespace medley::io::slurm {
namespace {

constexpr std::int64_t kMostFigure = 1'000'000'000'000;

std::int64_t whole_or(std::string_view text, std::int64_t otherwise) {
    const auto number = to_whole(text);
    return number && *number >= 0 && *number <= kMostFigure ? *number : otherwise;
}

template <class Read>
auto at_key(const Record& record, std::string_view key, const Read& read) {
    try {
        return read(record.value(key));
    } catch (const Error& error) { record.refuse(key, error.problem().expected); }
}

std::vector<std::string> expand(const Record& record, std::string_view key) {
    return at_key(record, key, [](std::string_view list) { return expand_hostlist(list); });
}

std::vector<Node> read_scontrol(std::string_view text) {
    std::vector<Node> nodes;
    std::set<std::string> seen;
    for (const Record& record : read_records(text, "NodeName")) {
        const auto gpus = at_key(record, "Gres", [](std::string_view gres) { return node_gpus(gres); });
        for (std::string& name : expand(record, "NodeName")) {
            if (!seen.insert(name).second) { record.refuse("NodeName", "each node once"); }
            nodes.push_back({.name = std::move(name),
                             .gpus = gpus,
                             .state = std::string(record.value("State")),
                             .partitions = std::string(record.value("Partitions")),
                             .cpus = whole_or(record.value("CPUTot"), 0),
                             .weight = whole_or(record.value("Weight"), 1)});
        }
    }
    return nodes;
}

std::string_view hosts_column(const OutputTable& table) { return table.has("NODELIST") ? "NODELIST" : "HOSTNAMES"; }

template <class Read>
auto at_cell(const OutputTable& table, const OutputTable::Row& row, std::string_view column, const Read& read) {
    try {
        return read(table.cell(row, column));
    } catch (const Error& error) { table.refuse(row, column, error.problem().expected); }
}

/// `main*` is the default partition.
std::string_view plain_partition(std::string_view name) { return name.substr(0, name.find('*')); }

void add_partition(Node& node, std::string_view name) {
    if (name.empty()) { return; }
    node.partitions += node.partitions.empty() ? std::string(name) : fmt::format(",{}", name);
}

/// A node stands in a row for each of its partitions.
std::vector<Node> read_sinfo(std::string_view text) {
    const OutputTable table = read_table(text);
    std::vector<Node> nodes;
    std::map<std::string, std::size_t> places;
    for (const OutputTable::Row& row : table.rows) {
        const auto gpus = at_cell(table, row, "GRES", [](std::string_view gres) { return node_gpus(gres); });
        for (std::string& name : at_cell(table, row, hosts_column(table), [](std::string_view list) { return expand_hostlist(list); })) {
            const auto [place, is_new] = places.emplace(name, nodes.size());
            if (is_new) {
                nodes.push_back({.name = std::move(name),
                                 .gpus = gpus,
                                 .state = std::string(table.cell(row, "STATE")),
                                 .partitions = "",
                                 .cpus = whole_or(table.cell(row, "CPUS"), 0),
                                 .weight = whole_or(table.cell(row, "WEIGHT"), 1)});
            }
            add_partition(nodes[place->second], plain_partition(table.cell(row, "PARTITION")));
        }
    }
    return nodes;
}

std::string plain_state(std::string_view part) {
    std::string plain;
    for (const char c : part) {
        if (std::isalpha(static_cast<unsigned char>(c)) == 0 && c != '_') { break; }
        plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return plain;
}

}  // namespace

std::vector<Node> read_nodes(const SiteFiles& files) {
    if (files.nodes) {
        return naming_file(files.nodes->name, [&] { return read_scontrol(files.nodes->text); });
    }
    if (files.sinfo) {
        return naming_file(files.sinfo->name, [&] { return read_sinfo(files.sinfo->text); });
    }
    throw Error("no list of nodes: give the output of scontrol show nodes, or of sinfo -N -o '%N|%P|%G|%T|%c|%w'");
}

bool is_available(std::string_view state) {
    static constexpr std::array<std::string_view, 20> kGone = {
        "down", "drain",  "drained", "draining", "drng", "fail",        "failed", "failing", "failg",          "error",
        "err",  "future", "futr",    "unknown",  "unk",  "invalid_reg", "inval",  "invalid", "not_responding", "no_respond"};
    while (!state.empty()) {
        const std::size_t plus = state.find('+');
        const std::string part = plain_state(state.substr(0, plus));
        if (std::find(kGone.begin(), kGone.end(), part) != kGone.end()) { return false; }
        state.remove_prefix(plus == std::string_view::npos ? state.size() : plus + 1);
    }
    return true;
}

}  // namespace medley::io::slurm
