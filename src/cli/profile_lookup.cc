#include "cli/profile_lookup.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "cli/data_folder.h"
#include "core/error.h"
#include "io/scalar.h"

namespace medley::cli {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> folders_below(const fs::path& root) {
    std::vector<fs::path> below;
    if (fs::is_directory(root)) {
        for (const fs::directory_entry& entry : fs::directory_iterator(root)) {
            if (entry.is_directory()) { below.push_back(entry.path()); }
        }
    }
    std::sort(below.begin(), below.end());
    return below;
}

std::vector<io::NamedProfile> profiles_of(const std::string& model, const fs::path& root, std::vector<std::string>& known) {
    std::vector<io::NamedProfile> found;
    const auto search = [&](const fs::path& folder) {
        for (io::NamedProfile& each : io::load_named_profiles(folder)) {
            known.push_back(each.profile.model.text());
            if (each.profile.model.text() == model) { found.push_back(std::move(each)); }
        }
    };
    search(root);
    if (!found.empty()) { return found; }
    for (const fs::path& folder : folders_below(root)) { search(folder); }
    return found;
}

}  // namespace

io::NamedProfile load_profile_of(const std::string& option, const std::string& model, const std::string& folder) {
    const fs::path root = profiles_folder(folder);
    std::vector<std::string> known;
    std::vector<io::NamedProfile> found = profiles_of(model, root, known);
    if (found.empty()) {
        std::sort(known.begin(), known.end());
        known.erase(std::unique(known.begin(), known.end()), known.end());
        const std::vector<std::string_view> names(known.begin(), known.end());
        throw Error(Problem{.file = root.string(), .place = option, .found = model, .expected = io::expected_name(model, names)});
    }
    if (found.size() > 1) {
        throw Error(Problem{.file = root.string(),
                            .place = option,
                            .found = model,
                            .expected = "a model with one profile below the folder (name one folder with --profiles)"});
    }
    return std::move(found.front());
}

}  // namespace medley::cli
