#pragma once
/// The seam for public profile formats: one file each, one row in the table of table.cc.

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/name.h"
#include "core/profile.h"

namespace medley::io {

struct ProfileImportOptions {
    std::string precision;         ///< rows of this precision alone, where the source tells precisions apart; empty = all
    std::string publisher;         ///< rows of this publisher alone, where the source has several; empty = all
    std::map<Name, Name> renamed;  ///< GPU types under other names; each to a name of its own
};

/// Nothing is dropped or changed in silence: rows = kept + the sum of `dropped`.
struct ProfileImportReport {
    std::size_t rows = 0;                        ///< measured configurations read from the source
    std::size_t kept = 0;                        ///< those that stand in a profile
    std::map<std::string, std::size_t> dropped;  ///< rows left out, by reason
    std::map<std::string, std::size_t> changed;  ///< rows altered, by reason
    std::string meaning;                         ///< what `seconds` are in this source
};

struct ProfileImport {
    std::vector<Profile> profiles;  ///< valid, each model once, ordered by model
    ProfileImportReport report;
};

class ProfileFormat {
 public:
    virtual ~ProfileFormat() = default;
    virtual std::string_view name() const = 0;
    virtual std::string_view description() const = 0;  ///< one line
    /// `source`: a file or a folder, as the description says. Throws medley::Error naming file and place for what is not of this format.
    /// `options.renamed` is not its concern. Thread rule: const calls may run in parallel.
    virtual ProfileImport import(const std::filesystem::path& source, const ProfileImportOptions& options) const = 0;
};

/// Every format, in the order of the table.
const std::vector<const ProfileFormat*>& profile_formats();
/// Throws medley::Error naming the known formats.
const ProfileFormat& find_profile_format(std::string_view name);

/// Imports with all options, states the source in each profile, and validates. Throws as above, and for a renamed type that the source
/// does not have, or that would fall together with another.
ProfileImport import_profiles(const ProfileFormat& format, const std::filesystem::path& source, const ProfileImportOptions& options);

}  // namespace medley::io
