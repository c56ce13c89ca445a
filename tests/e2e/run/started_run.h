#pragma once
/// `medley run` with the emulated engine, to its end or in the background.

#include <string>
#include <vector>

#include <sys/types.h>
#include <nlohmann/json.hpp>

#include "tests/e2e/cli/program.h"

namespace medley::test {

/// 1 V100 with four virtual nodes of 192, 2 P100 with one each.
inline const std::string kRunPlan = "profiles/jobs/mixed-plan.yaml";
inline const std::string kRunJob = "profiles/jobs/emulated.yaml";

/// `medley run` on those, with its folder in `folder / name` and more arguments behind.
Arguments run_command(const TemporaryFolder& folder, const std::string& name, const Arguments& more = {});

/// The program's JSON; an empty object, and a failure, if it printed none.
nlohmann::json json_of(const Outcome& outcome);

/// The program in the background; killed at the end of the test if it still runs.
class StartedRun {
 public:
    explicit StartedRun(const Arguments& arguments);
    ~StartedRun();
    StartedRun(const StartedRun&) = delete;
    StartedRun& operator=(const StartedRun&) = delete;

    /// Waits for its end; the exit code, or -1 if a signal ended it.
    int wait();
    pid_t process() const { return process_; }

 private:
    pid_t process_ = 0;
};

/// `medley status` until the job has done `step` steps; an empty object, and a failure, after a minute.
nlohmann::json wait_for_step(const std::string& directory, std::int64_t step);

}  // namespace medley::test
