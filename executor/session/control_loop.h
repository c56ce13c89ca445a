#pragma once
/// The one thread on which a coordinator's or a worker's control side runs: a queue of work, alarms, signals. Asio stays behind it.
///
/// Thread rule: everything on the thread that calls `run`, but for `post`, which may come from any thread. An exception that leaves any
/// handler ends `run`, which throws it on.

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>

namespace medley::executor {

/// Milliseconds of a monotonic clock.
using Milliseconds = std::int64_t;

class ControlLoop {
 public:
    ControlLoop();
    ~ControlLoop();
    ControlLoop(const ControlLoop&) = delete;
    ControlLoop& operator=(const ControlLoop&) = delete;

    /// Returns after `stop`; what is left waits for the next call.
    void run();
    void stop();
    void post(std::function<void()> work);
    Milliseconds now() const;

    /// From now on these signals call `handler` instead of what they do by default.
    void on_signals(std::initializer_list<int> signals, std::function<void(int)> handler);

    /// Calls its handler once at a time; a time set anew replaces the earlier one.
    class Alarm {
     public:
        Alarm(ControlLoop& loop, std::function<void()> handler);
        ~Alarm();
        void set(Milliseconds time);
        void cancel();

     private:
        class Impl;
        std::shared_ptr<Impl> impl_;
    };

    class Impl;  ///< the sockets' files know what is in it
    Impl& impl() { return *impl_; }

 private:
    std::unique_ptr<Impl> impl_;
};

}  // namespace medley::executor
