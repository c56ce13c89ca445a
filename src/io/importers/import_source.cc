#include "io/importers/import_source.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"

namespace medley::io {
namespace {

bool of_stem(std::string_view file, std::string_view stem) {
    return file.starts_with(stem) && (file.size() == stem.size() || file[stem.size()] == '.');
}

std::vector<std::string> names_in(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    std::error_code failed;
    for (auto entry = std::filesystem::directory_iterator(folder, failed); !failed && entry != std::filesystem::directory_iterator();
         entry.increment(failed)) {
        names.push_back(entry->path().filename().string());
    }
    if (failed) { throw Error(Problem{.file = folder.string(), .expected = "a readable folder", .message = failed.message()}); }
    return names;
}

}  // namespace

ImportSource::ImportSource(const std::filesystem::path& path) : name_(path.string()), path_(path) {
    std::error_code ignored;
    folder_ = std::filesystem::is_directory(path, ignored);
}

ImportSource ImportSource::of_text(std::string name, std::string text) {
    ImportSource source;
    source.texts_.emplace(name, std::move(text));
    source.name_ = std::move(name);
    return source;
}

ImportSource ImportSource::of_texts(std::string name, std::map<std::string, std::string, std::less<>> files) {
    ImportSource source;
    source.name_ = std::move(name);
    source.folder_ = true;
    source.texts_ = std::move(files);
    return source;
}

ByteSource ImportSource::open() const {
    if (path_) { return ByteSource(*path_); }
    if (folder_) { throw Error(Problem{.file = name_, .expected = "a readable file", .message = "is a directory"}); }
    return {name_, texts_.at(name_)};
}

std::optional<ByteSource> ImportSource::find(std::string_view stem) const {
    std::vector<std::string> names;
    const std::filesystem::path folder = path_ ? (folder_ ? *path_ : path_->parent_path()) : std::filesystem::path();
    if (path_) {
        names = names_in(folder.empty() ? "." : folder);
    } else {
        for (const auto& [name, text] : texts_) { names.push_back(name); }
    }
    std::erase_if(names, [&](const std::string& name) { return !of_stem(name, stem); });
    if (names.empty()) { return std::nullopt; }
    if (names.size() > 1) {
        throw Error(
            Problem{.file = name_, .found = fmt::format("{} and {}", names[0], names[1]), .expected = fmt::format("one file {}.*", stem)});
    }
    if (path_) { return ByteSource(folder / names[0]); }
    const auto& [name, text] = *texts_.find(names[0]);
    return ByteSource(folder_ ? fmt::format("{}/{}", name_, name) : name, text);
}

ByteSource ImportSource::require(std::string_view stem) const {
    if (auto found = find(stem)) { return std::move(*found); }
    throw Error(Problem{.file = name_, .expected = fmt::format("a folder with a file {}.*", stem)});
}

}  // namespace medley::io
