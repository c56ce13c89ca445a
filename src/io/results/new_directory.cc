#include "io/results/new_directory.h"

#include "core/error.h"

namespace medley::io {

NewDirectory::NewDirectory(const std::filesystem::path& path) : path_(path) {
    try {
        make(path_);
    } catch (...) {
        remove_made();
        throw;
    }
}

NewDirectory::~NewDirectory() { remove_made(); }

void NewDirectory::make(const std::filesystem::path& path) {
    std::error_code failed;
    if (path.empty() || std::filesystem::is_directory(path, failed)) { return; }
    if (std::filesystem::exists(path, failed)) {
        throw Error(Problem{.file = path.string(), .expected = "a directory to write results to", .message = "is a file"});
    }
    make(path.parent_path());
    if (std::filesystem::create_directory(path, failed)) { made_.push_back(path); }
    if (failed) { throw Error(Problem{.file = path.string(), .message = "cannot be made a directory (" + failed.message() + ")"}); }
}

void NewDirectory::remove_made() {
    std::error_code ignored;
    for (; !made_.empty(); made_.pop_back()) { std::filesystem::remove(made_.back(), ignored); }
}

}  // namespace medley::io
