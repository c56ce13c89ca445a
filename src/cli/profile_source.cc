#include "cli/profile_source.h"

#include <map>

#include "cli/options.h"
#include "core/error.h"

namespace medley::cli {
namespace {

std::map<Name, Name> parse_renames(const std::string& text) {
    std::map<Name, Name> renamed;
    if (text.empty()) { return renamed; }
    for (const std::string& part : parse_list("--rename", text, ',')) {
        const std::size_t equals = part.find('=');
        const bool whole = equals != std::string::npos && equals > 0 && equals + 1 < part.size();
        if (!whole || !renamed.emplace(Name(part.substr(0, equals)), Name(part.substr(equals + 1))).second) {
            refuse_value("--rename", part, "OLD=NEW, each OLD once");
        }
    }
    return renamed;
}

}  // namespace

io::ProfileImport import_from(const ProfileSource& source) {
    const io::ProfileFormat* format = naming_option(source.format_option, [&] { return &io::find_profile_format(source.format); });
    const io::ProfileImportOptions options{
        .precision = source.precision, .publisher = source.publisher, .renamed = parse_renames(source.renamed)};
    return io::import_profiles(*format, source.path, options);
}

}  // namespace medley::cli
