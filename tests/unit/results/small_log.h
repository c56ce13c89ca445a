#pragma once
/// A log of one job of every kind of event, small enough to check by hand.

#include <vector>

#include "sched/event_log.h"

namespace medley::test {

/// Two types: 2 "fast" GPUs (2 USD an hour) and 4 "slow" ones (price unknown). Job "a" runs on both, is stopped and finishes; job
/// "b\"" asks for what nobody has; job "c" is cancelled while it waits.
inline std::vector<LogRecord> small_log() {
    constexpr std::int64_t kSecond = 1'000'000'000;
    const JobId a(std::size_t{0}), b(std::size_t{1}), c(std::size_t{2});
    const GpuTypeId fast(std::size_t{0}), slow(std::size_t{1});
    return {
        HeaderRecord{.policy = "wfs",
                     .policy_options = {{"mixed", "true"}},
                     .information = InformationClass::kOracle,
                     .seed = 7,
                     .round = Seconds{360},
                     .compat = "",
                     .cluster = "lab",
                     .gpu_types = {{.name = Name("fast"), .gpus = 2, .price_usd_per_hour = 2, .power_w = std::nullopt},
                                   {.name = Name("slow"), .gpus = 4, .price_usd_per_hour = std::nullopt, .power_w = 150}}},
        SubmitRecord{.time = SimTime{0},
                     .job = a,
                     .id = "a",
                     .model = Name("resnet50"),
                     .gpus = 2,
                     .min_gpus = 1,
                     .priority = 5,
                     .weight = 5,
                     .deadline = Seconds{1000},
                     .total_work = 100,
                     .alone = Seconds{100},
                     .isolated = Seconds{150},
                     .nominal_gpus = 2},
        SubmitRecord{.time = SimTime{0}, .job = b, .id = "b\"", .gpus = 64, .allowed = 0, .total_work = 1},
        RejectRecord{.time = SimTime{0}, .job = b, .reason = "too large"},
        SubmitRecord{.time = SimTime{kSecond / 2},
                     .job = c,
                     .id = "c",
                     .gpus = kWholePool,
                     .allowed = 2,
                     .total_work = 0.1,
                     .alone = Seconds{0.1},
                     .isolated = Seconds{0.1},
                     .nominal_gpus = 4},
        LaunchRecord{.time = SimTime{kSecond}, .job = a, .grants = {{.type = fast, .gpus = 2}}},
        RunRecord{.time = SimTime{2 * kSecond}, .job = a, .work_per_s = 0.5, .communication_fraction = 0.25},
        ResizeRecord{.time = SimTime{4 * kSecond}, .job = a, .grants = {{.type = fast, .gpus = 1}, {.type = slow, .gpus = 3}}},
        RunRecord{.time = SimTime{4 * kSecond}, .job = a, .work_per_s = 0.25, .work_done = 1, .resizing = true},
        ReasonRecord{.time = SimTime{4 * kSecond}, .job = c, .text = "waits for \"room\""},
        ReservationRecord{.time = SimTime{4 * kSecond}, .job = c, .start = SimTime{9 * kSecond}, .grants = {{.type = slow, .gpus = 4}}},
        CheckpointRecord{.time = SimTime{6 * kSecond}, .job = a, .work_done = 1.5},
        StopRecord{.time = SimTime{7 * kSecond}, .job = a, .reason = StopReason::kMigrating, .work_done = 1, .work_lost = 0.5},
        CapacityRecord{.time = SimTime{8 * kSecond}, .type = slow, .gpus = 2},
        FinishRecord{.time = SimTime{8 * kSecond}, .job = c, .work_done = 0, .cancelled = true},
        LaunchRecord{.time = SimTime{8 * kSecond}, .job = a, .grants = {{.type = fast, .gpus = 2}}, .restart = true},
        RunRecord{.time = SimTime{8 * kSecond}, .job = a, .work_per_s = 1, .work_done = 1},
        FinishRecord{.time = SimTime{107 * kSecond}, .job = a, .work_done = 100},
        EndRecord{.time = SimTime{107 * kSecond}, .events = 9, .decisions = 4},
    };
}

}  // namespace medley::test
