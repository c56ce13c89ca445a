#pragma once
/// Files that outlive a crash: written under another name, synced, renamed into place.
///
/// Whatever fails throws medley::Error naming the file, what was tried and the system's reason; nothing is left behind then.

#include <filesystem>
#include <string>
#include <string_view>

namespace medley::executor {

/// An open file, closed at the end.
class FileDescriptor {
 public:
    /// As open(2), with O_CLOEXEC.
    FileDescriptor(std::filesystem::path path, int flags, unsigned mode = 0);
    ~FileDescriptor();
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;

    int number() const { return number_; }
    const std::filesystem::path& path() const { return path_; }

    /// All of it, at the current position.
    void write(std::string_view bytes);
    /// All of it, at `offset`; the current position stays.
    void write_at(std::size_t offset, std::string_view bytes);
    /// To `bytes` bytes, zeros at the end.
    void resize(std::size_t bytes);
    /// Waits for the disk.
    void sync();
    /// Syncs and closes. Network file systems tell of a full disk only then.
    void finish();

    /// Throws "PATH: WHAT: the system's reason" (from errno).
    [[noreturn]] void fail(const char* what) const;

 private:
    std::filesystem::path path_;
    int number_ = -1;
};

/// A file under a temporary name, which `commit` gives its own; else it is removed.
class UnfinishedFile {
 public:
    UnfinishedFile(std::filesystem::path temporary, unsigned mode);
    ~UnfinishedFile();
    UnfinishedFile(const UnfinishedFile&) = delete;
    UnfinishedFile& operator=(const UnfinishedFile&) = delete;

    void write(std::string_view bytes) { file_.write(bytes); }
    /// Syncs it and its folder.
    void commit(const std::filesystem::path& name);

 private:
    FileDescriptor file_;
    bool complete_ = false;
};

/// Finishes `file` and renames it to `name`, which lies in the same folder; syncs the folder. Some file systems cannot sync a folder;
/// the file is good all the same.
void finish_as(FileDescriptor& file, const std::filesystem::path& name);

/// Replaces a file in one piece, so that readers see the old or the new one.
void replace_file(const std::filesystem::path& file, std::string_view bytes, unsigned mode);

}  // namespace medley::executor
