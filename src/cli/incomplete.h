#pragma once
/// Jobs that a simulation did not complete, told to the user.

#include <cstddef>
#include <string>

#include "cli/command.h"
#include "sched/event_log.h"
#include "sched/metrics.h"

namespace medley::cli {

/// What one run, or several together, left undone.
struct Incomplete {
    std::size_t rejected = 0;
    std::size_t unfinished = 0;
    std::string first_rejected;  ///< id and reason of the first job rejected
};

/// Remembers the first job that a log rejects. Thread rule: one thread at a time.
class FirstRejection : public EventSink {
 public:
    void record(const LogRecord& record) override;

    Incomplete of(const Summary& summary) const;

 private:
    std::string last_id_;  ///< of the job submitted last
    std::string text_;
};

/// One note on standard error, or none where everything completed. `where` says in which runs, such as " in 2 of 6 runs".
void note_incomplete(const Console& console, const Incomplete& incomplete, const std::string& where = "");

}  // namespace medley::cli
