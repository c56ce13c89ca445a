#include "executor/collectives/gloo/gloo_collective.h"

#include <optional>

#include "core/error.h"
#include "executor/collectives/gloo/gloo_algorithms.h"
#include "executor/collectives/gloo/mesh.h"
#include "executor/collectives/gloo/scratch.h"

namespace medley::executor {
namespace {

class GlooCollective : public Collective {
 public:
    explicit GlooCollective(const CollectiveSetup& setup) : mesh_(setup) { mesh_.connect(setup); }

    int rank() const override { return mesh_.rank(); }
    int size() const override { return mesh_.size(); }

    Outcome all_reduce(const Buffer& buffer, ReduceOp op) override {
        MEDLEY_ASSERT(buffer.memory == MemoryKind::kHost);
        const std::size_t bytes = buffer.elements * bytes_of(buffer.type);
        return attempt(bytes, [&] { executor::all_reduce(mesh_, scratch_, buffer, op, choose_way(size(), bytes)); });
    }

    Outcome broadcast(std::span<std::byte> bytes, int root) override {
        return attempt(bytes.size(), [&] { executor::broadcast(mesh_, bytes, root); });
    }

    tl::expected<std::vector<std::string>, CollectiveFailure> all_gather(std::string_view mine) override {
        std::vector<std::string> all(1, std::string(mine));
        const Outcome outcome = attempt(1, [&] { all = executor::all_gather(mesh_, mine); });
        if (!outcome) { return tl::unexpected(outcome.error()); }
        return all;
    }

    void abort() noexcept override { mesh_.abort(); }

 private:
    // Nothing travels for one rank or no bytes; but what is broken stays broken.
    template <class Work>
    Outcome attempt(std::size_t bytes, Work work) {
        if (!failure_ && mesh_.aborted()) { failure_ = {CollectiveFailure::Kind::kAborted, "aborted"}; }
        if (failure_) { return tl::unexpected(*failure_); }
        if (size() == 1 || bytes == 0) { return {}; }
        try {
            work();
        } catch (const MeshFailure& failure) {
            failure_ = failure.failure();
            if (mesh_.aborted()) { failure_->kind = CollectiveFailure::Kind::kAborted; }
            mesh_.break_off();
            return tl::unexpected(*failure_);
        }
        return {};
    }

    Mesh mesh_;
    Scratch scratch_;
    std::optional<CollectiveFailure> failure_;
};

}  // namespace

CollectiveMade connect_gloo(const CollectiveSetup& setup) {
    try {
        return std::make_unique<GlooCollective>(setup);
    } catch (const MeshFailure& failure) { return tl::unexpected(failure.failure()); }
}

}  // namespace medley::executor
