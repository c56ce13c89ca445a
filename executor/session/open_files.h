#pragma once
/// The system's limit of files that a process may have open, sockets included.

#include <cstddef>

namespace medley::executor {

/// Makes sure that a coordinator of so many workers can open what it needs, raising the soft limit where the hard one allows it. Throws
/// medley::Error that names the limit and what is needed.
void require_open_files(std::size_t workers);

}  // namespace medley::executor
