#include "executor/collectives/collective.h"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "executor/collectives/gloo/gloo_collective.h"
#include "executor/collectives/nccl/nccl_plugin.h"
#include "executor/plugins/plugin.h"

namespace medley::executor {
namespace {

CollectiveMade connect_nccl(const CollectiveSetup& setup) {
    CollectiveMade made;
    reinterpret_cast<ConnectNccl>(plugin_symbol("nccl", "medley_connect_nccl"))(setup, made);
    return made;
}

constexpr std::array kKinds = {
    CollectiveKind{"gloo", "TCP between hosts, host memory; the default on CPUs", connect_gloo},
    CollectiveKind{"host", "as gloo, for GPUs: gradients pass through pinned host memory; any number of workers per GPU", connect_gloo},
    CollectiveKind{"nccl", "NVIDIA's library, GPU memory, one GPU per worker", connect_nccl},
};

}  // namespace

std::span<const CollectiveKind> known_collectives() { return kKinds; }

CollectiveMade connect_collective(const std::string& name, const CollectiveSetup& setup) {
    std::vector<std::string> names;
    for (const CollectiveKind& kind : kKinds) {
        if (name == kind.name) { return kind.connect(setup); }
        names.emplace_back(kind.name);
    }
    refuse_value("collective", name, fmt::format("one of {}", fmt::join(names, ", ")));
}

}  // namespace medley::executor
