#include "io/profile_formats/profile_files.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"

namespace medley::io {
namespace {

namespace fs = std::filesystem;

template <class Iterator, class Wanted>
std::vector<fs::path> sorted(const fs::path& folder, const Wanted& wanted) {
    std::vector<fs::path> paths;
    std::error_code failed;
    for (Iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
        if (wanted(*entry)) { paths.push_back(entry->path()); }
    }
    if (failed) {
        throw Error(Problem{
            .file = folder.string(), .expected = "a folder of profiles", .message = fmt::format("cannot be read ({})", failed.message())});
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

bool is_file(const fs::directory_entry& entry) {
    std::error_code ignored;
    return entry.is_regular_file(ignored);
}

}  // namespace

std::vector<fs::path> sorted_files(const fs::path& folder) { return sorted<fs::directory_iterator>(folder, is_file); }

std::vector<fs::path> sorted_folders(const fs::path& folder) {
    return sorted<fs::directory_iterator>(folder, [](const fs::directory_entry& entry) {
        std::error_code ignored;
        return entry.is_directory(ignored);
    });
}

std::vector<fs::path> sorted_files_below(const fs::path& folder) { return sorted<fs::recursive_directory_iterator>(folder, is_file); }

void refuse_folder(const fs::path& folder, const std::string& expected) {
    throw Error(Problem{.file = folder.string(), .expected = expected, .message = "holds no such profiles"});
}

}  // namespace medley::io
