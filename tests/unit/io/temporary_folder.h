#pragma once
/// A folder of its own for one test, removed with it.

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace medley::io {

class TemporaryFolder {
 public:
    TemporaryFolder() : path_(std::filesystem::path(testing::TempDir()) / unused_name()) { std::filesystem::create_directories(path_); }
    ~TemporaryFolder() { std::filesystem::remove_all(path_); }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    /// Writes a file and gives its path.
    std::filesystem::path add(const std::string& file, const std::string& bytes) const {
        std::ofstream(path_ / file, std::ios::binary) << bytes;
        return path_ / file;
    }

 private:
    // Tests run as processes side by side.
    static std::string unused_name() {
        static std::atomic<int> folders = 0;
        return "medley-test-" + std::to_string(getpid()) + "-" + std::to_string(++folders);
    }

    std::filesystem::path path_;
};

}  // namespace medley::io
