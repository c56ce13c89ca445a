#pragma once
/// A run with real processes, watched from outside: the coordinator is a child of the test, the workers are the coordinator's.

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

#include "tests/support/real_job.h"

namespace medley::test {

class RealRun {
 public:
    RealRun(std::filesystem::path directory, RealJob job);
    /// Kills whatever is left.
    ~RealRun();
    RealRun(const RealRun&) = delete;
    RealRun& operator=(const RealRun&) = delete;

    void start() { launch("start"); }
    void resume() { launch("resume"); }

    /// Waits for a line that begins so (after its time) and has come since the present coordinator began, or the last `forget`; empty if
    /// the coordinator ends first, or none comes within a minute.
    std::string wait_for(const std::string& beginning);
    bool wait_for_step(std::int64_t step);
    void forget() { seen_ = lines_.size(); }
    /// Exit status of the coordinator, which is to end by itself; -1 = by a signal or not within two minutes.
    int wait();

    pid_t coordinator() const { return coordinator_; }
    void signal_coordinator(int signal) const;
    void kill_coordinator();
    /// Worker numbers and processes that there are now.
    std::vector<std::pair<std::uint32_t, std::int64_t>> workers() const;
    /// Of a worker; no effect if there is none of that number.
    void signal_worker(std::uint32_t worker, int signal) const;
    void signal_workers(int signal) const;

    /// All lines of all coordinators.
    const std::vector<std::string>& lines();
    int count(const std::string& beginning);
    std::int64_t last_step();
    /// As the run stated it; empty if it did not finish.
    std::string digest();
    /// What the run has left behind although it is over: processes, its lock, its port. Empty = nothing, as it should be.
    std::string left_behind() const;

    const std::filesystem::path& directory() const { return directory_; }
    const RealJob& job() const { return job_; }

 private:
    void launch(const char* how);
    /// Reads what has come; waits at most so long for something. False = nothing more will come.
    bool read(std::chrono::milliseconds wait);
    std::optional<std::string> find(const std::string& beginning, std::size_t from) const;
    std::optional<int> exit_status();

    std::filesystem::path directory_;
    RealJob job_;
    pid_t coordinator_ = 0;
    int output_ = -1;
    std::string partial_;
    std::vector<std::string> lines_;
    std::size_t seen_ = 0;
};

}  // namespace medley::test
