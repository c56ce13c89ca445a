#pragma once
/// Hands every record of a log to several sinks, in their order.

#include <utility>
#include <vector>

#include "sched/event_log.h"

namespace medley {

class TeeSink : public EventSink {
 public:
    explicit TeeSink(std::vector<EventSink*> sinks) : sinks_(std::move(sinks)) {}

    void record(const LogRecord& record) override {
        for (EventSink* sink : sinks_) { sink->record(record); }
    }

 private:
    std::vector<EventSink*> sinks_;
};

}  // namespace medley
