#include "executor/collectives/nccl/nccl_collective.h"

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "executor/collectives/nccl/communicator.h"
#include "executor/collectives/nccl/cuda_memory.h"

namespace medley::executor {
namespace {

ncclDataType_t data_type(ElementType type) {
    switch (type) {
        case ElementType::kFloat32: return ncclFloat32;
        case ElementType::kFloat64: return ncclFloat64;
        case ElementType::kInt64: return ncclInt64;
    }
    return ncclFloat32;
}

class NcclCollective : public Collective {
 public:
    explicit NcclCollective(const CollectiveSetup& setup)
        : device_(use_cuda_device(setup.device)), rank_(setup.rank), size_(setup.size), communicator_(setup) {}

    int rank() const override { return rank_; }
    int size() const override { return size_; }
    bool takes_device_memory() const override { return true; }

    Outcome all_reduce(const Buffer& buffer, ReduceOp op) override {
        MEDLEY_ASSERT(op == ReduceOp::kSum || buffer.type == ElementType::kInt64);
        return attempt([&] {
            if (buffer.elements == 0) { return; }
            if (buffer.memory == MemoryKind::kDevice) { return reduce(buffer.data, buffer, op, static_cast<cudaStream_t>(buffer.stream)); }
            const std::size_t bytes = buffer.elements * bytes_of(buffer.type);
            std::byte* staged = scratch_.at_least(bytes);
            to_device(staged, buffer.data, bytes);
            reduce(staged, buffer, op, stream_.get());
            to_host(buffer.data, staged, bytes);
        });
    }

    Outcome broadcast(std::span<std::byte> bytes, int root) override {
        return attempt([&] {
            if (bytes.empty()) { return; }
            std::byte* staged = scratch_.at_least(bytes.size());
            if (rank_ == root) { to_device(staged, bytes.data(), bytes.size()); }
            finish(ncclBroadcast(staged, staged, bytes.size(), ncclInt8, root, communicator_.get(), stream_.get()), stream_.get());
            if (rank_ != root) { to_host(bytes.data(), staged, bytes.size()); }
        });
    }

    // Lengths first; then everybody's bytes, padded to the longest.
    tl::expected<std::vector<std::string>, CollectiveFailure> all_gather(std::string_view mine) override {
        std::vector<std::string> all(static_cast<std::size_t>(size_));
        const Outcome outcome = attempt([&] {
            std::vector<std::uint64_t> lengths(all.size());
            lengths[static_cast<std::size_t>(rank_)] = mine.size();
            gather(reinterpret_cast<char*>(lengths.data()), sizeof(std::uint64_t));
            const std::uint64_t longest = *std::max_element(lengths.begin(), lengths.end());
            std::string bytes(longest * all.size(), '\0');
            std::copy(mine.begin(), mine.end(), bytes.begin() + static_cast<std::ptrdiff_t>(longest * static_cast<std::uint64_t>(rank_)));
            if (longest > 0) { gather(bytes.data(), longest); }
            for (std::size_t rank = 0; rank < all.size(); ++rank) { all[rank] = bytes.substr(rank * longest, lengths[rank]); }
        });
        if (!outcome) { return tl::unexpected(outcome.error()); }
        return all;
    }

    void abort() noexcept override { communicator_.abort(); }

 private:
    template <class Work>
    Outcome attempt(Work work) {
        if (!failure_ && communicator_.aborted()) { fail({CollectiveFailure::Kind::kAborted, "aborted"}); }
        if (failure_) { return tl::unexpected(*failure_); }
        require_cuda(cudaSetDevice(device_), "choosing the device");
        try {
            work();
        } catch (const NcclFailure& failure) {
            fail(failure.failure());
            return tl::unexpected(*failure_);
        }
        return {};
    }

    void fail(const CollectiveFailure& failure) {
        failure_ = failure;
        communicator_.give_up();
    }

    void finish(ncclResult_t result, cudaStream_t stream) {
        // The call may still be on its way to the stream; only then does the event come after its work.
        communicator_.finish(result, [] { return true; });
        event_.record(stream);
        communicator_.finish(ncclSuccess, [this] { return event_.done(); });
    }

    void reduce(void* data, const Buffer& buffer, ReduceOp op, cudaStream_t stream) {
        const ncclRedOp_t reduction = op == ReduceOp::kSum ? ncclSum : ncclMax;
        finish(ncclAllReduce(data, data, buffer.elements, data_type(buffer.type), reduction, communicator_.get(), stream), stream);
    }

    // In place: rank r's bytes stand at r times their length.
    void gather(char* host, std::size_t bytes_each) {
        const std::size_t bytes = bytes_each * static_cast<std::size_t>(size_);
        std::byte* staged = scratch_.at_least(bytes);
        to_device(staged, host, bytes);
        const std::byte* mine = staged + bytes_each * static_cast<std::size_t>(rank_);
        finish(ncclAllGather(mine, staged, bytes_each, ncclInt8, communicator_.get(), stream_.get()), stream_.get());
        to_host(host, staged, bytes);
    }

    void to_device(void* device, const void* host, std::size_t bytes) {
        require_cuda(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream_.get()), "copying to the device");
    }
    void to_host(void* host, const void* device, std::size_t bytes) {
        require_cuda(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream_.get()), "copying from the device");
        require_cuda(cudaStreamSynchronize(stream_.get()), "copying from the device");
    }

    int device_;
    int rank_;
    int size_;
    CudaStream stream_;
    CudaEvent event_;
    CudaScratch scratch_;
    Communicator communicator_;  // after the stream and the memory, so that it ends before them
    std::optional<CollectiveFailure> failure_;
};

}  // namespace

CollectiveMade connect_nccl_ranks(const CollectiveSetup& setup) {
    try {
        return std::make_unique<NcclCollective>(setup);
    } catch (const NcclFailure& failure) { return tl::unexpected(failure.failure()); }
}

}  // namespace medley::executor
