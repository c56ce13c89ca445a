#pragma once
/// Keeps SIGINT and SIGTERM waiting while something is begun that must not be left half done.

#include <csignal>

namespace medley::executor {

/// While one lives, both signals wait, for this thread and those it starts; what has come until then takes effect afterwards.
/// Thread rule: made and destroyed by one thread.
class HeldSignals {
 public:
    HeldSignals();
    ~HeldSignals();
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;

    /// Lets both through to whoever handles them by now.
    static void let_through();

 private:
    sigset_t before_;
};

}  // namespace medley::executor
