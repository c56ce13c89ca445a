#pragma once
/// The seam for communication among the workers of one generation: sums, maxima, broadcasts, gathers.
///
/// An object is one membership with fixed ranks; a resize or a failure means a new one. Every call is collective: each rank makes the same
/// calls with the same sizes. A failure (peer gone, deadline, abort) is a value; after one, every further call fails and the object is only
/// good to be destroyed. A call may succeed on one rank and fail on another.
///
/// Thread rule: one thread calls; `abort` may come from any thread, at any time, and makes a call in progress fail soon.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace medley::executor {

enum class ElementType { kFloat32, kFloat64, kInt64 };
enum class ReduceOp { kSum, kMax };
enum class MemoryKind { kHost, kDevice };

constexpr std::size_t bytes_of(ElementType type) { return type == ElementType::kFloat32 ? 4 : 8; }

struct Buffer {
    void* data = nullptr;
    std::size_t elements = 0;
    ElementType type = ElementType::kFloat32;
    MemoryKind memory = MemoryKind::kHost;
    void* stream = nullptr;  ///< CUDA stream that the data belong to, for device memory
};

struct CollectiveFailure {
    enum class Kind { kPeer, kDeadline, kAborted };
    Kind kind = Kind::kPeer;
    std::string detail;
};
using Outcome = tl::expected<void, CollectiveFailure>;

class Collective {
 public:
    virtual ~Collective() = default;
    virtual int rank() const = 0;
    virtual int size() const = 0;
    /// Whether buffers in device memory are taken as they are.
    virtual bool takes_device_memory() const { return false; }
    /// Elementwise over all ranks, in place; every rank gets the same bits. kMax for kInt64 alone. int64 sums wrap (two's complement).
    virtual Outcome all_reduce(const Buffer& buffer, ReduceOp op) = 0;
    /// Rank `root`'s bytes to all; host memory.
    virtual Outcome broadcast(std::span<std::byte> bytes, int root) = 0;
    /// Every rank's bytes, of any length each, to all, by rank; host memory.
    virtual tl::expected<std::vector<std::string>, CollectiveFailure> all_gather(std::string_view mine) = 0;
    virtual void abort() noexcept = 0;
};

/// Exchanges one blob per rank through the coordinator, and returns all, by rank; blocks; empty when aborted or too late.
using ExchangeBlobs = std::function<std::vector<std::string>(const std::string& mine)>;

struct CollectiveSetup {
    int rank = 0;
    int size = 1;
    std::string bind_address = "127.0.0.1";     ///< own address, as the other members reach it
    std::string device = "cpu";                 ///< "cuda:0" for NCCL
    std::chrono::milliseconds deadline{10000};  ///< a call without any progress for so long fails
    ExchangeBlobs exchange;                     ///< called the same number of times on each rank; not at all for one rank alone
    std::stop_token stop;                       ///< ends an attempt to connect, as `abort` ends a call
};

using CollectiveMade = tl::expected<std::unique_ptr<Collective>, CollectiveFailure>;

/// One row per implementation: gloo, host (as gloo; engines stage GPU memory through pinned host memory), nccl (a plug-in).
struct CollectiveKind {
    const char* name;
    const char* summary;
    CollectiveMade (*connect)(const CollectiveSetup& setup);
};
std::span<const CollectiveKind> known_collectives();

/// Connects all ranks; blocks until they have met or the deadline has passed. Throws medley::Error for an unknown name, or a plug-in that
/// is not installed (the message says where it was looked for), or an address of no interface here.
CollectiveMade connect_collective(const std::string& name, const CollectiveSetup& setup);

}  // namespace medley::executor
