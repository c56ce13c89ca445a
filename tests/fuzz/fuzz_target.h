#pragma once
/// What every fuzz target shares: a loader may refuse its input with medley::Error, and with nothing else.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/error.h"

/// libFuzzer's entry point; each target defines it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace medley::fuzz {

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) { return {reinterpret_cast<const char*>(data), size}; }

/// Runs `load`; any exception but medley::Error, and any message that is not one line naming the file, ends the program.
template <class Load>
void only_errors_escape(const Load& load) {
    try {
        load();
    } catch (const Error& error) {
        const std::string_view message = error.what();
        MEDLEY_ASSERT(message.starts_with("input"));
        MEDLEY_ASSERT(message.find('\n') == std::string_view::npos);
    }
}

}  // namespace medley::fuzz
