#include "planner/policies/max_min_program.h"

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace medley::planner {
namespace {

constexpr double kNegligible = 1e-9;  // shares below are the solver's rounding

constexpr double kHome = 0.01;  // of a job's best gain; see TieBreak

/// The program and where its columns stand.
class MaxMinProgram {
 public:
    MaxMinProgram(std::span<const MaxMinGroup> groups, std::span<const int> capacity) : groups_(groups), columns_(groups.size()) {
        floor_ = program_.add_column({.objective = 1});
        for (std::size_t group = 0; group < groups.size(); ++group) { add_group(group); }
        for (std::size_t type = 0; type < capacity.size(); ++type) { add_capacity(type, capacity[type]); }
    }

    MaxMinSolution solve(TieBreak tie_break, LpSolver& solver) {
        if (tie_break == TieBreak::kProgressThenHome) { add_homes(); }
        LpSolution solution = solver.solve(program_);
        MEDLEY_ASSERT(solution.status == LpStatus::kOptimal);
        const double value = solution.primal[floor_];
        if (tie_break == TieBreak::kProgressThenHome) { solution = break_ties(solver, std::move(solution)); }
        return {.value = value, .shares = shares_in(solution)};
    }

 private:
    struct Home {
        std::size_t group = 0;
        int column = 0;
    };

    void add_group(std::size_t index) {
        const MaxMinGroup& group = groups_[index];
        std::vector<LpTerm> gains{{.column = floor_, .coefficient = -1}};
        std::vector<LpTerm> time;
        for (std::size_t type = 0; type < group.gain.size(); ++type) {
            columns_[index].push_back(group.gain[type] > 0 ? program_.add_column({}) : kNoColumn);
            if (group.gain[type] <= 0) { continue; }
            gains.push_back({.column = columns_[index][type], .coefficient = group.gain[type]});
            time.push_back({.column = columns_[index][type], .coefficient = 1});
        }
        MEDLEY_ASSERT(!time.empty() && group.jobs > 0);
        program_.add_row({.low = 0}, gains);
        program_.add_row({.high = 1}, time);
    }

    void add_capacity(std::size_t type, int gpus) {
        std::vector<LpTerm> use;
        for (std::size_t group = 0; group < groups_.size(); ++group) {
            if (columns_[group][type] == kNoColumn) { continue; }
            use.push_back(
                {.column = columns_[group][type], .coefficient = static_cast<double>(groups_[group].jobs) * groups_[group].gpus[type]});
        }
        program_.add_row({.high = static_cast<double>(gpus)}, use);
    }

    // One column a group and type for min(jobs at home there, jobs x share), the jobs that may stay.
    void add_homes() {
        for (std::size_t group = 0; group < groups_.size(); ++group) {
            const MaxMinGroup& each = groups_[group];
            for (std::size_t type = 0; type < each.at_home.size(); ++type) {
                if (each.at_home[type] == 0 || columns_[group][type] == kNoColumn) { continue; }
                const int stay = program_.add_column({.high = static_cast<double>(each.at_home[type])});
                const LpTerm terms[] = {{.column = stay, .coefficient = 1},
                                        {.column = columns_[group][type], .coefficient = -static_cast<double>(each.jobs)}};
                program_.add_row({.high = 0}, terms);
                homes_.push_back({.group = group, .column = stay});
            }
        }
    }

    LpSolution break_ties(LpSolver& solver, LpSolution optimum) {
        LinearProgram second = program_;
        second.columns[floor_] = {.objective = 0, .low = optimum.primal[floor_] * (1 - kNegligible)};
        for (std::size_t group = 0; group < groups_.size(); ++group) {
            const MaxMinGroup& each = groups_[group];
            for (std::size_t type = 0; type < each.gain.size(); ++type) {
                if (columns_[group][type] == kNoColumn) { continue; }
                second.columns[columns_[group][type]].objective = each.jobs * each.weight * each.gain[type];
            }
        }
        for (const Home& home : homes_) {
            const MaxMinGroup& group = groups_[home.group];
            second.columns[home.column].objective = kHome * group.weight * *std::max_element(group.gain.begin(), group.gain.end());
        }
        LpSolution solution = solver.solve(second, {.start = &optimum.basis});
        return solution.status == LpStatus::kOptimal ? std::move(solution) : std::move(optimum);
    }

    std::vector<std::vector<double>> shares_in(const LpSolution& solution) const {
        std::vector<std::vector<double>> shares;
        for (const std::vector<int>& columns : columns_) {
            std::vector<double>& row = shares.emplace_back();
            for (const int column : columns) {
                const double share = column == kNoColumn ? 0 : solution.primal[column];
                row.push_back(share < kNegligible ? 0 : std::min(share, 1.0));
            }
        }
        return shares;
    }

    static constexpr int kNoColumn = -1;
    std::span<const MaxMinGroup> groups_;
    LinearProgram program_;
    int floor_ = 0;                          ///< column of t
    std::vector<std::vector<int>> columns_;  ///< by group, by type
    std::vector<Home> homes_;
};

}  // namespace

MaxMinSolution solve_max_min(std::span<const MaxMinGroup> groups, std::span<const int> capacity, TieBreak tie_break, LpSolver& solver) {
    if (groups.empty()) { return {}; }
    return MaxMinProgram(groups, capacity).solve(tie_break, solver);
}

}  // namespace medley::planner
