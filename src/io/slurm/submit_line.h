#pragma once
/// What only the command line of a submission tells: `sbatch --array=1-6%2 --dependency=afterok:12:13 --gres=gpu:a100:2 job.sh`.

#include <string>
#include <string_view>
#include <vector>

namespace medley::io::slurm {

struct SubmitLine {
    std::vector<std::string> depends_on;  ///< jobs that must end first; empty if there are none or the rule is another
    bool other_dependency = false;        ///< it waits for something else: a start, any of several jobs, its own name
    int array_limit = 0;                  ///< tasks of the array at a time; 0 = not stated
    std::string_view gpu_type;            ///< asked for; inside the line; empty = any
};

/// Options of sbatch, srun and salloc up to the script or program; what follows is its business. Options that a script holds (`#SBATCH`)
/// are not in the line. Never throws: what is not understood is not stated.
SubmitLine read_submit_line(std::string_view line);

}  // namespace medley::io::slurm
