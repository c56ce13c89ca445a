#include "executor/session/framed_stream.h"

#include <array>

#include "executor/protocol/message_codec.h"

namespace medley::executor {

FramedStream::FramedStream(ControlLoop::Impl& loop, Tcp::socket socket, const ConnectionKey& key, bool acceptor,
                           std::size_t most_queued_bytes)
    : loop_(loop),
      socket_(std::move(socket)),
      deadline_(loop.context),
      reader_(key, !acceptor),
      writer_(key, acceptor),
      most_queued_bytes_(most_queued_bytes) {}

void FramedStream::start(Handlers handlers) {
    handlers_ = std::move(handlers);
    error_code ignored;
    socket_.set_option(Tcp::no_delay(true), ignored);
    socket_.non_blocking(true, ignored);
    loop_.spawn(read_all(shared_from_this()));
}

void FramedStream::send(const Message& message) {
    if (ended_ || closing_) { return; }
    const std::string payload = encode_message(message);
    if (payload.size() > kMostFrameBytes || queued_.size() + payload.size() > most_queued_bytes_) {
        asio::post(loop_.context, [self = shared_from_this()] { self->end("takes too little of what is sent"); });
        return;
    }
    queued_ += writer_.seal(payload);
    if (!writing_) { write_at_once(); }
}

// Mostly the socket takes all there is; only for what it leaves a coroutine is worth its cost. It also meets whatever error there was.
void FramedStream::write_at_once() {
    error_code error;
    const std::size_t written = socket_.write_some(asio::buffer(queued_), error);
    queued_.erase(0, written);
    if (queued_.empty()) { return; }
    writing_ = true;
    loop_.spawn(write_all(shared_from_this()));
}

void FramedStream::close(Milliseconds deadline) {
    if (ended_ || std::exchange(closing_, true)) { return; }
    deadline_.expires_after(std::chrono::milliseconds(deadline));
    deadline_.async_wait([self = weak_from_this()](error_code error) {
        const auto stream = self.lock();
        if (!error && stream) { stream->drop(); }
    });
    if (!std::exchange(writing_, true)) { loop_.spawn(write_all(shared_from_this())); }
}

void FramedStream::drop() {
    closing_ = true;
    end("");
}

asio::awaitable<void> FramedStream::read_all(std::shared_ptr<FramedStream> self) {
    std::array<char, 16384> bytes;
    while (!self->ended_) {
        const auto [error, size] = co_await self->socket_.async_read_some(asio::buffer(bytes), kAsTuple);
        if (error) { break; }
        if (self->closing_) { continue; }
        self->reader_.feed({bytes.data(), size});
        if (!self->deliver()) { co_return; }
    }
    self->end("");
}

// False = the stream has ended.
bool FramedStream::deliver() {
    while (!ended_ && !closing_) {
        const std::optional<std::string> payload = reader_.next();
        if (!payload) { break; }
        std::optional<Message> message = decode_message(*payload);
        if (!message) {
            end("what it sent is no message");
            return false;
        }
        handlers_.received(std::move(*message));
    }
    if (reader_.failed()) { end("a frame was damaged, or not its own"); }
    return !ended_;
}

asio::awaitable<void> FramedStream::write_all(std::shared_ptr<FramedStream> self) {
    while (!self->ended_ && !self->queued_.empty()) {
        const std::string bytes = std::exchange(self->queued_, {});
        const auto [error, size] = co_await asio::async_write(self->socket_, asio::buffer(bytes), kAsTuple);
        if (error) {
            self->end("");
            co_return;
        }
    }
    self->writing_ = false;
    if (self->closing_ && !self->ended_) {
        error_code ignored;
        self->socket_.shutdown(Tcp::socket::shutdown_send, ignored);
    }
}

void FramedStream::end(const char* why) {
    if (std::exchange(ended_, true)) { return; }
    error_code ignored;
    socket_.close(ignored);
    deadline_.cancel();
    // Moved out, since a handler may well let go of this very stream.
    const Handlers handlers = std::move(handlers_);
    if (!closing_ && handlers.closed) {
        loop_.guard([&] { handlers.closed(why); });
    }
    if (handlers.ended) { loop_.guard(handlers.ended); }
}

}  // namespace medley::executor
