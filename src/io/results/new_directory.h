#pragma once
/// A directory made for results, taken away again unless they were written.

#include <filesystem>
#include <vector>

namespace medley::io {

class NewDirectory {
 public:
    /// Makes the directory and whatever is missing above it. Throws medley::Error naming it if that is not possible.
    explicit NewDirectory(const std::filesystem::path& path);
    /// Removes what was made, where it is empty, unless `keep` was called.
    ~NewDirectory();
    NewDirectory(const NewDirectory&) = delete;
    NewDirectory& operator=(const NewDirectory&) = delete;

    void keep() { made_.clear(); }
    const std::filesystem::path& path() const { return path_; }

 private:
    void make(const std::filesystem::path& path);
    void remove_made();

    std::filesystem::path path_;
    std::vector<std::filesystem::path> made_;  ///< outermost first
};

}  // namespace medley::io
