#include "tests/support/fake_cuda/star.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>

namespace medley::test {
namespace {

sockaddr_in loopback(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

int stream_socket() { return ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0); }

bool send_bytes(int socket, const char* bytes, std::size_t left) {
    while (left > 0) {
        const ssize_t sent = ::send(socket, bytes, left, MSG_NOSIGNAL);
        if (sent <= 0) { return false; }
        bytes += sent;
        left -= static_cast<std::size_t>(sent);
    }
    return true;
}

bool receive_bytes(int socket, char* bytes, std::size_t left) {
    while (left > 0) {
        const ssize_t received = ::recv(socket, bytes, left, 0);
        if (received <= 0) { return false; }
        bytes += received;
        left -= static_cast<std::size_t>(received);
    }
    return true;
}

}  // namespace

Listener listen_on_loopback() {
    Listener listener{.socket = stream_socket()};
    sockaddr_in address = loopback(0);
    socklen_t length = sizeof address;
    if (::bind(listener.socket, reinterpret_cast<sockaddr*>(&address), length) != 0 || ::listen(listener.socket, 64) != 0) { return {}; }
    ::getsockname(listener.socket, reinterpret_cast<sockaddr*>(&address), &length);
    listener.port = ntohs(address.sin_port);
    return listener;
}

Star::~Star() {
    for (const int socket : all_) { ::close(socket); }
}

bool Star::keep(int socket) {
    if (socket < 0) { return false; }
    const std::lock_guard lock(mutex_);
    all_.push_back(socket);
    if (cut_) { ::shutdown(socket, SHUT_RDWR); }
    return !cut_;
}

void Star::cut() noexcept {
    const std::lock_guard lock(mutex_);
    cut_ = true;
    for (const int socket : all_) { ::shutdown(socket, SHUT_RDWR); }
}

bool Star::accept_all(int listener) {
    by_rank_.assign(static_cast<std::size_t>(ranks_), -1);
    if (!keep(listener)) { return false; }
    for (int count = 1; count < ranks_; ++count) {
        const int socket = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
        std::int32_t rank = 0;
        if (!keep(socket) || !receive_bytes(socket, reinterpret_cast<char*>(&rank), sizeof rank)) { return false; }
        by_rank_.at(static_cast<std::size_t>(rank)) = socket;
    }
    return true;
}

bool Star::connect_to(int port) {
    const sockaddr_in address = loopback(port);
    const int socket = stream_socket();
    const auto rank = static_cast<std::int32_t>(rank_);
    by_rank_ = {socket};
    return keep(socket) && ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
           send_bytes(socket, reinterpret_cast<const char*>(&rank), sizeof rank);
}

bool Star::send_text(int socket, const std::string& text) const {
    const std::uint64_t length = text.size();
    return send_bytes(socket, reinterpret_cast<const char*>(&length), sizeof length) && send_bytes(socket, text.data(), text.size());
}

bool Star::receive_text(int socket, std::string& text) const {
    std::uint64_t length = 0;
    if (!receive_bytes(socket, reinterpret_cast<char*>(&length), sizeof length)) { return false; }
    text.resize(length);
    return receive_bytes(socket, text.data(), length);
}

bool Star::exchange(const std::string& mine, std::string& answer, const std::function<std::string(std::span<const std::string>)>& join) {
    if (rank_ > 0) { return send_text(by_rank_.front(), mine) && receive_text(by_rank_.front(), answer); }
    std::vector<std::string> parts(static_cast<std::size_t>(ranks_));
    parts.front() = mine;
    for (std::size_t rank = 1; rank < parts.size(); ++rank) {
        if (!receive_text(by_rank_[rank], parts[rank])) { return false; }
    }
    answer = join(parts);
    for (std::size_t rank = 1; rank < parts.size(); ++rank) {
        if (!send_text(by_rank_[rank], answer)) { return false; }
    }
    return true;
}

}  // namespace medley::test
