#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/error.h"
#include "io/profile_formats/gavel.h"
#include "io/profile_formats/jabas.h"
#include "io/profile_formats/profile_format.h"
#include "io/profile_formats/sailor.h"
#include "io/profile_formats/sia.h"
#include "io/profile_formats/throughputs.h"
#include "io/scalar.h"

namespace medley::io {
namespace {

void rename_types(Profile& profile, const std::map<Name, Name>& renamed, std::set<Name>& used) {
    std::map<Name, GpuProfile> gpus;
    for (auto& [type, gpu] : profile.gpus) {
        const auto other = renamed.find(type);
        const Name name = other == renamed.end() ? type : other->second;
        if (other != renamed.end()) { used.insert(type); }
        if (!gpus.emplace(name, std::move(gpu)).second) {
            refuse_value("renamed GPU types", name.text(), fmt::format("one GPU type of {} for each name", profile.model.text()));
        }
    }
    profile.gpus = std::move(gpus);
}

void refuse_unknown_type(const std::map<Name, Name>& renamed, const std::set<Name>& used, const std::set<Name>& known) {
    for (const auto& [type, name] : renamed) {
        if (used.contains(type)) { continue; }
        std::vector<std::string_view> names;
        for (const Name& each : known) { names.push_back(each.text()); }
        refuse_value("renamed GPU types", type.text(), expected_name(type.text(), names));
    }
}

}  // namespace

const std::vector<const ProfileFormat*>& profile_formats() {
    static const std::vector<const ProfileFormat*> table = {
        &gavel_profiles(), &sia_profiles(), &jabas_profiles(), &sailor_profiles(), &throughput_profiles(),
    };
    return table;
}

const ProfileFormat& find_profile_format(std::string_view name) {
    std::vector<std::string_view> names;
    for (const ProfileFormat* format : profile_formats()) {
        if (format->name() == name) { return *format; }
        names.push_back(format->name());
    }
    refuse_value("format", std::string(name), expected_name(name, names));
}

ProfileImport import_profiles(const ProfileFormat& format, const std::filesystem::path& source, const ProfileImportOptions& options) {
    ProfileImport imported = format.import(source, options);
    std::set<Name> used;
    std::set<Name> known;
    for (Profile& profile : imported.profiles) {
        for (const auto& [type, gpu] : profile.gpus) { known.insert(type); }
        rename_types(profile, options.renamed, used);
        const std::string origin = profile.source.empty() ? std::string(format.description()) : profile.source;
        profile.source = fmt::format("{}; imported from {}; seconds are {}", origin, source.string(), imported.report.meaning);
        try {
            profile.validate();
        } catch (const Error& error) { throw error.in_file(source.string()); }
    }
    refuse_unknown_type(options.renamed, used, known);
    return imported;
}

}  // namespace medley::io
