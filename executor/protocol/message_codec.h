#pragma once
/// Messages <-> bytes, compiled once.

#include <optional>
#include <string>
#include <string_view>

#include "executor/protocol/messages.h"

namespace medley::executor {

std::string encode_message(const Message& message);
/// Empty unless the bytes are exactly one message.
std::optional<Message> decode_message(std::string_view bytes);

/// What does not change in a run, for its folder.
std::string encode_setup(const RunSetup& setup, const Placement& placement);
std::optional<std::pair<RunSetup, Placement>> decode_setup(std::string_view bytes);

}  // namespace medley::executor
