#pragma once
/// Hands the records of a log to another sink on a thread of its own, so that a simulation need not wait for metrics and files.
///
/// The other sink sees the same records in the same order. Records are copied in batches; at most a few batches wait, then `record`
/// does. Thread rule: `record` and `finish` from one thread; the other sink is touched by the helper thread alone until `finish` returns.

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "sched/event_log.h"

namespace medley::io {

class ThreadedSink : public EventSink {
 public:
    /// `target` must outlive this sink.
    explicit ThreadedSink(EventSink& target);
    /// Records not yet handed on are dropped, unless `finish` was called.
    ~ThreadedSink() override;
    ThreadedSink(const ThreadedSink&) = delete;
    ThreadedSink& operator=(const ThreadedSink&) = delete;

    /// Rethrows what the other sink threw at an earlier record.
    void record(const LogRecord& record) override;
    /// Waits until the other sink has seen everything; rethrows what it threw. No call after it.
    void finish();

 private:
    struct Batch {
        std::vector<LogRecord> records;
        std::deque<std::string> ids;  ///< what the copied submit records' views point to
    };

    void hand_over();
    Batch take_spare();
    void run();
    void deliver(const Batch& batch);

    EventSink& target_;
    Batch filling_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Batch> waiting_;
    std::vector<Batch> spare_;
    bool busy_ = false;  ///< the helper is delivering a batch
    bool stopping_ = false;
    std::exception_ptr failure_;
    std::thread helper_;  ///< last, so that it starts when all else is there
};

}  // namespace medley::io
