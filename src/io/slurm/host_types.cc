#include "io/slurm/host_types.h"

#include "core/error.h"
#include "io/slurm/hostlist.h"

namespace medley::io::slurm {
namespace {

/// A name that is no host list names nobody.
std::vector<std::string> hosts_of(const std::string& name) {
    try {
        return name.find(' ') == std::string::npos ? expand_hostlist(name) : std::vector<std::string>();
    } catch (const Error&) { return {}; }
}

}  // namespace

HostTypes::HostTypes(const std::optional<Cluster>& cluster) {
    if (!cluster) { return; }
    for (const NodeGroup& group : cluster->nodes) {
        for (std::string& host : hosts_of(group.name)) {
            hosts_.insert_or_assign(std::move(host), HostGpus{.type = cluster->type(group.gpu).name, .gpus = group.gpus});
        }
    }
}

std::optional<HostGpus> HostTypes::find(std::string_view host) const {
    const auto found = hosts_.find(std::string(host));
    return found != hosts_.end() ? std::optional(found->second) : std::nullopt;
}

std::optional<HostGpus> HostTypes::all_of(std::string_view host_list) const {
    std::optional<HostGpus> all;
    for (const std::string& host : expand_hostlist(host_list)) {
        const auto gpus = find(host);
        if (!gpus || (all && all->type != gpus->type)) { return std::nullopt; }
        all = HostGpus{.type = gpus->type, .gpus = gpus->gpus + (all ? all->gpus : 0)};
    }
    return all;
}

}  // namespace medley::io::slurm
