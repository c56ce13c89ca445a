#pragma once
/// Torch's exceptions become medley::Error at the engine's border.

#include <exception>
#include <utility>

#include <c10/util/Exception.h>

#include "core/error.h"

namespace medley::executor {

/// Calls and returns; without Torch's backtrace, on one line.
template <class Call>
auto with_torch_errors(const Call& call) {
    try {
        return call();
    } catch (const Error&) { throw; } catch (const c10::Error& error) {
        throw Error(std::string("torch: ") + error.what_without_backtrace());
    } catch (const std::exception& error) { throw Error(std::string("torch: ") + error.what()); }
}

}  // namespace medley::executor
