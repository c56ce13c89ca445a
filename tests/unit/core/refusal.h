#pragma once
/// What a validation said, for comparison in one line.

#include <functional>
#include <string>

#include "core/error.h"

namespace medley {

/// The refusal's text ("place: found 'x', expected y"); empty if nothing was refused.
inline std::string refusal(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) { return error.what(); }
    return "";
}

/// One way to spoil a valid `T`, and what its validation must say then.
template <class T>
struct Spoiled {
    std::function<void(T&)> spoil;
    std::string refusal;
};

}  // namespace medley
