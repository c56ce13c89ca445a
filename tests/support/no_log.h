#pragma once
/// For tests that ask a scheduler and read no log.

#include "sched/event_log.h"

namespace medley::test {

struct NoLog : EventSink {
    void record(const LogRecord&) override {}
};

}  // namespace medley::test
