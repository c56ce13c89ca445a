#include "io/slurm/cluster_import.h"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "core/error.h"
#include "io/slurm/hostlist.h"
#include "io/slurm/nodes.h"
#include "io/slurm/records.h"
#include "io/text_file.h"

namespace medley::io::slurm {
namespace {

constexpr std::size_t kMostTypes = 64;  // as a cluster file may hold

/// The hosts of one partition or reservation.
using HostSet = std::set<std::string, std::less<>>;

void read_host_sets(const std::optional<OutputFile>& file, std::string_view first_key, std::vector<HostSet>& sets) {
    if (!file) { return; }
    naming_file(file->name, [&] {
        for (const Record& record : read_records(file->text, first_key)) {
            const std::vector<std::string> hosts = expand_hostlist(record.value("Nodes"));
            sets.emplace_back(hosts.begin(), hosts.end());
        }
        return true;
    });
}

/// Which of the sets hold the node: equal texts, equal membership.
std::string membership(const Node& node, const std::vector<HostSet>& sets) {
    std::string text = node.partitions;
    for (const HostSet& set : sets) { text += set.contains(node.name) ? '1' : '0'; }
    return text;
}

/// A node's GPUs of one type, before it joins a group.
struct Part {
    std::string host;
    NodeGpus gpus;
    std::int64_t weight = 1;
    std::string member_of;
    bool only_part = true;  ///< of its node

    bool like(const Part& other) const {
        return std::tie(gpus.type, gpus.count, weight, member_of, only_part) ==
               std::tie(other.gpus.type, other.gpus.count, other.weight, other.member_of, other.only_part);
    }
};

class ClusterMaker {
 public:
    ClusterMaker(const ClusterChoices& choices, ImportedCluster& imported) : choices_(choices), imported_(imported) {}

    void add(const Node& node, const std::string& member_of) {
        imported_.cpus += node.cpus;
        if (node.gpus.empty()) { return drop("no GPUs"); }
        if (!choices_.keep_unavailable && !is_available(node.state)) { return drop(fmt::format("state {}", node.state)); }
        const std::vector<NodeGpus> gpus = in_our_names(node.gpus);
        mixed_nodes_ += gpus.size() > 1 ? 1 : 0;
        for (const NodeGpus& each : gpus) {
            parts_.push_back(
                {.host = node.name, .gpus = each, .weight = node.weight, .member_of = member_of, .only_part = gpus.size() == 1});
        }
    }

    /// Throws medley::Error without a file name.
    void finish() {
        if (parts_.empty()) { throw Error("no node with GPUs is left (--keep-unavailable keeps those that are down or drained)"); }
        std::stable_sort(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) { return a.weight < b.weight; });
        std::vector<bool> taken(parts_.size());
        for (std::size_t first = 0; first < parts_.size(); ++first) {
            if (!taken[first]) { add_group(first, taken); }
        }
        name_apart();
        if (mixed_nodes_ > 0) {
            imported_.notes.push_back(fmt::format("{} nodes have GPUs of several types: each type is a group of its own", mixed_nodes_));
        }
    }

 private:
    void drop(const std::string& reason) { ++imported_.dropped[reason]; }

    Name our_name(Name type) const {
        if (type.empty()) { return Name(choices_.untyped_name); }
        const auto renamed = choices_.type_names.find(type.text());
        return renamed != choices_.type_names.end() ? Name(renamed->second) : type;
    }

    /// Two of Slurm's types may be one of ours.
    std::vector<NodeGpus> in_our_names(const std::vector<NodeGpus>& gpus) const {
        std::vector<NodeGpus> ours;
        for (const NodeGpus& each : gpus) {
            const Name name = our_name(each.type);
            const auto same = std::find_if(ours.begin(), ours.end(), [&](const NodeGpus& other) { return other.type == name; });
            if (same == ours.end()) {
                ours.push_back({.type = name, .count = each.count});
            } else {
                same->count += each.count;
            }
        }
        return ours;
    }

    void add_group(std::size_t first, std::vector<bool>& taken) {
        const Part& part = parts_[first];
        HostGroup group;
        const std::size_t end = choices_.node_by_node ? first + 1 : parts_.size();
        for (std::size_t index = first; index < end && parts_[index].weight == part.weight; ++index) {
            if (taken[index] || !parts_[index].like(part)) { continue; }
            taken[index] = true;
            group.hosts.push_back(parts_[index].host);
        }
        group.name = fold_hosts(group.hosts);
        if (!part.only_part) { group.name += fmt::format(" {}", part.gpus.type.text()); }
        const GpuTypeId type = type_of(part.gpus.type);
        imported_.cluster.nodes.push_back(
            {.name = group.name, .count = static_cast<int>(group.hosts.size()), .gpu = type, .gpus = part.gpus.count});
        imported_.groups.push_back(std::move(group));
    }

    /// No group may have the name of a type.
    void name_apart() {
        for (std::size_t index = 0; index < imported_.groups.size(); ++index) {
            std::string& name = imported_.groups[index].name;
            if (imported_.cluster.find(name)) { name += " nodes"; }
            imported_.cluster.nodes[index].name = name;
        }
    }

    /// The type's id, new if it is.
    GpuTypeId type_of(Name name) {
        std::vector<GpuType>& types = imported_.cluster.gpu_types;
        if (const auto known = imported_.cluster.find(name.text())) { return *known; }
        if (types.size() == kMostTypes) { throw Error(fmt::format("more than {} GPU types", kMostTypes)); }
        types.push_back({.name = name});
        return GpuTypeId(types.size() - 1);
    }

    const ClusterChoices& choices_;
    ImportedCluster& imported_;
    std::vector<Part> parts_;
    std::size_t mixed_nodes_ = 0;
};

}  // namespace

ImportedCluster import_cluster(const SiteFiles& files, const ClusterChoices& choices) {
    std::vector<HostSet> sets;
    read_host_sets(files.partitions, "PartitionName", sets);
    read_host_sets(files.reservations, "ReservationName", sets);
    ImportedCluster imported;
    ClusterMaker maker(choices, imported);
    for (const Node& node : read_nodes(files)) { maker.add(node, membership(node, sets)); }
    naming_file((files.nodes ? files.nodes : files.sinfo)->name, [&] {
        maker.finish();
        if (files.config) { imported.cluster.name = Settings(files.config->text).value("ClusterName"); }
        imported.cluster.validate();
        return true;
    });
    return imported;
}

TypeNames parse_type_names(std::string_view text) {
    TypeNames names;
    while (!text.empty()) {
        const std::size_t comma = text.find(',');
        const std::string_view entry = text.substr(0, comma);
        const std::size_t equals = entry.find('=');
        if (equals == std::string_view::npos || equals == 0 || equals + 1 == entry.size()) {
            refuse_value("", std::string(entry), "SLURM-TYPE=TYPE, with commas between");
        }
        names.insert_or_assign(std::string(entry.substr(0, equals)), std::string(entry.substr(equals + 1)));
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    }
    return names;
}

}  // namespace medley::io::slurm
