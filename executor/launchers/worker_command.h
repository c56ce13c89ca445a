#pragma once
/// The command line by which a worker's process is started, and known again later.

#include <cstdint>
#include <string>
#include <vector>

namespace medley::executor {

/// `PROGRAM worker --run DIRECTORY --number N`.
std::vector<std::string> worker_command(const std::string& program, const std::string& directory, std::uint32_t worker);

/// The command line of a process; empty if there is none, or it is not ours to see.
std::vector<std::string> command_of(std::int64_t process);

/// Whether this command line starts this worker, with whatever program and further options.
bool starts_worker(const std::vector<std::string>& command, const std::string& directory, std::uint32_t worker);

}  // namespace medley::executor
