#include "tests/bench/collectives/bare_gloo.h"

#include <functional>

#include <gloo/allreduce.h>
#include <gloo/allreduce_halving_doubling.h>
#include <gloo/allreduce_ring_chunked.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/transport/tcp/device.h>

namespace medley::bench {

class BareGloo::Impl {
 public:
    Impl(const std::filesystem::path& folder, int rank, int size)
        : device_(gloo::transport::tcp::CreateDevice("127.0.0.1")),
          store_(folder.string()),
          context_(std::make_shared<gloo::rendezvous::Context>(rank, size)) {
        context_->connectFullMesh(store_, device_);
    }

    void use(const executor::Buffer& buffer, const std::string& algorithm) {
        switch (buffer.type) {
            case executor::ElementType::kFloat32: return use_as<float>(buffer, algorithm);
            case executor::ElementType::kFloat64: return use_as<double>(buffer, algorithm);
            case executor::ElementType::kInt64: return use_as<std::int64_t>(buffer, algorithm);
        }
    }

    void all_reduce() { run_(); }

 private:
    template <class Value>
    void use_as(const executor::Buffer& buffer, const std::string& algorithm) {
        auto* const data = static_cast<Value*>(buffer.data);
        const std::vector<Value*> pointers = {data};
        const int elements = static_cast<int>(buffer.elements);
        older_.reset();
        if (algorithm == "halving-doubling") {
            older_ = std::make_unique<gloo::AllreduceHalvingDoubling<Value>>(context_, pointers, elements);
        } else if (algorithm == "chunked ring") {
            older_ = std::make_unique<gloo::AllreduceRingChunked<Value>>(context_, pointers, elements);
        }
        if (older_ != nullptr) {
            run_ = [this] { older_->run(); };
            return;
        }
        using Algorithm = gloo::AllreduceOptions::Algorithm;
        run_ = [this, data, count = buffer.elements, way = algorithm == "bcube" ? Algorithm::BCUBE : Algorithm::RING] {
            gloo::AllreduceOptions options(context_);
            options.setAlgorithm(way);
            options.setOutput(data, count);
            options.setReduceFunction(static_cast<void (*)(void*, const void*, const void*, std::size_t)>(&gloo::sum<Value>));
            gloo::allreduce(options);
        };
    }

    std::shared_ptr<gloo::transport::Device> device_;
    gloo::rendezvous::FileStore store_;
    std::shared_ptr<gloo::rendezvous::Context> context_;
    std::unique_ptr<gloo::Algorithm> older_;
    std::function<void()> run_;
};

BareGloo::BareGloo(const std::filesystem::path& folder, int rank, int size) : impl_(std::make_unique<Impl>(folder, rank, size)) {}
BareGloo::~BareGloo() = default;

const std::vector<std::string>& BareGloo::algorithms() {
    static const std::vector<std::string> names = {"ring", "bcube", "halving-doubling", "chunked ring"};
    return names;
}

void BareGloo::use(const executor::Buffer& buffer, const std::string& algorithm) { impl_->use(buffer, algorithm); }
void BareGloo::all_reduce() { impl_->all_reduce(); }

}  // namespace medley::bench
