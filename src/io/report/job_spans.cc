#include "io/report/job_spans.h"

#include <algorithm>
#include <variant>

namespace medley::io {
namespace {

SpanEnding ending_of(StopReason reason) {
    switch (reason) {
        case StopReason::kPreempted: return SpanEnding::kPreempted;
        case StopReason::kMigrating: return SpanEnding::kMigrating;
        case StopReason::kCapacityLost: return SpanEnding::kCapacityLost;
    }
    return SpanEnding::kPreempted;
}

}  // namespace

const char* to_string(SpanPhase phase) {
    switch (phase) {
        case SpanPhase::kStartup: return "startup";
        case SpanPhase::kRunning: return "running";
        case SpanPhase::kResizing: return "resizing";
        case SpanPhase::kCheckpoint: return "checkpoint";
    }
    return "unknown";
}

const char* to_string(SpanEnding ending) {
    switch (ending) {
        case SpanEnding::kContinues: return "continues";
        case SpanEnding::kFinished: return "finished";
        case SpanEnding::kCancelled: return "cancelled";
        case SpanEnding::kPreempted: return "preempted";
        case SpanEnding::kMigrating: return "migrating";
        case SpanEnding::kCapacityLost: return "capacity-lost";
        case SpanEnding::kLogEnds: return "log-ends";
    }
    return "unknown";
}

void JobSpans::record(const LogRecord& record) {
    std::visit([this](const auto& known) { on(known); }, record);
}

void JobSpans::on(const HeaderRecord& record) {
    header_ = record;
    for (const HeaderRecord::Type& type : record.gpu_types) { lanes_.emplace_back(static_cast<std::uint32_t>(type.gpus)); }
}

void JobSpans::on(const SubmitRecord& record) {
    begin_ = std::min(begin_, record.time);
    jobs_.push_back({.requested_gpus = record.gpus});
    open_.emplace_back();
}

void JobSpans::on(const LaunchRecord& record) {
    Open& open = open_[record.job.index()];
    open.since = record.time;
    open.phase = SpanPhase::kStartup;
    for (const Grant& grant : record.grants) { take(open, grant.type, static_cast<std::uint32_t>(grant.gpus)); }
    SpanJob& job = jobs_[record.job.index()];
    if (job.first_type < 0 && !record.grants.empty()) { job.first_type = static_cast<std::int32_t>(record.grants.front().type.value); }
}

// GPUs that stay keep their lanes.
void JobSpans::on(const ResizeRecord& record) {
    close(record.job, record.time, SpanEnding::kContinues);
    Open& open = open_[record.job.index()];
    open.phase = SpanPhase::kResizing;
    std::vector<std::uint32_t> wanted(lanes_.size());
    for (const Grant& grant : record.grants) { wanted[grant.type.index()] = static_cast<std::uint32_t>(grant.gpus); }
    for (std::size_t type = 0; type < wanted.size(); ++type) {
        std::uint32_t held = 0;
        for (const Held& each : open.held) { held += each.type.index() == type ? each.lanes.count : 0; }
        if (held > wanted[type]) { shrink(open, GpuTypeId(type), held - wanted[type]); }
        if (held < wanted[type]) { take(open, GpuTypeId(type), wanted[type] - held); }
    }
}

void JobSpans::on(const RunRecord& record) { enter(record.job, record.time, record.resizing ? SpanPhase::kResizing : SpanPhase::kRunning); }

void JobSpans::on(const CheckpointRecord& record) { enter(record.job, record.time, SpanPhase::kCheckpoint); }

void JobSpans::on(const StopRecord& record) { release(record.job, record.time, ending_of(record.reason)); }

void JobSpans::on(const FinishRecord& record) {
    release(record.job, record.time, record.cancelled ? SpanEnding::kCancelled : SpanEnding::kFinished);
}

void JobSpans::on(const CapacityRecord& record) { lanes_[record.type.index()].grow_to(static_cast<std::uint32_t>(record.gpus)); }

void JobSpans::on(const EndRecord& record) {
    end_ = record.time;
    begin_ = std::min(begin_, end_);
    for (std::size_t job = 0; job < open_.size(); ++job) {
        if (!open_[job].held.empty()) { close(JobId(job), record.time, SpanEnding::kLogEnds); }
    }
}

// A stretch of no length is not drawn, unless the job's time with GPUs ends with it.
void JobSpans::close(JobId job, SimTime now, SpanEnding ending) {
    Open& open = open_[job.index()];
    if (now > open.since || ending != SpanEnding::kContinues) {
        for (const Held& held : open.held) {
            spans_.push_back({.begin = open.since,
                              .end = now,
                              .job = job,
                              .lanes = held.lanes,
                              .type = held.type,
                              .phase = open.phase,
                              .ending = ending});
        }
    }
    open.since = now;
}

void JobSpans::enter(JobId job, SimTime now, SpanPhase phase) {
    Open& open = open_[job.index()];
    if (open.phase == phase) { return; }
    close(job, now, SpanEnding::kContinues);
    open.phase = phase;
}

void JobSpans::release(JobId job, SimTime now, SpanEnding ending) {
    close(job, now, ending);
    Open& open = open_[job.index()];
    for (const Held& held : open.held) { lanes_[held.type.index()].give_back(held.lanes); }
    open.held.clear();
}

// The last runs go first, and of a run its end.
void JobSpans::shrink(Open& open, GpuTypeId type, std::uint32_t lanes) {
    for (std::size_t index = open.held.size(); index-- > 0 && lanes > 0;) {
        Held& held = open.held[index];
        if (held.type != type) { continue; }
        const std::uint32_t less = std::min(lanes, held.lanes.count);
        held.lanes.count -= less;
        lanes -= less;
        lanes_[type.index()].give_back({.first = held.lanes.first + held.lanes.count, .count = less});
    }
    std::erase_if(open.held, [](const Held& held) { return held.lanes.count == 0; });
}

void JobSpans::take(Open& open, GpuTypeId type, std::uint32_t lanes) {
    for (const LaneRun& run : lanes_[type.index()].take(lanes)) { open.held.push_back({.type = type, .lanes = run}); }
}

}  // namespace medley::io
