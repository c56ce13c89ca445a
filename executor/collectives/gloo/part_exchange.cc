#include "executor/collectives/gloo/part_exchange.h"

#include <algorithm>
#include <vector>

#include "executor/collectives/combine.h"
#include "executor/collectives/gloo/chunk_layout.h"

namespace medley::executor {
namespace {

constexpr std::size_t kSegmentBytes = 256 << 10;
constexpr std::size_t kDepth = 2;  ///< addends of so many segments are on their way

// On each link: addends of the first segments; then, for each segment, its sum and the addends of a later one.
class PartExchange {
 public:
    PartExchange(Mesh& mesh, Scratch& scratch, const Buffer& buffer, ReduceOp op)
        : mesh_(mesh),
          buffer_(buffer),
          op_(op),
          layout_{buffer.elements, bytes_of(buffer.type), mesh.size(), kSegmentBytes / bytes_of(buffer.type)},
          place_bytes_(std::min(layout_.segment_elements, layout_.chunk_elements()) * layout_.element_bytes),
          places_(scratch.bytes(kDepth * ranks() * place_bytes_)),
          receipts_(kDepth * ranks()) {}

    void run() {
        const std::size_t segments = layout_.segments();
        for (std::size_t number = 0; number < std::min(kDepth, segments); ++number) { post_addends(number); }
        for (std::size_t number = 0; number < segments; ++number) {
            add(number);
            post_sums(number);
            if (number + kDepth < segments) { post_addends(number + kDepth); }
        }
        mesh_.links().finish();
    }

 private:
    std::size_t ranks() const { return static_cast<std::size_t>(mesh_.size()); }
    std::size_t slot(int rank, std::size_t number) const { return number % kDepth * ranks() + static_cast<std::size_t>(rank); }

    std::span<std::byte> segment(int chunk, std::size_t number) const {
        const auto [first, count] = layout_.segment(chunk, number);
        return {static_cast<std::byte*>(buffer_.data) + first * layout_.element_bytes, count * layout_.element_bytes};
    }
    std::span<std::byte> own(std::size_t number) const { return segment(mesh_.rank(), number); }
    std::span<std::byte> place(int rank, std::size_t number) const {
        return places_.subspan(slot(rank, number) * place_bytes_, own(number).size());
    }

    void post_addends(std::size_t number) {
        for (const int peer : mesh_.peers()) {
            receipts_[slot(peer, number)] = mesh_.links().receive(peer, place(peer, number));
            mesh_.links().send(peer, segment(peer, number));
        }
    }

    void post_sums(std::size_t number) {
        for (const int peer : mesh_.peers()) {
            mesh_.links().receive(peer, segment(peer, number));
            mesh_.links().send(peer, own(number));
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
