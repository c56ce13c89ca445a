#pragma once
/// Asio, for the four files of this folder that speak to sockets and nobody else: these headers cost seconds of compile time.

#include <exception>
#include <memory>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include "executor/session/control_loop.h"

namespace medley::executor {

namespace asio = boost::asio;
using Tcp = asio::ip::tcp;
using boost::system::error_code;

/// Completion as a value: `const auto [error, size] = co_await ...`.
inline constexpr auto kAsTuple = asio::as_tuple(asio::use_awaitable);

class ControlLoop::Impl {
 public:
    /// Runs a handler; what it throws ends the loop and leaves `run`.
    template <class Handler>
    void guard(Handler&& handler) {
        try {
            handler();
        } catch (...) {
            if (!failure) { failure = std::current_exception(); }
            context.stop();
        }
    }
    /// Starts a coroutine that lives as long as it has something to do.
    void spawn(asio::awaitable<void> coroutine) {
        asio::co_spawn(context, std::move(coroutine), [this](std::exception_ptr thrown) {
            if (thrown) {
                guard([&] { std::rethrow_exception(thrown); });
            }
        });
    }

    asio::io_context context{1};
    std::exception_ptr failure;
    std::unique_ptr<asio::signal_set> signals;
};

}  // namespace medley::executor
