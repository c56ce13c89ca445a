#include "executor/collectives/gloo/sockets.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>

namespace medley::executor {
namespace {

using Address = sockaddr_storage;
using NameOf = int (*)(int, sockaddr*, socklen_t*);

std::optional<Address> name_of(int descriptor, NameOf function) {
    Address address{};
    socklen_t length = sizeof address;
    if (function(descriptor, reinterpret_cast<sockaddr*>(&address), &length) != 0) { return std::nullopt; }
    return address;
}

template <class Family>
const Family& as(const Address& address) {
    return reinterpret_cast<const Family&>(address);
}

bool same(const std::optional<Address>& one, const Address& other) {
    if (!one || one->ss_family != other.ss_family) { return false; }
    if (one->ss_family == AF_INET) {
        return as<sockaddr_in>(*one).sin_port == as<sockaddr_in>(other).sin_port &&
               as<sockaddr_in>(*one).sin_addr.s_addr == as<sockaddr_in>(other).sin_addr.s_addr;
    }
    return one->ss_family == AF_INET6 && as<sockaddr_in6>(*one).sin6_port == as<sockaddr_in6>(other).sin6_port &&
           std::memcmp(&as<sockaddr_in6>(*one).sin6_addr, &as<sockaddr_in6>(other).sin6_addr, sizeof(in6_addr)) == 0;
}

bool listens(int descriptor) {
    int answer = 0;
    socklen_t length = sizeof answer;
    return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &answer, &length) == 0 && answer != 0;
}

Address address_in(const std::vector<char>& bytes) {
    Address address{};
    std::memcpy(&address, bytes.data(), std::min(bytes.size(), sizeof address));
    return address;
}

std::vector<int> open_descriptors() {
    std::vector<int> descriptors;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", error)) {
        const std::string name = entry.path().filename();
        int descriptor = -1;
        std::from_chars(name.data(), name.data() + name.size(), descriptor);
        descriptors.push_back(descriptor);
    }
    return descriptors;
}

}  // namespace

Sockets::~Sockets() {
    for (const int descriptor : descriptors_) { ::close(descriptor); }
}

std::optional<int> Sockets::keep(const std::vector<char>& own_address, const std::vector<char>& peer_address) {
    const Address own = address_in(own_address);
    const Address theirs = address_in(peer_address);
    for (const int descriptor : open_descriptors()) {
        // Looked at only as a duplicate: other threads close and open descriptors meanwhile.
        const int copy = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
        if (copy < 0) { continue; }
        const bool accepted = same(name_of(copy, getsockname), own) && !listens(copy);
        if (accepted || same(name_of(copy, getpeername), theirs)) {
            descriptors_.push_back(copy);
            return copy;
        }
        ::close(copy);
    }
    return std::nullopt;
}

void Sockets::widen() const noexcept {
    constexpr int kBytes = 4 << 20;  // as much as the kernel would let it grow to by itself
    for (const int descriptor : descriptors_) { ::setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &kBytes, sizeof kBytes); }
}

void Sockets::shut_down() const noexcept {
    for (const int descriptor : descriptors_) { ::shutdown(descriptor, SHUT_RDWR); }
}

}  // namespace medley::executor
