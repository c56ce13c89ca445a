#include "executor/session/held_signals.h"

namespace medley::executor {
namespace {

sigset_t interruptions() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    return signals;
}

}  // namespace

HeldSignals::HeldSignals() : before_() {
    const sigset_t signals = interruptions();
    pthread_sigmask(SIG_BLOCK, &signals, &before_);
}

HeldSignals::~HeldSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

void HeldSignals::let_through() {
    const sigset_t signals = interruptions();
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace medley::executor
