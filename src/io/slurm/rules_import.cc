#include "io/slurm/rules_import.h"

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "io/scalar.h"
#include "io/slurm/hostlist.h"
#include "io/slurm/rule_parts.h"
#include "io/slurm/tres.h"
#include "io/text_file.h"

namespace medley::io::slurm {
namespace {

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

// What the parts come to together may be wrong although each can be read.
std::string names_of_rules(const SiteFiles& files) {
    std::string names;
    for (const auto* file : {&files.config, &files.partitions, &files.reservations, &files.qos, &files.associations}) {
        if (*file) { names += (names.empty() ? "" : ", ") + (*file)->name; }
    }
    return names;
}

using ReadPart = void (*)(const OutputFile& file, RulesContext& context, SiteRules& rules);

void read_part(const std::optional<OutputFile>& file, ReadPart read, RulesContext& context, SiteRules& rules) {
    if (!file) { return; }
    naming_file(file->name, [&] {
        read(*file, context, rules);
        return true;
    });
}

}  // namespace

void RulesContext::note(std::string text) {
    if (std::find(notes_.begin(), notes_.end(), text) == notes_.end()) { notes_.push_back(std::move(text)); }
}

std::string RulesContext::resource(std::string_view tres) const {
    constexpr std::string_view kGpu = "gres/gpu";
    std::string name = lower(tres);
    if (name == kGpu) { return "gpu"; }
    if (name == "cpu" || name == "node") { return name; }
    if (!name.starts_with(kGpu) || name.size() < kGpu.size() + 2 || name[kGpu.size()] != ':') { return ""; }
    const std::string_view type = tres.substr(kGpu.size() + 1);
    const auto renamed = choices_.type_names.find(type);
    return fmt::format("gpu:{}", renamed != choices_.type_names.end() ? renamed->second : std::string(type));
}

std::vector<ResourceWeight> RulesContext::resources(std::string_view text, std::string_view what) {
    std::vector<ResourceWeight> weights;
    for (TresReader entry(text); entry.next();) {
        const auto weight = to_number(entry.value());
        const std::string name = resource(entry.key());
        if (weight && !name.empty()) {
            weights.push_back({.resource = name, .weight = *weight});
        } else if (!weight || *weight != 0) {
            note(fmt::format("{}: {}={} is left out", what, entry.key(), entry.value()));
        }
    }
    return weights;
}

std::optional<std::int64_t> RulesContext::gpu_limit(std::string_view text, const std::string& what) {
    std::optional<std::int64_t> gpus;
    for (TresReader entry(text); entry.next();) {
        const auto limit = to_whole(entry.value());
        if (lower(entry.key()) == "gres/gpu" && limit) {
            if (*limit >= 0) { gpus = limit; }
        } else {
            note(fmt::format("{}: the limit {}={} is left out", what, entry.key(), entry.value()));
        }
    }
    return gpus;
}

std::vector<std::string> RulesContext::groups_in(std::string_view list, std::size_t& partial) const {
    const std::vector<std::string> hosts = expand_hostlist(list);
    const std::set<std::string> wanted(hosts.begin(), hosts.end());
    std::vector<std::string> names;
    partial = 0;
    for (const HostGroup& group : cluster_.groups) {
        const auto inside = static_cast<std::size_t>(
            std::count_if(group.hosts.begin(), group.hosts.end(), [&](const std::string& host) { return wanted.contains(host); }));
        if (inside == group.hosts.size()) {
            names.push_back(group.name);
        } else {
            partial += inside;
        }
    }
    return names;
}

ImportedRules import_rules(const SiteFiles& files, const ImportedCluster& cluster, const RulesChoices& choices) {
    ImportedRules imported;
    RulesContext context(cluster, choices, imported.notes);
    imported.rules.priority.cluster_cpus = cluster.cpus;
    read_part(files.config, read_config, context, imported.rules);
    read_part(files.qos, read_qos, context, imported.rules);
    read_part(files.partitions, read_partitions, context, imported.rules);
    read_part(files.associations, read_associations, context, imported.rules);
    read_part(files.reservations, read_reservations, context, imported.rules);
    return naming_file(names_of_rules(files), [&] {
        imported.rules.validate();
        imported.rules.require_fit(cluster.cluster);
        return std::move(imported);
    });
}

}  // namespace medley::io::slurm
