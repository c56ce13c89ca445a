#pragma once
/// Reads an event log back from JSON Lines, as EventLogWriter writes it.

#include <filesystem>
#include <string>

#include "sched/event_log.h"

namespace medley::io {

/// Jobs are numbered in the order of their submission. Thread rule: one thread. Cost: about 1.5 us a record.
class EventLogReader : public EventSource {
 public:
    /// Reads the file at once (compressed files too). Throws medley::Error if it cannot be read.
    explicit EventLogReader(const std::filesystem::path& path);
    /// The same from text; `file` is named in errors.
    EventLogReader(std::string text, std::string file) : file_(std::move(file)), text_(std::move(text)) {}

    /// Throws medley::Error naming file and line for what is not a log of format 1: malformed JSON, a missing or unknown field value,
    /// an unknown job or GPU type, time that runs backwards, anything before the header or after the end, no end.
    void read_into(EventSink& sink) override;

 private:
    std::string file_;
    std::string text_;
};

}  // namespace medley::io
