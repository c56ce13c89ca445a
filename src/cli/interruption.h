#pragma once
/// SIGINT and SIGTERM while results are made: what was begun is taken away before the program ends.

#include <stdexcept>

#include <signal.h>

#include "sched/event_log.h"

namespace medley::cli {

/// Unwinds the work; the guard below ends the program.
class Interrupted : public std::runtime_error {
 public:
    Interrupted() : std::runtime_error("interrupted") {}
};

/// While one lives, the first signal only sets a flag; a second one ends the program at once. The destructor ends it by the first one, as
/// the shell expects. Declare it before what is to be taken away. Thread rule: one at a time; `check` from any thread.
class InterruptionGuard {
 public:
    InterruptionGuard();
    ~InterruptionGuard();
    InterruptionGuard(const InterruptionGuard&) = delete;
    InterruptionGuard& operator=(const InterruptionGuard&) = delete;

    /// Throws Interrupted once a signal has come.
    static void check();

 private:
    struct sigaction before_int_;
    struct sigaction before_term_;
};

/// Passes records on until a signal comes; then throws Interrupted.
class InterruptibleSink : public EventSink {
 public:
    explicit InterruptibleSink(EventSink& sink) : sink_(sink) {}
    void record(const LogRecord& record) override {
        InterruptionGuard::check();
        sink_.record(record);
    }

 private:
    EventSink& sink_;
};

}  // namespace medley::cli
