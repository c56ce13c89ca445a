#pragma once
/// Runs the built program as a user does, in the root of the repository.

#include <string>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace medley::test {

struct Outcome {
    int exit_code = -1;  ///< -1 = ended by a signal
    std::string out;
    std::string error;

    /// A refusal as promised: exit code 2, nothing on standard output, one line on standard error.
    bool is_one_line_refusal() const;
};

using Arguments = std::vector<std::string>;

Outcome run_program(const std::string& program, const Arguments& arguments, const std::string& standard_output = "");
Outcome medley(const Arguments& arguments);

/// Files of the repository that most tests use.
inline const std::string kCluster = "profiles/clusters/8xV100.yaml";
inline const std::string kTrace = "traces/virtualflow-elastic-20.csv";
inline const std::string kProfiles = "profiles/virtualflow-elastic";

/// `medley simulate` on those files, with more arguments behind.
Arguments simulate_command(const std::string& policy, const Arguments& more = {});

std::string write_file(const TemporaryFolder& folder, const std::string& name, const std::string& text);

}  // namespace medley::test
