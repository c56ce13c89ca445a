#pragma once
/// VirtualFlow's elastic weighted fair sharing (Or et al., MLSys 2022).

#include <memory>

#include "planner/policies/policy_options.h"
#include "sched/policy.h"

namespace medley::planner {

/// Running jobs share each pool by `fair_shares` with their weights; a job's demand is its gang (max_gpus where stated), and it may
/// shrink to min_gpus, or to one GPU where none is stated. Waiting jobs are admitted in order of priority, ties by submission, while
/// fewer jobs than GPUs run: unless one would cut the share of a running job of strictly higher priority, which ends the pass. Then
/// every running job whose share changed is resized and the admitted ones start at theirs. No pass is made while a launch, resize or
/// stop is under way.
///
/// Several GPU types: the rule holds for each pool by itself and a job stays on the type it starts on: the first of the cluster file
/// where its share would be its full demand without cutting anybody's, else the first that admits it. Elastic sharing is work
/// conserving up to powers of two. A pass costs O(running of a pool squared), however many wait.
std::unique_ptr<Policy> make_wfs(PolicyTraits traits, const PolicyOptions& options);

}  // namespace medley::planner
