#pragma once
/// The parts of a site's rules, one file of Slurm's output each.

#include <string>
#include <string_view>
#include <vector>

#include "core/site_rules.h"
#include "io/slurm/rules_import.h"

namespace medley::io::slurm {

/// What all parts share: choices, the hosts of the cluster's groups, notes.
class RulesContext {
 public:
    RulesContext(const ImportedCluster& cluster, const RulesChoices& choices, std::vector<std::string>& notes)
        : cluster_(cluster), choices_(choices), notes_(notes) {}

    const ImportedCluster& cluster() const { return cluster_; }
    const RulesChoices& choices() const { return choices_; }
    void note(std::string text);

    /// `gres/gpu` -> `gpu`, `gres/gpu:a100` -> `gpu:A100`, `cpu`, `node`; empty for what the rules do not know.
    std::string resource(std::string_view tres) const;
    /// Weights such as `CPU=0.0,GRES/gpu=1.0`; unknown resources with a weight are noted under `what`. Requires numbers; others are noted.
    std::vector<ResourceWeight> resources(std::string_view text, std::string_view what);
    /// The GPUs of a limit such as `cpu=64,gres/gpu=8`; none if it sets none (-1 clears one). Other limits are noted under `what`.
    std::optional<std::int64_t> gpu_limit(std::string_view text, const std::string& what);

    /// Groups whose hosts are all in `list`; hosts of groups that are not wholly in it are counted in `partial`.
    std::vector<std::string> groups_in(std::string_view list, std::size_t& partial) const;

 private:
    const ImportedCluster& cluster_;
    const RulesChoices& choices_;
    std::vector<std::string>& notes_;
};

/// Calls `take` for each part between commas that is not empty.
template <class Take>
void for_each_part(std::string_view text, const Take& take) {
    while (!text.empty()) {
        const std::size_t comma = text.find(',');
        if (comma > 0) { take(text.substr(0, comma)); }
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    }
}

void read_config(const OutputFile& file, RulesContext& context, SiteRules& rules);
void read_partitions(const OutputFile& file, RulesContext& context, SiteRules& rules);
void read_reservations(const OutputFile& file, RulesContext& context, SiteRules& rules);
void read_qos(const OutputFile& file, RulesContext& context, SiteRules& rules);
void read_associations(const OutputFile& file, RulesContext& context, SiteRules& rules);

}  // namespace medley::io::slurm
