#pragma once
/// How a collective breaks, between where it is noticed and where the collective's calls catch it.

#include <stdexcept>

#include "executor/collectives/collective.h"

namespace medley::executor {

class MeshFailure : public std::runtime_error {
 public:
    explicit MeshFailure(CollectiveFailure failure) : std::runtime_error(failure.detail), failure_(std::move(failure)) {}
    const CollectiveFailure& failure() const { return failure_; }

 private:
    CollectiveFailure failure_;
};

}  // namespace medley::executor
