#include "executor/report/run_events.h"

#include <algorithm>

namespace medley::executor {
namespace {

/// One stretch on the log's clock and in the log's work.
struct Span {
    const Placement* placement = nullptr;
    SimTime formed;
    SimTime joined;
    SimTime end;  ///< of the last step
    Step first = 0;
    Step last = 0;
    double communication_fraction = 0;
};

SimTime at(double seconds) { return to_sim_time(Seconds{std::max(0.0, seconds)}); }

const std::string& type_of(const Place& place) { return place.gpu_type.empty() ? place.device : place.gpu_type; }

double communication_fraction(const Stretch& stretch) {
    double waited_s = 0;
    double all_s = 0;
    const auto complete = [&](const FinishedStep& step) { return stretch.complete(step); };
    const bool any_complete = std::any_of(stretch.steps.begin(), stretch.steps.end(), complete);
    for (const FinishedStep& step : stretch.steps) {
        if (any_complete && !complete(step)) { continue; }
        waited_s += step.times.collective_s;
        all_s += step.times.compute_s + step.times.collective_s + step.times.update_s + step.times.other_s;
    }
    return all_s > 0 ? std::clamp(waited_s / all_s, 0.0, 1.0) : 0;
}

/// Stretches that trained in this life, beginning with the one that an earlier life left behind.
std::vector<Span> spans_of(const RunHistory& history) {
    std::vector<Span> spans;
    for (const Stretch& stretch : history.stretches) {
        if (!stretch.joined_s) { continue; }
        const bool goes_on = stretch.earlier && !stretch.steps.empty() && !stretch.steps.back().earlier;
        if (stretch.earlier && !goes_on) { continue; }
        Span span{
            .placement = &stretch.placement, .formed = at(stretch.formed_s), .joined = at(*stretch.joined_s), .end = at(stretch.last_s)};
        span.first = goes_on ? history.highest_earlier : stretch.first;
        span.last = stretch.last;
        span.communication_fraction = communication_fraction(stretch);
        spans.push_back(span);
    }
    return spans;
}

/// A step that nobody reported shows in where the next stretch starts; and work takes time.
void close_gaps(std::vector<Span>& spans) {
    for (std::size_t index = 0; index < spans.size(); ++index) {
        Span& span = spans[index];
        if (index + 1 < spans.size() && spans[index + 1].first > span.last) {
            span.last = spans[index + 1].first;
            span.end = std::max(span.end, spans[index + 1].formed);
        }
        span.joined = std::max(span.joined, span.formed);
        span.end = std::max(span.end, span.last > span.first ? span.joined + SimTime{1} : span.joined);
        if (index + 1 < spans.size()) { spans[index + 1].formed = std::max(spans[index + 1].formed, span.end); }
    }
}

class EventTeller {
 public:
    EventTeller(const RunEventsOptions& options, EventSink& sink) : options_(options), sink_(sink) {}

    void tell(const RunHistory& history);

 private:
    void header();
    void submit(SimTime end);
    void begin(const Span& span);
    void train(const Span& span);
    void end(const RunHistory& history, SimTime time);
    void run(SimTime time, double work_per_s, double communication);
    Grants grants_of(const Placement& placement) const;

