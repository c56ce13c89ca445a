#include "executor/collectives/gloo/ring.h"

#include <algorithm>
#include <array>
#include <span>

#include "executor/collectives/combine.h"
#include "executor/collectives/gloo/chunk_layout.h"

namespace medley::executor {
namespace {

constexpr std::size_t kSegmentBytes = 256 << 10;  // stays in the cache between its sum and its sending
constexpr std::size_t kReceivesAhead = 2;

// Turns are numbered over all steps and segments. In step t a rank sends chunk rank - t and receives chunk rank - t - 1; the first n - 1
// steps add, the others overwrite. A segment received in one step is sent on in the next. A sum overwrites what has been sent long ago: it
// comes only after this rank's own addend has gone round.
class Ring {
 public:
    Ring(Mesh& mesh, Scratch& scratch, const Buffer& buffer, ReduceOp op)
        : mesh_(mesh),
          buffer_(buffer),
          op_(op),
          layout_{buffer.elements, bytes_of(buffer.type), mesh.size(), kSegmentBytes / bytes_of(buffer.type)},
          segments_(layout_.segments()),
          adding_turns_(static_cast<std::size_t>(mesh.size() - 1) * segments_),
          turns_(2 * adding_turns_),
          place_bytes_(std::min(layout_.segment_elements, layout_.chunk_elements()) * layout_.element_bytes),
          places_(scratch.bytes(kReceivesAhead * place_bytes_)) {}

    void run() {
        for (std::size_t turn = 0; turn < std::min(kReceivesAhead, turns_); ++turn) { post_receive(turn); }
        for (std::size_t turn = 0; turn < segments_; ++turn) { post_send(turn); }
        for (std::size_t turn = 0; turn < turns_; ++turn) {
            finish_receive(turn);
            if (turn + segments_ < turns_) { post_send(turn + segments_); }
            if (turn + kReceivesAhead < turns_) { post_receive(turn + kReceivesAhead); }
        }
        mesh_.links().finish();
    }

 private:
    int neighbour(int distance) const { return (mesh_.rank() + distance + mesh_.size()) % mesh_.size(); }

    std::span<std::byte> segment(std::size_t turn, int distance) const {
        const int step = static_cast<int>(turn / segments_);
        const int chunk = (mesh_.rank() - step - distance + 3 * mesh_.size()) % mesh_.size();
        const auto [first, count] = layout_.segment(chunk, turn % segments_);
        return {static_cast<std::byte*>(buffer_.data) + first * layout_.element_bytes, count * layout_.element_bytes};
    }
    std::span<std::byte> outgoing(std::size_t turn) const { return segment(turn, 0); }
    std::span<std::byte> incoming(std::size_t turn) const { return segment(turn, 1); }
    std::span<std::byte> place(std::size_t turn) const {
        return places_.subspan(turn % kReceivesAhead * place_bytes_, incoming(turn).size());
    }

    void post_send(std::size_t turn) { mesh_.links().send(neighbour(1), outgoing(turn)); }

    void post_receive(std::size_t turn) {
        const std::span<std::byte> target = turn < adding_turns_ ? place(turn) : incoming(turn);
        receipts_[turn % kReceivesAhead] = mesh_.links().receive(neighbour(-1), target);
    }

    void finish_receive(std::size_t turn) {
        mesh_.links().wait(receipts_[turn % kReceivesAhead]);
        if (turn >= adding_turns_) { return; }
        const std::span<std::byte> mine = incoming(turn);
        combine(mine.data(), place(turn).data(), mine.data(), mine.size() / layout_.element_bytes, buffer_.type, op_);
    }

    Mesh& mesh_;
    const Buffer& buffer_;
    ReduceOp op_;
    ChunkLayout layout_;
    std::size_t segments_;
    std::size_t adding_turns_;
    std::size_t turns_;
    std::size_t place_bytes_;
    std::span<std::byte> places_;
    std::array<Links::Receipt, kReceivesAhead> receipts_;
};

}  // namespace

void reduce_round_ring(Mesh& mesh, Scratch& scratch, const Buffer& buffer, ReduceOp op) { Ring(mesh, scratch, buffer, op).run(); }

}  // namespace medley::executor
