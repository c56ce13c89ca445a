#pragma once
/// Gavel's max-min program (Narayanan et al., OSDI 2020), over groups of identical jobs.
///
/// Maximise t subject to t <= sum_j gain_gj x_gj for every group g, sum_j x_gj <= 1, sum_g jobs_g gpus_gj x_gj <= N_j, x >= 0, where
/// x_gj is the share of time that one job of the group spends on type j. Grouping loses nothing: the program is convex and symmetric in
/// identical jobs, so averaging any optimum over a group is an optimum of the same value with equal shares.

#include <span>
#include <vector>

#include "planner/solvers/lp_solver.h"

namespace medley::planner {

/// Identical jobs. All vectors are by GPU type.
struct MaxMinGroup {
    int jobs = 1;
    double weight = 1;         ///< of one job in the sum of progress
    std::vector<double> gain;  ///< of one job, were it on the type all the time; 0 = it cannot run there
    std::vector<int> gpus;     ///< that one job takes there
    std::vector<int> at_home;  ///< how many of its jobs would rather stay on the type; empty = none anywhere
};

/// Optima are seldom unique.
enum class TieBreak {
    kNone,  ///< whichever vertex the solver finds
    /// With t at its optimum, the most progress, sum of weight x gain over all jobs, where staying at home counts one part in a
    /// hundred of a job's best gain extra: nothing idles that could help somebody, and jobs do not rotate for next to nothing.
    kProgressThenHome,
};

struct MaxMinSolution {
    double value = 0;                         ///< the optimal t
    std::vector<std::vector<double>> shares;  ///< by group, by type; mean of its jobs
};

/// A vertex: at most as many positive shares as constraints that bind. Requires that every group has a positive gain somewhere and at
/// least one job. Cost: one program of (groups x types + 1) columns, two of twice that with a tie break, the second from the first's
/// basis; 200 groups x 3 types take a few milliseconds.
MaxMinSolution solve_max_min(std::span<const MaxMinGroup> groups, std::span<const int> capacity, TieBreak tie_break, LpSolver& solver);

}  // namespace medley::planner
