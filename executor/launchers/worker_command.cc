#include "executor/launchers/worker_command.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "executor/launchers/launcher.h"

namespace medley::executor {
namespace {

template <class Number>
bool parse(const std::string& text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

/// What stands behind an option; empty if it is not there.
std::string value_of(const std::vector<std::string>& command, const char* option) {
    const auto found = std::find(command.begin(), command.end(), option);
    return found == command.end() || found + 1 == command.end() ? "" : *(found + 1);
}

}  // namespace

std::vector<std::string> worker_command(const std::string& program, const std::string& directory, std::uint32_t worker) {
    return {program, "worker", "--run", directory, "--number", std::to_string(worker)};
}

std::vector<std::string> command_of(std::int64_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/cmdline", std::ios::binary);
    std::vector<std::string> command;
    for (std::string argument; std::getline(file, argument, '\0');) { command.push_back(argument); }
    return command;
}

bool starts_worker(const std::vector<std::string>& command, const std::string& directory, std::uint32_t worker) {
    const bool is_worker = std::find(command.begin(), command.end(), "worker") != command.end();
    return is_worker && value_of(command, "--run") == directory && value_of(command, "--number") == std::to_string(worker);
}

std::vector<std::pair<std::uint32_t, std::int64_t>> local_workers(const std::string& directory) {
    std::vector<std::pair<std::uint32_t, std::int64_t>> workers;
    std::error_code error;
    for (std::filesystem::directory_iterator entry("/proc", error), end; !error && entry != end; entry.increment(error)) {
        std::int64_t process = 0;
        std::uint32_t worker = 0;
        if (!parse(entry->path().filename().string(), process)) { continue; }
        const std::vector<std::string> command = command_of(process);
        if (!parse(value_of(command, "--number"), worker)) { continue; }
        if (starts_worker(command, directory, worker)) { workers.emplace_back(worker, process); }
    }
    std::sort(workers.begin(), workers.end());
    return workers;
}

}  // namespace medley::executor
