#pragma once
/// Speaks to a running coordinator: status, resize, stop.

#include <filesystem>

#include "executor/protocol/messages.h"

namespace medley::executor {

/// Sends one request to the coordinator of the run in `directory` and returns its answer. Throws medley::Error if none runs there, or it
/// does not answer within five seconds.
Message ask_coordinator(const std::filesystem::path& directory, const Message& request);

}  // namespace medley::executor
