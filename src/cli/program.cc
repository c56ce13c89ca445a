#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/version.h"
#include "core/error.h"
#include "io/scalar.h"

namespace medley::cli {
namespace {

constexpr const char* kDescription =
    "Medley: plan, simulate and run training jobs on mixed GPU fleets.\n"
    "Exit codes: 0 done, 1 the work failed (infeasible, lost workers), 2 wrong usage or input.";

constexpr const char* kGroupSummaries[][2] = {
    {"trace", "Import, export, generate, summarize and check traces"},
    {"cluster", "Check cluster files"},
    {"profile", "Measure, import and calibrate profiles of models"},
};

/// A command ready to run: its parser, and the work that its setup returned.
struct Prepared {
    CLI::App* app;
    Work work;
};

const char* group_summary(const std::string& name) {
    for (const auto& [group, summary] : kGroupSummaries) {
        if (name == group) { return summary; }
    }
    return "";
}

// "-h" stays free for options; values such as "-1" are told apart from options by CLI11 itself.
void set_up_help(CLI::App& app) {
    app.set_help_flag("--help", "Print this help and leave");
    app.get_formatter()->column_width(34);
}

void add_common_options(CLI::App& app, Console& console) {
    set_up_help(app);
    app.add_flag("--json", console.json, "Print one JSON document instead of a table");
    app.add_flag("--quiet", console.quiet, "Print no notes and no progress")->group("Common");
    app.add_flag("-v,--verbose", console.verbosity, "Print more notes on standard error")->group("Common");
    app.get_option("--json")->group("Common");
    app.get_option("--help")->group("Common");
}

CLI::App& group_of(CLI::App& root, const std::string& group) {
    const std::vector<CLI::App*> known = root.get_subcommands([&](const CLI::App* app) { return app->get_name() == group; });
    if (!known.empty()) { return *known.front(); }
    CLI::App& app = *root.add_subcommand(group, group_summary(group));
    set_up_help(app);
    return app;
}

Prepared prepare(CLI::App& root, const Command& command, Console& console) {
    std::string name = command.path;
    CLI::App* parent = &root;
    if (const std::size_t space = name.find(' '); space != std::string::npos) {
        parent = &group_of(root, name.substr(0, space));
        name.erase(0, space + 1);
    }
    CLI::App& app = *parent->add_subcommand(name, command.summary);
    Work work = command.setup(app, console);
    add_common_options(app, console);
    app.footer(fmt::format("Example:\n  {}", command.example));
    return {.app = &app, .work = std::move(work)};
}

int report(const std::string& line) {
    std::fprintf(stderr, "medley: %s\n", line.c_str());
    return kWrongInput;
}

/// The innermost command that was understood.
const CLI::App& understood(const CLI::App& root) {
    const CLI::App* app = &root;
    while (!app->get_subcommands().empty()) { app = app->get_subcommands().front(); }
    return *app;
}

/// "medley trace import", for "see ... --help".
std::string full_name(const CLI::App& app) {
    return app.get_parent() == nullptr ? app.get_name() : full_name(*app.get_parent()) + " " + app.get_name();
}

int refuse_command(const CLI::App& group, const std::string& word) {
    std::vector<std::string_view> known;
    for (const CLI::App* command : group.get_subcommands({})) { known.push_back(command->get_name()); }
    return report(fmt::format("unknown command '{} {}', expected {}", full_name(group), word, io::expected_name(word, known)));
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// CLI11 reports --help and --version as exceptions of its own.
int report_parse_error(const CLI::App& root, const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) { return root.exit(error) == 0 ? kDone : kWrongInput; }
    const CLI::App& app = understood(root);
    const std::vector<std::string> left = app.remaining();
    const bool is_group = !app.get_subcommands({}).empty();
    if (is_group && !left.empty() && left.front().front() != '-') { return refuse_command(app, left.front()); }
    // CLI11 lists what is left over last word first.
    const bool extras = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError);
    const std::string what = extras ? fmt::format("not expected here: {}", fmt::join(left, " ")) : first_line(error.what());
    return report(fmt::format("{} (see {} --help)", what, full_name(app)));
}

int run_parsed(const CLI::App& root, const std::vector<Prepared>& commands) {
    for (const Prepared& command : commands) {
        if (command.app->parsed()) { return command.work(); }
    }
    return report(fmt::format("no command given (see {} --help)", full_name(understood(root))));
}

int parse_and_run(int argc, const char* const* argv) {
    CLI::App root(kDescription, "medley");
    set_up_help(root);
    root.set_version_flag("--version", version_text);
    Console console;
    std::vector<Prepared> commands;
    for (const Command& command : known_commands()) { commands.push_back(prepare(root, command, console)); }
    try {
        root.parse(argc, argv);
    } catch (const CLI::ParseError& error) { return report_parse_error(root, error); }
    return run_parsed(root, commands);
}

}  // namespace

int run_program(int argc, const char* const* argv) {
    try {
        return parse_and_run(argc, argv);
    } catch (const Error& error) { return report(error.what()); } catch (const std::bad_alloc&) {
        return report("not enough memory");
    } catch (const std::exception& error) { return report(fmt::format("unexpected failure: {}", error.what())); }
}

}  // namespace medley::cli