    const RunEventsOptions& options_;
    EventSink& sink_;
    std::vector<Span> spans_;
    std::vector<HeaderRecord::Type> types_;
    Step base_ = 0;   ///< where the work is counted from: steps done before this life, as far as they have lasted
    Step least_ = 0;  ///< what is left of them in the end
    Step done_ = 0;
    Grants held_;
    bool launched_ = false;
    JobId job_{0};
};

// As many of each type as were ever used at once.
void EventTeller::header() {
    HeaderRecord record{.policy = "executed", .seed = options_.seed};
    for (const Span& span : spans_) {
        for (const Place& place : span.placement->places) {
            const Name name(type_of(place));
            const auto same = [&](const auto& type) { return type.name == name; };
            if (std::any_of(record.gpu_types.begin(), record.gpu_types.end(), same)) { continue; }
            const auto known = std::find_if(options_.types.begin(), options_.types.end(), same);
            record.gpu_types.push_back(known == options_.types.end() ? HeaderRecord::Type{.name = name} : *known);
            record.gpu_types.back().gpus = 0;
        }
    }
    types_ = record.gpu_types;
    for (const Span& span : spans_) {
        for (const Grant& grant : grants_of(*span.placement)) {
            int& most = record.gpu_types[grant.type.index()].gpus;
            most = std::max(most, grant.gpus);
        }
    }
    sink_.record(record);
}

Grants EventTeller::grants_of(const Placement& placement) const {
    std::vector<int> counts(types_.size());
    for (const Place& place : placement.places) {
        const Name name(type_of(place));
        const auto type = std::find_if(types_.begin(), types_.end(), [&](const auto& each) { return each.name == name; });
        ++counts[static_cast<std::size_t>(type - types_.begin())];
    }
    Grants grants;
    for (std::size_t type = 0; type < counts.size(); ++type) {
        if (counts[type] > 0) { grants.push_back(Grant{.type = GpuTypeId(type), .gpus = counts[type]}); }
    }
    return grants;
}

void EventTeller::submit(SimTime end) {
    const int gpus = spans_.empty() ? 1 : static_cast<int>(spans_.front().placement->places.size());
    sink_.record(SubmitRecord{.time = SimTime{0},
                              .job = job_,
                              .id = options_.job_id,
                              .model = options_.model,
                              .gpus = gpus,
                              .min_gpus = 1,
                              .total_work = static_cast<double>(options_.steps - least_),
                              .alone = to_seconds(end),
                              .isolated = to_seconds(end),
                              .nominal_gpus = static_cast<double>(gpus)});
}

void EventTeller::run(SimTime time, double work_per_s, double communication) {
    sink_.record(RunRecord{.time = time,
                           .job = job_,
                           .work_per_s = work_per_s,
                           .communication_fraction = communication,
                           .work_done = static_cast<double>(done_ - base_)});
}

void EventTeller::begin(const Span& span) {
    const Grants grants = grants_of(*span.placement);
    if (launched_ && span.first < done_) {
        const Step valid = std::max(span.first, base_);
        sink_.record(StopRecord{.time = span.formed,
                                .job = job_,
                                .reason = StopReason::kCapacityLost,
                                .work_done = static_cast<double>(valid - base_),
                                .work_lost = static_cast<double>(done_ - valid)});
        base_ = std::min(base_, span.first);
        sink_.record(LaunchRecord{.time = span.formed, .job = job_, .grants = grants, .restart = true});
    } else if (!launched_) {
        sink_.record(LaunchRecord{.time = span.formed, .job = job_, .grants = grants});
    } else if (grants != held_) {
        sink_.record(ResizeRecord{.time = span.formed, .job = job_, .grants = grants});
    }
    held_ = grants;
    launched_ = true;
    done_ = span.first;
}

void EventTeller::train(const Span& span) {
    const Seconds time = to_seconds(span.end - span.joined);
    const auto work = static_cast<double>(span.last - span.first);
    run(span.joined, work > 0 ? work / time.value : 0, span.communication_fraction);
    done_ = span.last;
    run(span.end, 0, 1);
}

void EventTeller::end(const RunHistory& history, SimTime time) {
    const auto work_done = static_cast<double>(done_ - base_);
    const bool finished = history.finished.has_value() && launched_;
    if (finished || history.stopped) {
        sink_.record(FinishRecord{.time = time, .job = job_, .work_done = work_done, .cancelled = !finished});
    } else if (launched_) {
        sink_.record(StopRecord{.time = time, .job = job_, .reason = StopReason::kCapacityLost, .work_done = work_done});
    }
    sink_.record(EndRecord{.time = time, .events = history.stretches.size()});
}

void EventTeller::tell(const RunHistory& history) {
    spans_ = spans_of(history);
    close_gaps(spans_);
    base_ = spans_.empty() ? 0 : spans_.front().first;
    least_ = base_;
    for (const Span& span : spans_) { least_ = std::min(least_, span.first); }
    done_ = base_;
    const SimTime end_time = std::max(at(history.end_s), spans_.empty() ? SimTime{0} : spans_.back().end);
    header();
    submit(end_time);
    for (const Span& span : spans_) {
        begin(span);
        train(span);
    }
    end(history, end_time);
}

}  // namespace

void send_events(const RunEventsOptions& options, const RunHistory& history, EventSink& sink) { EventTeller(options, sink).tell(history); }

}  // namespace medley::executor
