#pragma once
/// The files by which the processes of a run find and trust one another; see run_job.h for the folder as a whole.

#include <cstdint>
#include <filesystem>
#include <string>

#include "executor/protocol/frame.h"
#include "executor/session/run_job.h"

namespace medley::executor {

/// A new random secret in `DIR/secret`, for its owner alone (mode 0600). Throws medley::Error if the file exists, or cannot be written.
Secret create_secret(const std::filesystem::path& directory);
/// Throws medley::Error if the file is missing, of another size, or can be read by others.
Secret read_secret(const std::filesystem::path& directory);

/// Where a run's coordinator listens.
struct Endpoint {
    std::string host;
    std::uint16_t port = 0;
};
/// Replaced in one piece, so that readers see the old or the new one.
void publish_endpoint(const std::filesystem::path& directory, const Endpoint& endpoint);
/// Throws medley::Error if there is none, or it is no endpoint.
Endpoint read_endpoint(const std::filesystem::path& directory);

/// `DIR/run.bin`: magic, version, the description, SHA-256. Never changed once written.
void write_run(const std::filesystem::path& directory, const RunDescription& run);

/// The right to be the run's coordinator; freed when the process ends, however it does.
class RunLock {
 public:
    /// Throws medley::Error if another process has it.
    explicit RunLock(const std::filesystem::path& directory);
    ~RunLock();
    RunLock(const RunLock&) = delete;
    RunLock& operator=(const RunLock&) = delete;

 private:
    int descriptor_;
};

}  // namespace medley::executor
