#include "executor/collectives/gloo/gloo_algorithms.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>

#include "executor/collectives/combine.h"
#include "executor/collectives/gloo/address_book.h"
#include "executor/collectives/gloo/ring.h"

namespace medley::executor {
namespace {

using Window = Mesh::Window;

constexpr std::size_t kSegmentBytes = 1 << 20;
// A message costs as much as so many bytes; measured.
constexpr double kBytesPerLatency = 40'000;
// Beyond, the copies into letters cost more than the requests of bulk messages.
constexpr std::size_t kMostByParts = 3 << 19;

std::span<std::byte> bytes_in(const Buffer& buffer) {
    return {static_cast<std::byte*>(buffer.data), buffer.elements * bytes_of(buffer.type)};
}

// Consecutive stretches of the buffer, of so many bytes at most.
std::vector<Buffer> blocks_of(const Buffer& buffer, std::size_t capacity) {
    const std::size_t width = bytes_of(buffer.type);
    std::vector<Buffer> blocks;
    for (std::size_t first = 0; first < buffer.elements; first += capacity / width) {
        Buffer block = buffer;
        block.data = static_cast<std::byte*>(buffer.data) + first * width;
        block.elements = std::min(capacity / width, buffer.elements - first);
        blocks.push_back(block);
    }
    return blocks;
}

// mine = the sum over ranks, in their order, of their letters and `mine` as it is.
void add_letters(const Mesh& mesh, Mailboxes& boxes, std::span<std::byte> mine, const Buffer& kind, ReduceOp op) {
    std::vector<std::byte> own(mine.begin(), mine.end());
    const auto addend = [&](int rank) { return rank == mesh.rank() ? own.data() : boxes.receive(rank, mine.size()); };
    const void* sum = addend(0);
    for (int rank = 1; rank < mesh.size(); ++rank) {
        combine(mine.data(), sum, addend(rank), mine.size() / bytes_of(kind.type), kind.type, op);
        sum = mine.data();
    }
}

// Every rank's numbers come here.
void reduce_directly(Mesh& mesh, Mailboxes& boxes, const Buffer& letter, ReduceOp op) {
    const std::span<std::byte> mine = bytes_in(letter);
    for (const int peer : mesh.peers()) { boxes.send(peer, mine); }
    add_letters(mesh, boxes, mine, letter, op);
    boxes.finish_sending();
}

// Each rank adds one part for all: it gets that part from everybody, and sends everybody the sum.
void reduce_by_parts(Mesh& mesh, Mailboxes& boxes, const Buffer& block, ReduceOp op) {
    const std::size_t width = bytes_of(block.type);
    const auto ranks = static_cast<std::size_t>(mesh.size());
    const std::size_t share = (block.elements + ranks - 1) / ranks;
    const auto part_of = [&](int rank) {
        const std::size_t first = std::min(block.elements, static_cast<std::size_t>(rank) * share);
        return bytes_in(block).subspan(first * width, std::min(share, block.elements - first) * width);
    };
    for (const int peer : mesh.peers()) { boxes.send(peer, part_of(peer)); }
    const std::span<std::byte> mine = part_of(mesh.rank());
    add_letters(mesh, boxes, mine, block, op);
    boxes.finish_sending();
    for (const int peer : mesh.peers()) { boxes.send(peer, mine); }
    for (const int peer : mesh.peers()) {
        const std::span<std::byte> part = part_of(peer);
        std::copy_n(boxes.receive(peer, part.size()), part.size(), part.begin());
    }
    boxes.finish_sending();
}

// Recursive doubling.
class Doubling {
 public:
    Doubling(Mesh& mesh, Mailboxes& boxes, const Buffer& letter, ReduceOp op)
        : mesh_(mesh), boxes_(boxes), letter_(letter), op_(op), mine_(bytes_in(letter)) {}

    void run() {
        const int rank = mesh_.rank();
        const int paired = static_cast<int>(std::bit_floor(static_cast<unsigned>(mesh_.size())));
        if (rank >= paired) {
            give(rank - paired);
            std::copy_n(take(rank - paired), mine_.size(), mine_.begin());
            return;
        }
        const bool has_odd_one = rank + paired < mesh_.size();
        if (has_odd_one) { add(rank + paired); }
        for (int distance = 1; distance < paired; distance *= 2) {
            give(rank ^ distance);
            add(rank ^ distance);
        }
        if (has_odd_one) { give(rank + paired); }
        boxes_.finish_sending();
    }

 private:
    const std::byte* take(int rank) {
        const std::byte* letter = boxes_.receive(rank, mine_.size());
        boxes_.finish_sending();
        return letter;
    }
    void give(int rank) { boxes_.send(rank, mine_); }
    // The lower rank's numbers stand left on both sides.
    void add(int rank) {
        const void* theirs = take(rank);
        const void* left = rank < mesh_.rank() ? theirs : mine_.data();
        const void* right = rank < mesh_.rank() ? mine_.data() : theirs;
        combine(mine_.data(), left, right, letter_.elements, letter_.type, op_);
    }

