#include "executor/collectives/gloo/gloo_algorithms.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <numeric>

#include "executor/collectives/combine.h"
#include "executor/collectives/gloo/address_book.h"
#include "executor/collectives/gloo/part_exchange.h"
#include "executor/collectives/gloo/ring.h"

namespace medley::executor {
namespace {

constexpr std::size_t kSegmentBytes = 1 << 20;
// A round costs as much as to send so many bytes, and to add a byte so much of what it costs to send it; measured.
constexpr double kBytesPerLatency = 40'000;
constexpr double kAdding = 0.25;

std::span<std::byte> bytes_in(const Buffer& buffer) {
    return {static_cast<std::byte*>(buffer.data), buffer.elements * bytes_of(buffer.type)};
}

// Everybody sends everything to everybody. In the order of the ranks, up to this one in the first rank's memory.
void reduce_directly(Mesh& mesh, Scratch& scratch, const Buffer& buffer, ReduceOp op) {
    const std::span<std::byte> mine = bytes_in(buffer);
    const std::span<std::byte> places = scratch.bytes(static_cast<std::size_t>(mesh.size()) * mine.size());
    const auto numbers_of = [&](int rank) {
        return rank == mesh.rank() ? mine : places.subspan(static_cast<std::size_t>(rank) * mine.size(), mine.size());
    };
    for (const int peer : mesh.peers()) {
        mesh.links().receive(peer, numbers_of(peer));
        mesh.links().send(peer, mine);
    }
    mesh.links().finish();
    std::byte* sum = numbers_of(0).data();
    for (int rank = 1; rank < mesh.size(); ++rank) {
        std::byte* const target = rank == mesh.rank() ? mine.data() : sum;
        combine(target, sum, numbers_of(rank).data(), buffer.elements, buffer.type, op);
        sum = target;
    }
}

// Recursive doubling.
class Doubling {
 public:
    Doubling(Mesh& mesh, Scratch& scratch, const Buffer& buffer, ReduceOp op)
        : mesh_(mesh), buffer_(buffer), op_(op), mine_(bytes_in(buffer)), theirs_(scratch.bytes(mine_.size())) {}

    void run() {
        const int rank = mesh_.rank();
        const int paired = static_cast<int>(std::bit_floor(static_cast<unsigned>(mesh_.size())));
        if (rank >= paired) {
            mesh_.links().send(rank - paired, mine_);
            mesh_.links().finish();
            mesh_.links().receive(rank - paired, mine_);
            return mesh_.links().finish();
        }
        const bool has_odd_one = rank + paired < mesh_.size();
        if (has_odd_one) { add(rank + paired); }
        for (int distance = 1; distance < paired; distance *= 2) {
            mesh_.links().send(rank ^ distance, mine_);
            add(rank ^ distance);
        }
        if (has_odd_one) { mesh_.links().send(rank + paired, mine_); }
        mesh_.links().finish();
    }

 private:
    // The lower rank's numbers stand left on both sides.
    void add(int rank) {
        mesh_.links().receive(rank, theirs_);
        mesh_.links().finish();
        const void* left = rank < mesh_.rank() ? theirs_.data() : mine_.data();
        const void* right = rank < mesh_.rank() ? mine_.data() : theirs_.data();
        combine(mine_.data(), left, right, buffer_.elements, buffer_.type, op_);
    }

    Mesh& mesh_;
    const Buffer& buffer_;
    ReduceOp op_;
    std::span<std::byte> mine_;
    std::span<std::byte> theirs_;
};

// Ranks are counted from the root: rank v hears from v without its highest bit, and tells v + 2^k for each 2^k above it.
void broadcast_by_tree(Mesh& mesh, std::span<std::byte> bytes, int root) {
    const int size = mesh.size();
    const auto position = static_cast<unsigned>((mesh.rank() - root + size) % size);
    const auto rank_at = [&](unsigned at) { return (static_cast<int>(at) + root) % size; };
    if (position > 0) {
        mesh.links().receive(rank_at(position - std::bit_floor(position)), bytes);
        mesh.links().finish();
    }
    const unsigned first = position == 0 ? 1 : 2 * std::bit_floor(position);
    for (unsigned bit = first; position + bit < static_cast<unsigned>(size); bit *= 2) {
        mesh.links().send(rank_at(position + bit), bytes);
    }
    mesh.links().finish();
}

// Everybody passes on what it gets, segment by segment.
void broadcast_along_chain(Mesh& mesh, std::span<std::byte> bytes, int root) {
    const int size = mesh.size();
    const int position = (mesh.rank() - root + size) % size;
    const auto each_segment = [&](const auto& visit) {
        for (std::size_t first = 0; first < bytes.size(); first += kSegmentBytes) {
            visit(bytes.subspan(first, std::min(kSegmentBytes, bytes.size() - first)));
        }
    };
    std::vector<Links::Receipt> receipts;
    if (position > 0) {
        each_segment(
            [&](std::span<std::byte> segment) { receipts.push_back(mesh.links().receive((mesh.rank() + size - 1) % size, segment)); });
    }
    auto receipt = receipts.begin();
    each_segment([&](std::span<std::byte> segment) {
        if (position > 0) { mesh.links().wait(*receipt++); }
        if (position + 1 < size) { mesh.links().send((mesh.rank() + 1) % size, segment); }
    });
    mesh.links().finish();
}

int rounds_of(int ranks) { return std::bit_width(static_cast<unsigned>(ranks - 1)); }

// One round of the gather: blobs as lengths and contents, so that the receiver learns both.
class Parcel {
 public:
    static std::string pack(std::span<const std::string> blobs) {
        std::string bytes;
        for (const std::string& blob : blobs) { append_number(bytes, blob.size()); }
        for (const std::string& blob : blobs) { bytes += blob; }
        return bytes;
    }
    static void unpack(std::string_view bytes, std::size_t count, std::vector<std::string>& blobs) {
        std::string_view contents = bytes.substr(count * sizeof(std::uint64_t));
        for (std::size_t index = 0; index < count; ++index) {
            const std::uint64_t length = number_at(bytes, index);
            blobs.emplace_back(contents.substr(0, length));
            contents.remove_prefix(length);
        }
    }

