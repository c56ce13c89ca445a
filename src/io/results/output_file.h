#pragma once
/// A file that appears whole or not at all.
///
/// What is written goes to a file without a name in the same folder, so that nothing is left behind however the program ends; `finish`
/// gives it a temporary name, `commit` the real one. (File systems that know no unnamed files have the temporary name from the start.)
/// A target that is no regular file (a device, a pipe) is written to directly, since it must not be replaced; a symbolic link is
/// followed. Thread rule: one thread at a time. Cost: one copy into a buffer of 1 MiB.

#include <filesystem>
#include <string>
#include <string_view>

namespace medley::io {

class OutputFile {
 public:
    /// Throws medley::Error naming the file if it cannot be created there.
    explicit OutputFile(const std::filesystem::path& path);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    /// Text to append to; call `flush_if_large` once a record is complete. For writers of millions of records.
    std::string& buffer() { return buffer_; }
    /// Throws medley::Error naming the file when the disk is full or fails.
    void flush_if_large() {
        if (buffer_.size() >= kFlushAt) { flush(); }
    }
    void write(std::string_view text);
    /// Brings everything to the disk under the temporary name, so that what can fail has failed before several files are committed.
    void finish();
    /// Finishes and gives the file its name. Nothing can be written after either.
    void commit();

 private:
    static constexpr std::size_t kFlushAt = std::size_t{1} << 20;

    void open();
    void flush();
    [[noreturn]] void fail(const char* what) const;

    std::filesystem::path path_;       ///< as the user gave it
    std::filesystem::path target_;     ///< links followed
    std::filesystem::path temporary_;  ///< empty when written to directly
    bool has_temporary_name_ = false;  ///< so that it must be removed unless committed
    int descriptor_ = -1;
    std::string buffer_;
};

/// Writes one whole file. Throws as above.
void write_text_file(const std::filesystem::path& path, std::string_view text);

}  // namespace medley::io
