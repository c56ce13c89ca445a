#pragma once
/// The write-ahead log on disk: records appended one after another, and read back after a crash.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "executor/coordinator/records.h"

namespace medley::executor {

class WalFile {
 public:
    struct Opened {
        std::vector<Record> records;
        std::string note;  ///< not empty: what was cut off, and why
    };
    /// Opens the log, or starts one. A torn or damaged end is cut off; what stands before it is returned. Throws medley::Error.
    explicit WalFile(const std::filesystem::path& file, Opened* opened = nullptr);
    ~WalFile();
    WalFile(const WalFile&) = delete;
    WalFile& operator=(const WalFile&) = delete;

    /// Keeps the record for the next `write`.
    void add(const Record& record);
    /// Whether something waits to be written.
    bool pending() const { return !pending_.empty(); }
    /// Writes what waits; with `durable`, true means that it is on disk. False = it could not be written (a full disk, say; `problem` says
    /// what): it is dropped, and the file holds what it held before.
    bool write(bool durable);
    const std::string& problem() const { return problem_; }

 private:
    bool write_out(std::string_view bytes);
    void cut();

    std::string file_;
    int descriptor_ = -1;
    std::int64_t size_ = 0;  ///< of whole records
    std::string pending_;
    std::string problem_;
};

/// The whole records of a log, also of a run that lasts; nothing is changed. Throws medley::Error if it cannot be read.
std::vector<Record> read_log(const std::filesystem::path& file);

}  // namespace medley::executor
