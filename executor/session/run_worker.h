#pragma once
/// One worker process: the control connection on this thread, training on another.

#include <filesystem>
#include <string>

#include "executor/protocol/messages.h"

namespace medley::executor {

struct WorkerProcessOptions {
    WorkerNumber worker = 0;
    std::filesystem::path directory;  ///< of the run: `secret` and `endpoint` are read from it, the latter again before each connection
    std::string bind_address = "127.0.0.1";
};

/// Returns the exit status: 0 shut down in order, 1 failed or lease over. Throws medley::Error for wrong input.
int run_worker(const WorkerProcessOptions& options);

}  // namespace medley::executor
