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

    void use(float* data, std::size_t elements, const std::string& algorithm) {
        older_.reset();
        const std::vector<float*> pointers = {data};
        if (algorithm == "halving-doubling") {
            older_ = std::make_unique<gloo::AllreduceHalvingDoubling<float>>(context_, pointers, static_cast<int>(elements));
        } else if (algorithm == "chunked ring") {
            older_ = std::make_unique<gloo::AllreduceRingChunked<float>>(context_, pointers, static_cast<int>(elements));
        }
        data_ = data;
        elements_ = elements;
        newer_ = algorithm == "bcube" ? gloo::AllreduceOptions::Algorithm::BCUBE : gloo::AllreduceOptions::Algorithm::RING;
    }

    void all_reduce() {
        if (older_ != nullptr) { return older_->run(); }
        gloo::AllreduceOptions options(context_);
        options.setAlgorithm(newer_);
        options.setOutput(data_, elements_);
        options.setReduceFunction(static_cast<void (*)(void*, const void*, const void*, size_t)>(&gloo::sum<float>));
        gloo::allreduce(options);
    }

 private:
    std::shared_ptr<gloo::transport::Device> device_;
    gloo::rendezvous::FileStore store_;
    std::shared_ptr<gloo::rendezvous::Context> context_;
    std::unique_ptr<gloo::Algorithm> older_;
    float* data_ = nullptr;
    std::size_t elements_ = 0;
    gloo::AllreduceOptions::Algorithm newer_ = gloo::AllreduceOptions::Algorithm::RING;
};

BareGloo::BareGloo(const std::filesystem::path& folder, int rank, int size) : impl_(std::make_unique<Impl>(folder, rank, size)) {}
BareGloo::~BareGloo() = default;

const std::vector<std::string>& BareGloo::algorithms() {
    static const std::vector<std::string> names = {"ring", "bcube", "halving-doubling", "chunked ring"};
    return names;
}

void BareGloo::use(float* data, std::size_t elements, const std::string& algorithm) { impl_->use(data, elements, algorithm); }
void BareGloo::all_reduce() { impl_->all_reduce(); }

}  // namespace medley::bench