    Mesh& mesh_;
    Mailboxes& boxes_;
    const Buffer& letter_;
    ReduceOp op_;
    std::span<std::byte> mine_;
};

// Ranks are counted from the root: rank v hears from v without its highest bit, and tells v + 2^k for each 2^k above it.
void broadcast_by_tree(Mesh& mesh, std::span<std::byte> bytes, int root) {
    const int size = mesh.size();
    const auto position = static_cast<unsigned>((mesh.rank() - root + size) % size);
    const auto rank_at = [&](unsigned at) { return (static_cast<int>(at) + root) % size; };
    Window window(mesh, bytes);
    if (position > 0) {
        window.receive(rank_at(position - std::bit_floor(position)), 0, bytes.size());
        window.wait_received();
    }
    int sent = 0;
    const unsigned first = position == 0 ? 1 : 2 * std::bit_floor(position);
    for (unsigned bit = first; position + bit < static_cast<unsigned>(size); bit *= 2, ++sent) {
        window.send(rank_at(position + bit), 0, bytes.size());
    }
    for (; sent > 0; --sent) { window.wait_sent(); }
}

// Everybody passes on what it gets, segment by segment.
void broadcast_along_chain(Mesh& mesh, std::span<std::byte> bytes, int root) {
    constexpr std::size_t kAhead = 4;
    const int size = mesh.size();
    const int position = (mesh.rank() - root + size) % size;
    const bool receives = position > 0;
    const bool sends = position + 1 < size;
    const std::size_t segments = (bytes.size() + kSegmentBytes - 1) / kSegmentBytes;
    const auto length = [&](std::size_t segment) { return std::min(kSegmentBytes, bytes.size() - segment * kSegmentBytes); };
    Window window(mesh, bytes);
    const auto post = [&](std::size_t segment) {
        if (receives && segment < segments) { window.receive((mesh.rank() + size - 1) % size, segment * kSegmentBytes, length(segment)); }
    };
    for (std::size_t segment = 0; segment < kAhead; ++segment) { post(segment); }
    for (std::size_t segment = 0; segment < segments; ++segment) {
        if (receives) { window.wait_received(); }
        post(segment + kAhead);
        if (sends) { window.send((mesh.rank() + 1) % size, segment * kSegmentBytes, length(segment)); }
    }
    for (std::size_t segment = 0; sends && segment < segments; ++segment) { window.wait_sent(); }
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
    std::array<std::uint64_t, 2> lengths = {outgoing.size(), 0};
    Window length_window(mesh, std::as_writable_bytes(std::span(lengths)));
    Window outgoing_window(mesh, bytes_in(outgoing));
    length_window.receive(from, sizeof lengths[0], sizeof lengths[1]);
    length_window.send(to, 0, sizeof lengths[0]);
    outgoing_window.send(to, 0, outgoing.size());
    length_window.wait_received();
    std::string incoming(lengths[1], '\0');
    Window incoming_window(mesh, bytes_in(incoming));
    incoming_window.receive(from, 0, incoming.size());
    incoming_window.wait_received();
    length_window.wait_sent();
    outgoing_window.wait_sent();
    return incoming;
}

}  // namespace

ReduceWay choose_way(int ranks, std::size_t bytes) {
    const double others = ranks - 1;
    const double all = static_cast<double>(bytes) / kBytesPerLatency;
    const double ring = 2 * others * (1 + all / ranks);
    if (ranks > kFewRanks) { return rounds_of(ranks) * (1 + all) < ring ? ReduceWay::kDoubling : ReduceWay::kRing; }
    if (bytes > kMostByParts) { return ReduceWay::kRing; }
    return 1 + others * all < 2 + 2 * others * all / ranks ? ReduceWay::kDirect : ReduceWay::kByParts;
}

void all_reduce(Mesh& mesh, Mailboxes& boxes, const Buffer& buffer, ReduceOp op, ReduceWay way) {
    if (way == ReduceWay::kRing) { return reduce_round_ring(mesh, buffer, op); }
    const std::size_t letters = way == ReduceWay::kByParts ? static_cast<std::size_t>(mesh.size()) : 1;
    for (const Buffer& block : blocks_of(buffer, letters * boxes.capacity())) {
        switch (way) {
            case ReduceWay::kDirect: reduce_directly(mesh, boxes, block, op); break;
            case ReduceWay::kByParts: reduce_by_parts(mesh, boxes, block, op); break;
            default: Doubling(mesh, boxes, block, op).run();
        }
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
