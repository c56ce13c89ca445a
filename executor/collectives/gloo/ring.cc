#include "executor/collectives/gloo/ring.h"

#include <algorithm>
#include <vector>

#include "executor/collectives/combine.h"

namespace medley::executor {
namespace {

constexpr std::size_t kSegmentBytes = 2 << 20;  // measured: smaller ones cost more in threads woken up than they overlap
constexpr std::size_t kReceivesAhead = 2;

// Turns are numbered over all steps and segments. In step t a rank sends chunk rank - t and receives chunk rank - t - 1; the first n - 1
// steps add, the others overwrite. A segment received in one step is sent on in the next.
class Ring {
 public:
    Ring(Mesh& mesh, const Buffer& buffer, ReduceOp op)
        : mesh_(mesh),
          buffer_(buffer),
          op_(op),
          layout_{buffer.elements, bytes_of(buffer.type), mesh.size(), kSegmentBytes / bytes_of(buffer.type)},
          segments_(layout_.segments()),
          adding_turns_(static_cast<std::size_t>(mesh.size() - 1) * segments_),
          turns_(2 * adding_turns_),
          ahead_(std::min(kReceivesAhead, adding_turns_)),
          scratch_(ahead_ * scratch_stride()),
          data_window_(mesh, {data(), buffer.elements * layout_.element_bytes}),
          scratch_window_(mesh, scratch_) {}

    void run() {
        for (std::size_t turn = 0; turn < ahead_; ++turn) { post_receive(turn); }
        for (std::size_t turn = 0; turn < segments_; ++turn) { post_send(turn); }
        for (std::size_t turn = 0; turn < turns_; ++turn) {
            finish_receive(turn);
            if (turn + segments_ < turns_) { post_send(turn + segments_); }
            if (turn + ahead_ < turns_) { post_receive(turn + ahead_); }
        }
        finish_sends(turns_);
    }

 private:
    std::byte* data() const { return static_cast<std::byte*>(buffer_.data); }
    std::size_t scratch_stride() const { return std::min(layout_.segment_elements, layout_.chunk_elements()) * layout_.element_bytes; }
    std::size_t scratch_offset(std::size_t turn) const { return turn % ahead_ * scratch_stride(); }
    int neighbour(int distance) const { return (mesh_.rank() + distance + mesh_.size()) % mesh_.size(); }

    RingLayout::Segment segment(std::size_t turn, int distance) const {
        const int step = static_cast<int>(turn / segments_);
        const int chunk = (mesh_.rank() - step - distance + 3 * mesh_.size()) % mesh_.size();
        return layout_.segment(chunk, turn % segments_);
    }
    RingLayout::Segment outgoing(std::size_t turn) const { return segment(turn, 0); }
    RingLayout::Segment incoming(std::size_t turn) const { return segment(turn, 1); }

    void post_send(std::size_t turn) {
        const auto [first, count] = outgoing(turn);
        if (count > 0) { data_window_.send(neighbour(1), first * layout_.element_bytes, count * layout_.element_bytes); }
    }

    void post_receive(std::size_t turn) {
        const auto [first, count] = incoming(turn);
        if (turn >= adding_turns_) { finish_sends(turn - adding_turns_ + 1); }  // of what is overwritten now
        if (count == 0) { return; }
        const std::size_t length = count * layout_.element_bytes;
        if (turn < adding_turns_) {
            scratch_window_.receive(neighbour(-1), scratch_offset(turn), length);
        } else {
            data_window_.receive(neighbour(-1), first * layout_.element_bytes, length);
        }
    }

    void finish_receive(std::size_t turn) {
        const auto [first, count] = incoming(turn);
        if (count == 0) { return; }
        if (turn >= adding_turns_) { return data_window_.wait_received(); }
        scratch_window_.wait_received();
        std::byte* mine = data() + first * layout_.element_bytes;
        combine(mine, scratch_.data() + scratch_offset(turn), mine, count, buffer_.type, op_);
    }

    void finish_sends(std::size_t turns) {
        for (; sent_ < turns; ++sent_) {
            if (outgoing(sent_).count > 0) { data_window_.wait_sent(); }
        }
    }

    Mesh& mesh_;
    const Buffer& buffer_;
    ReduceOp op_;
    RingLayout layout_;
    std::size_t segments_;
    std::size_t adding_turns_;
    std::size_t turns_;
    std::size_t ahead_;
    std::size_t sent_ = 0;
    std::vector<std::byte> scratch_;
    Mesh::Window data_window_;
    Mesh::Window scratch_window_;
};

}  // namespace

RingLayout::Segment RingLayout::segment(int chunk, std::size_t number) const {
    const std::size_t chunk_first = static_cast<std::size_t>(chunk) * chunk_elements();
    const std::size_t chunk_end = std::min(chunk_first + chunk_elements(), elements);
    const std::size_t first = chunk_first + number * segment_elements;
    if (first >= chunk_end) { return {}; }
    return {first, std::min(segment_elements, chunk_end - first)};
}

void reduce_round_ring(Mesh& mesh, const Buffer& buffer, ReduceOp op) { Ring(mesh, buffer, op).run(); }

}  // namespace medley::executor