 private:
    static void append_number(std::string& bytes, std::uint64_t number) {
        bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
    }
    static std::uint64_t number_at(std::string_view bytes, std::size_t index) {
        std::uint64_t number = 0;
        std::memcpy(&number, bytes.data() + index * sizeof number, sizeof number);
        return number;
    }
};

std::span<std::byte> bytes_in(std::string& text) { return std::as_writable_bytes(std::span(text)); }

// Sends one string and receives another of unknown length.
std::string swap_strings(Mesh& mesh, std::string outgoing, int to, int from) {
    std::uint64_t outgoing_length = outgoing.size();
    std::uint64_t incoming_length = 0;
    mesh.links().send(to, std::as_bytes(std::span(&outgoing_length, 1)));
    mesh.links().send(to, bytes_in(outgoing));
    mesh.links().wait(mesh.links().receive(from, std::as_writable_bytes(std::span(&incoming_length, 1))));
    std::string incoming(incoming_length, '\0');
    mesh.links().receive(from, bytes_in(incoming));
    mesh.links().finish();
    return incoming;
}

}  // namespace

ReduceWay choose_way(int ranks, std::size_t bytes) {
    const double others = ranks - 1;
    const double all = static_cast<double>(bytes) / kBytesPerLatency;
    if (ranks > kFewRanks) {
        const double ring = 2 * others * (1 + all / ranks);
        return rounds_of(ranks) * (1 + all) < ring ? ReduceWay::kDoubling : ReduceWay::kRing;
    }
    const double direct = 1 + others * all * (1 + kAdding);
    const double parts = 2 + others * all / ranks * (2 + kAdding);
    return direct < parts ? ReduceWay::kDirect : ReduceWay::kByParts;
}

void all_reduce(Mesh& mesh, Scratch& scratch, const Buffer& buffer, ReduceOp op, ReduceWay way) {
    switch (way) {
        case ReduceWay::kDirect: return reduce_directly(mesh, scratch, buffer, op);
        case ReduceWay::kByParts: return reduce_by_parts(mesh, scratch, buffer, op);
        case ReduceWay::kDoubling: return Doubling(mesh, scratch, buffer, op).run();
        case ReduceWay::kRing: return reduce_round_ring(mesh, scratch, buffer, op);
    }
}

void broadcast(Mesh& mesh, std::span<std::byte> bytes, int root) {
    const std::size_t segments = (bytes.size() + kSegmentBytes - 1) / kSegmentBytes;
    const auto ranks = static_cast<std::size_t>(mesh.size());
    const bool chain_is_faster = segments + ranks - 2 < segments * static_cast<std::size_t>(rounds_of(mesh.size()));
    if (chain_is_faster) { return broadcast_along_chain(mesh, bytes, root); }
    broadcast_by_tree(mesh, bytes, root);
}

// After round k a rank holds the blobs of itself and the 2^k - 1 ranks after it.
std::vector<std::string> all_gather(Mesh& mesh, std::string_view mine) {
    const int size = mesh.size();
    std::vector<std::string> blobs(1, std::string(mine));
    for (int held = 1; held < size; held *= 2) {
        const auto count = static_cast<std::size_t>(std::min(held, size - held));
        const std::string incoming = swap_strings(mesh, Parcel::pack(std::span(blobs).first(count)), (mesh.rank() + size - held) % size,
                                                  (mesh.rank() + held) % size);
        Parcel::unpack(incoming, count, blobs);
    }
    std::rotate(blobs.begin(), blobs.end() - mesh.rank(), blobs.end());
    return blobs;
}

}  // namespace medley::executor
