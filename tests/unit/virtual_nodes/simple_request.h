#pragma once
/// Requests small enough to work out by hand.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "planner/virtual_nodes/planner.h"

namespace medley::planner {

using SizesAndSeconds = std::vector<std::pair<int, double>>;

/// A request together with the profile it points to.
struct SimpleRequest {
    std::shared_ptr<Profile> profile = std::make_shared<Profile>();
    PlanRequest request;

    explicit SimpleRequest(std::int64_t batch) {
        profile->model = Name("simple");
        request.profile = profile.get();
        request.global_batch = Samples{batch};
    }
    SimpleRequest& with(const std::string& type, int gpus, const SizesAndSeconds& sizes) {
        GpuProfile& gpu = profile->gpus[Name(type)];
        for (const auto& [size, seconds] : sizes) {
            gpu.points.push_back(
                ProfilePoint{.batch = Samples{size}, .seconds = Seconds{seconds}, .memory = Bytes{static_cast<double>(size)}});
        }
        request.offered.push_back(OfferedGpus{.type = GpuType{.name = Name(type)}, .gpus = gpus});
        return *this;
    }
    GpuType& type(std::size_t index) { return request.offered[index].type; }
};

}  // namespace medley::planner
