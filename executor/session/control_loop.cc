#include "executor/session/control_loop.h"

#include <chrono>
#include <optional>

#include <boost/asio/executor_work_guard.hpp>

#include "executor/session/asio_parts.h"

namespace medley::executor {

ControlLoop::ControlLoop() : impl_(std::make_unique<Impl>()) {}
ControlLoop::~ControlLoop() = default;

void ControlLoop::run() {
    const auto work = asio::make_work_guard(impl_->context);
    impl_->context.restart();
    impl_->context.run();
    if (impl_->failure) { std::rethrow_exception(std::exchange(impl_->failure, nullptr)); }
}

void ControlLoop::stop() { impl_->context.stop(); }

void ControlLoop::post(std::function<void()> work) {
    asio::post(impl_->context, [impl = impl_.get(), work = std::move(work)] { impl->guard(work); });
}

Milliseconds ControlLoop::now() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

namespace {

asio::awaitable<void> wait_for_signals(asio::signal_set& signals, std::function<void(int)> handler) {
    for (;;) {
        const auto [error, signal] = co_await signals.async_wait(kAsTuple);
        if (error) { co_return; }
        handler(signal);
    }
}

}  // namespace

void ControlLoop::on_signals(std::initializer_list<int> signals, std::function<void(int)> handler) {
    impl_->signals = std::make_unique<asio::signal_set>(impl_->context);
    for (const int signal : signals) { impl_->signals->add(signal); }
    impl_->spawn(wait_for_signals(*impl_->signals, std::move(handler)));
}

class ControlLoop::Alarm::Impl : public std::enable_shared_from_this<Impl> {
 public:
    Impl(ControlLoop::Impl& loop, std::function<void()> handler) : loop_(loop), timer_(loop.context), handler_(std::move(handler)) {}

    // Alarms are mostly put off, again and again: a timer that runs already is let run, and set anew when it ends too early.
    void set(Milliseconds time) {
        wanted_ = time;
        if (!armed_ || time < *armed_) { arm(time); }
    }
    void cancel() {
        wanted_.reset();
        armed_.reset();
        ++number_;
        timer_.cancel();
    }

 private:
    void arm(Milliseconds time) {
        armed_ = time;
        timer_.expires_at(std::chrono::steady_clock::time_point(std::chrono::milliseconds(time)));
        timer_.async_wait([self = weak_from_this(), number = ++number_](error_code error) {
            const auto alarm = self.lock();
            if (!error && alarm && alarm->number_ == number) { alarm->expire(); }
        });
    }
    void expire() {
        const Milliseconds reached = *std::exchange(armed_, std::nullopt);
        if (*wanted_ > reached) { return arm(*wanted_); }
        wanted_.reset();
        loop_.guard(handler_);
    }

    ControlLoop::Impl& loop_;
    asio::steady_timer timer_;
    std::function<void()> handler_;
    std::optional<Milliseconds> wanted_;
    std::optional<Milliseconds> armed_;  ///< when the timer ends
    std::uint64_t number_ = 0;           ///< of the wait that counts; an expiry already queued for an earlier one does not
};

ControlLoop::Alarm::Alarm(ControlLoop& loop, std::function<void()> handler)
    : impl_(std::make_shared<Impl>(loop.impl(), std::move(handler))) {}
ControlLoop::Alarm::~Alarm() { impl_->cancel(); }
void ControlLoop::Alarm::set(Milliseconds time) { impl_->set(time); }
void ControlLoop::Alarm::cancel() { impl_->cancel(); }

}  // namespace medley::executor
