#include "executor/collectives/gloo/links.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace medley::executor {
namespace {

bool later(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

// Takes so many bytes off the queue's front; how many messages that ended.
template <class Queue>
std::size_t advance(Queue& queue, std::size_t bytes) {
    queue.front() = queue.front().subspan(bytes);
    if (!queue.front().empty()) { return 0; }
    queue.pop_front();
    return 1;
}

}  // namespace

void Links::send(int to, std::span<const std::byte> bytes) {
    if (bytes.empty()) { return; }
    Link& link = this->link(to);
    link.outgoing.push_back(bytes);
    if (link.outgoing.size() == 1) { write(link); }
}

Links::Receipt Links::receive(int from, std::span<std::byte> bytes) {
    Link& link = this->link(from);
    if (!bytes.empty()) {
        link.incoming.push_back(bytes);
        ++link.posted;
    }
    return {.from = from, .number = link.posted};
}

void Links::wait(const Receipt& receipt) {
    const Link& link = this->link(receipt.from);
    while (link.received < receipt.number) { move_or_sleep(); }
}

void Links::finish() {
    const auto done = [](const Link& link) { return link.outgoing.empty() && link.incoming.empty(); };
    while (!std::all_of(links_.begin(), links_.end(), done)) { move_or_sleep(); }
}

// True if anything was written.
bool Links::write(Link& link) {
    bool moved = false;
    while (!link.outgoing.empty()) {
        const std::span<const std::byte> bytes = link.outgoing.front();
        const ssize_t written = ::send(link.socket, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (written < 0 && later(errno)) { break; }
        if (written < 0) { fail(link, CollectiveFailure::Kind::kPeer, errno); }
        advance(link.outgoing, static_cast<std::size_t>(written));
        moved = true;
        if (static_cast<std::size_t>(written) < bytes.size()) { break; }
    }
    return moved;
}

bool Links::read(Link& link) {
    bool moved = false;
    while (!link.incoming.empty()) {
        const std::span<std::byte> bytes = link.incoming.front();
        const ssize_t taken = ::recv(link.socket, bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (taken < 0 && later(errno)) { break; }
        if (taken <= 0) { fail(link, CollectiveFailure::Kind::kPeer, taken < 0 ? errno : 0); }
        link.received += advance(link.incoming, static_cast<std::size_t>(taken));
        moved = true;
        if (static_cast<std::size_t>(taken) < bytes.size()) { break; }
    }
    return moved;
}

bool Links::move_all() {
    bool moved = false;
    for (Link& link : links_) {
        if (link.socket < 0) { continue; }
        moved = read(link) || moved;
        moved = write(link) || moved;
    }
    return moved;
}

void Links::move_or_sleep() {
    if (!move_all()) { sleep(); }
}

void Links::sleep() {
    std::vector<pollfd> sockets;
    for (const Link& link : links_) {
        const int events = (link.incoming.empty() ? 0 : POLLIN) | (link.outgoing.empty() ? 0 : POLLOUT);
        if (events != 0) { sockets.push_back({.fd = link.socket, .events = static_cast<short>(events), .revents = 0}); }
    }
    const int ready = ::poll(sockets.data(), sockets.size(), static_cast<int>(deadline_.count()));
    if (ready == 0) { throw MeshFailure({CollectiveFailure::Kind::kDeadline, fmt::format("no message for {} ms", deadline_.count())}); }
}

void Links::fail(const Link& link, CollectiveFailure::Kind kind, int error) const {
    const auto rank = &link - links_.data();
    const std::string reason = error == 0 ? "the connection was closed" : std::strerror(error);  // NOLINT(concurrency-mt-unsafe)
    throw MeshFailure({kind, fmt::format("rank {}: {}", rank, reason)});
}

}  // namespace medley::executor
