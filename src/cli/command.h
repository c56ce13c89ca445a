#pragma once
/// How a sub-command is added: one pair of files cmd_*.{h,cc} with a setup function, and one row in command_table.cc.

#include <functional>
#include <span>
#include <string_view>

namespace CLI {
class App;
}

namespace medley::cli {

enum ExitCode : int {
    kDone = 0,
    kWorkFailed = 1,  ///< infeasible, lost workers, ...
    kWrongInput = 2,  ///< wrong usage, input or environment
};

/// Options that every command has, and the two places a command writes to.
struct Console {
    bool json = false;   ///< one JSON document instead of a table
    bool quiet = false;  ///< no notes, no progress
    int verbosity = 0;   ///< number of -v

    /// Writes to standard output. Throws medley::Error when it cannot (full disk, closed pipe).
    void print(std::string_view text) const;
    /// One line on standard error, unless --quiet.
    void note(std::string_view line) const;
    /// The same, only with -v.
    void detail(std::string_view line) const;
};

/// The work of a command, called once its options are parsed; returns an exit code. Wrong input throws medley::Error.
using Work = std::function<int()>;

/// One row of the table. `path` is the name as typed, with its group: "simulate", "trace import".
struct Command {
    const char* path;
    const char* summary;  ///< one line
    const char* example;  ///< one command line that works in the root of the repository
    /// Adds the command's own options to `app` and returns its work. `console` outlives the work and is filled before it.
    Work (*setup)(CLI::App& app, const Console& console);
};

std::span<const Command> known_commands();

/// The whole program: parses, runs one command, reports errors as one line on standard error. Never throws.
int run_program(int argc, const char* const* argv);

}  // namespace medley::cli
