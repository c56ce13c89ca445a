#pragma once
/// The fields that every summary of a simulation must have: the contract with those who read `summary.json`.

namespace medley::test {

inline constexpr const char* kSummaryFields[] = {"policy",
                                                 "policy_options",
                                                 "information_class",
                                                 "seed",
                                                 "jobs_total",
                                                 "jobs_completed",
                                                 "jobs_rejected",
                                                 "jobs_unfinished",
                                                 "window",
                                                 "saturated",
                                                 "avg_jct_s",
                                                 "median_jct_s",
                                                 "p90_jct_s",
                                                 "p99_jct_s",
                                                 "makespan_s",
                                                 "avg_queueing_s",
                                                 "median_queueing_s",
                                                 "avg_waiting_s",
                                                 "avg_bounded_slowdown",
                                                 "utilization",
                                                 "avg_ftf_rho",
                                                 "max_ftf_rho",
                                                 "jain_fairness",
                                                 "deadline_miss_fraction",
                                                 "gpu_hours",
                                                 "cost_usd",
                                                 "energy_kwh",
                                                 "ledger_gpu_seconds",
                                                 "resizes",
                                                 "preemptions",
                                                 "rounds",
                                                 "events",
                                                 "wall_s",
                                                 "wall_policy_s"};

}  // namespace medley::test
