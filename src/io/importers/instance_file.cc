#include "io/importers/instance_file.h"

#include <array>
#include <utility>

namespace medley::io {

CapacityGroup group_by_family(std::string_view file, std::string_view otherwise) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kFamilies = {{{"g4dn", "T4"}, {"p2-", "K80"}, {"p3", "V100"}}};
    const std::string_view name = file.substr(file.find_last_of('/') + 1);
    for (const auto& [family, type] : kFamilies) {
        if (name.find(family) != std::string_view::npos) { return {.type = Name(type)}; }
    }
    return {.type = Name(otherwise)};
}

Name group_name(std::string_view file) {
    std::string_view name = file.substr(file.find_last_of('/') + 1);
    name = name.substr(0, name.find('.'));
    return Name(name.empty() ? "spot-instances" : name);
}

Import capacity_import(const CapacityTimeline& timeline, const std::map<Name, CapacityGroup>& groups, const std::string& cluster_name,
                       ImportReport report) {
    Import import;
    import.cluster = timeline.cluster(cluster_name, groups);
    import.cluster->validate();
    import.capacity = timeline.rows();
    import.report = std::move(report);
    return import;
}

}  // namespace medley::io
