#include "executor/session/open_files.h"

#include <algorithm>

#include <fmt/format.h>
#include <sys/resource.h>

#include "core/error.h"

namespace medley::executor {
namespace {

// The three standard streams, the lock, the log, a file being replaced, the listening socket, Asio's four, peers that have not proved
// themselves, and reserves.
constexpr rlim_t kOfItself = 32;
// A connection, and while one takes over from another, a second one; a handle of its process; its log while it starts.
constexpr rlim_t kOfEachWorker = 4;

}  // namespace

void require_open_files(std::size_t workers) {
    const rlim_t needed = kOfItself + kOfEachWorker * workers;
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed) { return; }
    rlimit raised = limit;
    raised.rlim_cur = std::min(needed, limit.rlim_max);
    if (raised.rlim_cur >= needed && setrlimit(RLIMIT_NOFILE, &raised) == 0) { return; }
    refuse_value("ulimit -n", fmt::format("{}", limit.rlim_max), fmt::format("at least {} open files for {} workers", needed, workers));
}

}  // namespace medley::executor
