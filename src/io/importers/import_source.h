#pragma once
/// Where a public trace lies: one file, or a folder whose files the format knows by name.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "io/byte_source.h"

namespace medley::io {

/// Thread rule: const calls may run in parallel.
class ImportSource {
 public:
    /// Nothing is opened yet. A path is a source wherever one is wanted.
    ImportSource(const std::filesystem::path& path);  // NOLINT(google-explicit-constructor)
    /// One file in memory.
    static ImportSource of_text(std::string name, std::string text);
    /// A folder in memory: contents by file name.
    static ImportSource of_texts(std::string name, std::map<std::string, std::string, std::less<>> files);

    /// As the user gave it.
    const std::string& name() const { return name_; }
    bool is_folder() const { return folder_; }

    /// The one file. Throws medley::Error naming what is no readable file.
    ByteSource open() const;
    /// The one file of the folder (of a file: of the folder it lies in) whose name is `stem`, or `stem` and an ending that begins with a
    /// point. Throws medley::Error if there are several.
    std::optional<ByteSource> find(std::string_view stem) const;
    /// The same; throws medley::Error if there is none.
    ByteSource require(std::string_view stem) const;

 private:
    ImportSource() = default;

    std::string name_;
    bool folder_ = false;
    std::optional<std::filesystem::path> path_;  // empty = in memory
    std::map<std::string, std::string, std::less<>> texts_;
};

}  // namespace medley::io
