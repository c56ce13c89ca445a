#pragma once
/// What this machine calls itself.

#include <string>

#include <unistd.h>

namespace medley::executor {

inline std::string host_name() {
    char name[256] = {};
    return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

}  // namespace medley::executor
