#include <nccl.h>

#include <cstring>
#include <deque>
#include <map>
#include <thread>

#include "executor/collectives/combine.h"
#include "tests/support/fake_cuda/fake_cuda.h"
#include "tests/support/fake_cuda/star.h"

namespace medley::test {
namespace {

using executor::ElementType;
using Join = std::function<std::string(std::span<const std::string>)>;

std::size_t width_of(ncclDataType_t type) { return type == ncclInt8 ? 1 : type == ncclFloat32 ? 4 : 8; }

ElementType element_type(ncclDataType_t type) {
    return type == ncclFloat32 ? ElementType::kFloat32 : type == ncclFloat64 ? ElementType::kFloat64 : ElementType::kInt64;
}

// Listeners of this process whose ids have been given out and not been used yet.
class Listeners {
 public:
    int add() {
        const Listener listener = listen_on_loopback();
        const std::lock_guard lock(mutex_);
        sockets_[listener.port] = listener.socket;
        return listener.port;
    }
    int take(int port) {
        const std::lock_guard lock(mutex_);
        const auto found = sockets_.find(port);
        if (found == sockets_.end()) { return -1; }
        const int socket = found->second;
        sockets_.erase(found);
        return socket;
    }

 private:
    std::mutex mutex_;
    std::map<int, int> sockets_;
};

Listeners& listeners() {
    static Listeners all;
    return all;
}

}  // namespace

// Its own thread does what it is given, one thing after another.
class FakeComm {
 public:
    FakeComm(int rank, int ranks, int port) : star_(rank, ranks) {
        count_fake_communicator(1);
        add([this, rank, port] { return rank == 0 ? star_.accept_all(listeners().take(port)) : star_.connect_to(port); }, nullptr);
    }
    ~FakeComm() {
        star_.cut();
        {
            const std::lock_guard lock(mutex_);
            ending_ = true;
        }
        changed_.notify_all();
        thread_.join();
        for (FakeStream* stream : abandoned_) { stream->end_work(); }
        count_fake_communicator(-1);
    }

    ncclResult_t collect(const void* from, std::size_t bytes, void* to, cudaStream_t handle, Join join) {
        FakeStream& stream = fake_stream(handle);
        stream.begin_work();
        add(
            [this, from, bytes, to, join = std::move(join)] {
                const std::string mine(static_cast<const char*>(from), bytes);
                std::string answer;
                if (!star_.exchange(mine, answer, join)) { return false; }
                if (!answer.empty()) { std::memcpy(to, answer.data(), answer.size()); }
                return true;
            },
            &stream);
        return ncclInProgress;
    }

    // Says "in progress" once after each call, as the true one may.
    ncclResult_t state() {
        const std::lock_guard lock(mutex_);
        if (error_ != ncclSuccess) { return error_; }
        const bool first_look = std::exchange(called_, false);
        return first_look || starting_ ? ncclInProgress : ncclSuccess;
    }

 private:
    struct Task {
        std::function<bool()> work;
        FakeStream* stream = nullptr;
    };

    void add(std::function<bool()> work, FakeStream* stream) {
        const std::lock_guard lock(mutex_);
        tasks_.push_back({std::move(work), stream});
        called_ = true;
        changed_.notify_all();
    }

    void run() {
        while (true) {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [this] { return ending_ || !tasks_.empty(); });
            if (tasks_.empty()) { return; }
            const Task task = std::move(tasks_.front());
            tasks_.pop_front();
            lock.unlock();
            const bool done = task.work();
            lock.lock();
            starting_ = starting_ && !done;
            if (!done) {
                error_ = ncclRemoteError;
                star_.cut();
            }
            lock.unlock();
            // A failed kernel stays on the stream until the communicator is aborted.
            if (task.stream != nullptr) { done ? task.stream->end_work() : abandoned_.push_back(task.stream); }
        }
    }

    Star star_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Task> tasks_;
    bool called_ = false;
    bool starting_ = true;
    bool ending_ = false;
    ncclResult_t error_ = ncclSuccess;
    std::vector<FakeStream*> abandoned_;
    std::thread thread_{[this] { run(); }};
};

namespace {

FakeComm& fake(ncclComm_t comm) { return *reinterpret_cast<FakeComm*>(comm); }

}  // namespace
}  // namespace medley::test

using medley::test::fake;
using Parts = std::span<const std::string>;

extern "C" {

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
    const int port = medley::test::listeners().add();
    std::memset(id->internal, 0, sizeof id->internal);
    std::memcpy(id->internal, &port, sizeof port);
    return ncclSuccess;
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank, ncclConfig_t* config) {
    if (config->blocking != 0) { return ncclInvalidArgument; }
    int port = 0;
    std::memcpy(&port, id.internal, sizeof port);
    *comm = reinterpret_cast<ncclComm_t>(new medley::test::FakeComm(rank, ranks, port));
    return ncclInProgress;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* error) {
    *error = fake(comm).state();
    return ncclSuccess;
}

ncclResult_t ncclCommFinalize(ncclComm_t) { return ncclSuccess; }

ncclResult_t ncclCommDestroy(ncclComm_t comm) {
    delete &fake(comm);
    return ncclSuccess;
}

ncclResult_t ncclCommAbort(ncclComm_t comm) {
    delete &fake(comm);
    return ncclSuccess;
}

ncclResult_t ncclAllReduce(const void* from, void* to, std::size_t count, ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm,
                           cudaStream_t stream) {
    const auto sum = [=](Parts parts) {
        std::string total = parts.front();
        const auto how = op == ncclSum ? medley::executor::ReduceOp::kSum : medley::executor::ReduceOp::kMax;
        for (const std::string& part : parts.subspan(1)) {
            medley::executor::combine(total.data(), total.data(), part.data(), count, medley::test::element_type(type), how);
        }
        return total;
    };
    return fake(comm).collect(from, count * medley::test::width_of(type), to, stream, sum);
}

ncclResult_t ncclBroadcast(const void* from, void* to, std::size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                           cudaStream_t stream) {
    return fake(comm).collect(from, count * medley::test::width_of(type), to, stream,
                              [root](Parts parts) { return parts[static_cast<std::size_t>(root)]; });
}

ncclResult_t ncclAllGather(const void* from, void* to, std::size_t count, ncclDataType_t type, ncclComm_t comm, cudaStream_t stream) {
    return fake(comm).collect(from, count * medley::test::width_of(type), to, stream, [](Parts parts) {
        std::string all;
        for (const std::string& part : parts) { all += part; }
        return all;
    });
}

const char* ncclGetErrorString(ncclResult_t result) {
    return result == ncclRemoteError ? "remote process exited or there was a network error" : "fake error";
}

}  // extern "C"
