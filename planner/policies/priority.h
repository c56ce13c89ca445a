#pragma once
/// Strict priorities: VirtualFlow's baseline.

#include <memory>

#include "planner/policies/policy_options.h"
#include "sched/policy.h"

namespace medley::planner {

/// Higher priority first, ties in order of submission; full demand or wait; the first job that finds no room blocks all behind it
/// (the baseline of Or et al., MLSys 2022). No resizing; running jobs are stopped only with `preempt=true`: then a job
/// without room takes the GPUs of running jobs of strictly lower priority, lowest and latest submitted first. Each job takes the first
/// type of the cluster file with room.
std::unique_ptr<Policy> make_priority(PolicyTraits traits, const PolicyOptions& options);

}  // namespace medley::planner
