#pragma once
/// The seam for starting worker processes: `local` here; others reach other machines.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace medley::executor {

struct WorkerProcess {
    std::uint32_t worker = 0;
    std::string device;     ///< as in the plan: the worker sees no other GPU
    std::string endpoint;   ///< host:port of the coordinator
    std::string directory;  ///< of the run: secret, logs
};

/// Thread rule: one thread.
class Launcher {
 public:
    virtual ~Launcher() = default;
    /// Starts `medley worker`. Throws medley::Error if it cannot. The process leads its own session and outlives the coordinator.
    virtual void launch(const WorkerProcess& process) = 0;
    /// SIGKILL, if it runs; no effect on others.
    virtual void kill(std::uint32_t worker) = 0;
    /// Those that have ended since the last call, and how ("exit status 1", "signal 9").
    virtual std::vector<std::pair<std::uint32_t, std::string>> reap() = 0;
    /// Takes over a process that an earlier coordinator of the run in `directory` launched. If there is no such process, or the number
    /// belongs to another one by now, the worker counts as ended: `reap` tells so.
    virtual void adopt(std::uint32_t worker, std::int64_t process, const std::string& directory) = 0;
};

/// Processes of this machine, from this very program: `PROGRAM worker --run DIRECTORY --number N`. Each has its own session, no descriptor
/// of ours but `DIRECTORY/logs/worker-N.log` as its output, one arithmetic thread, and its own GPU alone.
std::unique_ptr<Launcher> make_local_launcher(const std::string& program);

/// What stands in CUDA_VISIBLE_DEVICES for a device of the plan, given what stands there now (null = nothing): "cuda:1" of "4,6" is "6".
/// Devices that are no GPU see none.
std::string visible_devices(const std::string& device, const char* now);

/// Worker processes of this machine that belong to the run in `directory`, whoever launched them: worker number and process.
std::vector<std::pair<std::uint32_t, std::int64_t>> local_workers(const std::string& directory);

}  // namespace medley::executor
