#include "cli/interruption.h"

#include <atomic>

namespace medley::cli {
namespace {

std::atomic<int> signal_seen = 0;
static_assert(std::atomic<int>::is_always_lock_free, "it is set in a signal handler");

void remember(int signal) { signal_seen = signal; }

void install(int signal, struct sigaction& before) {
    struct sigaction action {};
    action.sa_handler = remember;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, &before);
    if (before.sa_handler == SIG_IGN) { sigaction(signal, &before, nullptr); }  // as nohup and scripts want it
}

}  // namespace

InterruptionGuard::InterruptionGuard() : before_int_(), before_term_() {
    install(SIGINT, before_int_);
    install(SIGTERM, before_term_);
}

InterruptionGuard::~InterruptionGuard() {
    sigaction(SIGINT, &before_int_, nullptr);
    sigaction(SIGTERM, &before_term_, nullptr);
    if (const int signal = signal_seen.exchange(0)) { raise(signal); }
}

void InterruptionGuard::check() {
    if (signal_seen.load(std::memory_order_relaxed) != 0) { throw Interrupted(); }
}

}  // namespace medley::cli
