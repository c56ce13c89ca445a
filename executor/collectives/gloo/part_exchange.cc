#include "executor/collectives/gloo/part_exchange.h"

#include <algorithm>
#include <vector>

#include "executor/collectives/combine.h"
#include "executor/collectives/gloo/chunk_layout.h"

namespace medley::executor {
namespace {

constexpr std::size_t kSegmentBytes = 256 << 10;
constexpr std::size_t kReceivesAhead = 2;

// On each link first all addends, then all sums: a rank that is late holds nobody up, for what is sent to it waits in the kernel.
class PartExchange {
 public:
    PartExchange(Mesh& mesh, Scratch& scratch, const Buffer& buffer, ReduceOp op)
        : mesh_(mesh),
          buffer_(buffer),
          op_(op),
          layout_{buffer.elements, bytes_of(buffer.type), mesh.size(), kSegmentBytes / bytes_of(buffer.type)},
          place_bytes_(std::min(layout_.segment_elements, layout_.chunk_elements()) * layout_.element_bytes),
          places_(scratch.bytes(kReceivesAhead * ranks() * place_bytes_)),
          receipts_(kReceivesAhead * ranks()) {}

    void run() {
        for (const int peer : mesh_.peers()) { mesh_.links().send(peer, chunk(peer)); }
        const std::size_t segments = layout_.segments();
        for (std::size_t number = 0; number < std::min(kReceivesAhead, segments); ++number) { receive_addends(number); }
        for (std::size_t number = 0; number < segments; ++number) {
            add(number);
            for (const int peer : mesh_.peers()) { mesh_.links().send(peer, own(number)); }
            if (number + kReceivesAhead < segments) { receive_addends(number + kReceivesAhead); }
        }
        mesh_.links().finish();
    }

 private:
    std::size_t ranks() const { return static_cast<std::size_t>(mesh_.size()); }
    std::size_t slot(int rank, std::size_t number) const { return number % kReceivesAhead * ranks() + static_cast<std::size_t>(rank); }

    std::span<std::byte> bytes_of_elements(std::size_t first, std::size_t count) const {
        return {static_cast<std::byte*>(buffer_.data) + first * layout_.element_bytes, count * layout_.element_bytes};
    }
    std::span<std::byte> chunk(int rank) const {
        const auto [first, count] = layout_.chunk(rank);
        return bytes_of_elements(first, count);
    }
    std::span<std::byte> own(std::size_t number) const {
        const auto [first, count] = layout_.segment(mesh_.rank(), number);
        return bytes_of_elements(first, count);
    }
    std::span<std::byte> place(int rank, std::size_t number) const {
        return places_.subspan(slot(rank, number) * place_bytes_, own(number).size());
    }

    // After the last of them come the sums; each byte into memory whose addend has long been sent, for it is in the sum.
    void receive_addends(std::size_t number) {
        for (const int peer : mesh_.peers()) {
            receipts_[slot(peer, number)] = mesh_.links().receive(peer, place(peer, number));
            if (number + 1 == layout_.segments()) { mesh_.links().receive(peer, chunk(peer)); }
        }
    }

    std::byte* addend(int rank, std::size_t number) {
        if (rank == mesh_.rank()) { return own(number).data(); }
        mesh_.links().wait(receipts_[slot(rank, number)]);
        return place(rank, number).data();
    }

    // In the order of the ranks, up to this one in the first rank's memory.
    void add(std::size_t number) {
        const std::size_t elements = own(number).size() / layout_.element_bytes;
        std::byte* sum = addend(0, number);
        for (int rank = 1; rank < mesh_.size(); ++rank) {
            std::byte* const next = addend(rank, number);
            std::byte* const target = rank == mesh_.rank() ? next : sum;
            combine(target, sum, next, elements, buffer_.type, op_);
            sum = target;
        }
    }

    Mesh& mesh_;
    const Buffer& buffer_;
    ReduceOp op_;
    ChunkLayout layout_;
    std::size_t place_bytes_;
    std::span<std::byte> places_;
    std::vector<Links::Receipt> receipts_;
};

}  // namespace

void reduce_by_parts(Mesh& mesh, Scratch& scratch, const Buffer& buffer, ReduceOp op) { PartExchange(mesh, scratch, buffer, op).run(); }

}  // namespace medley::executor
