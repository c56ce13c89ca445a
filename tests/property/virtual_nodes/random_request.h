#pragma once
/// Random questions to the planner: small ones to enumerate, large ones to hold against invariants.

#include <memory>

#include "core/rng.h"
#include "planner/virtual_nodes/planner.h"

namespace medley::planner {

/// A request and what it refers to.
struct RandomRequest {
    std::unique_ptr<Profile> profile;
    PlanRequest request;
};

/// Up to 4 types, 6 GPUs and a batch of 18: small enough to try everything.
RandomRequest small_request(Rng& rng);
/// The same with a given list of up to 7 virtual nodes.
RandomRequest small_list_request(Rng& rng);
/// Up to 6 types of up to 64 GPUs and a batch of up to 20,000.
RandomRequest large_request(Rng& rng);

/// `MEDLEY_LONG=1` runs all instances, otherwise the share that fits into everyday testing.
int instances(int all, int everyday);

/// What the instance asks, for a failing test's message.
std::string describe(const PlanRequest& request);

}  // namespace medley::planner
