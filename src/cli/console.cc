#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "cli/command.h"
#include "core/error.h"

namespace medley::cli {
namespace {

void write_line(std::string_view line) {
    const std::string text = std::string(line) + "\n";
    std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace

void Console::print(std::string_view text) const {
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (!written) { throw Error(Problem{.file = "standard output", .message = std::strerror(errno)}); }
}

void Console::note(std::string_view line) const {
    if (!quiet) { write_line(line); }
}

void Console::detail(std::string_view line) const {
    if (!quiet && verbosity > 0) { write_line(line); }
}

}  // namespace medley::cli
