#include "executor/report/run_report.h"

#include <algorithm>
#include <cmath>

#include "sched/statistics.h"

namespace medley::executor {
namespace {

std::int64_t sum_of(const std::vector<std::int64_t>& values) {
    std::int64_t sum = 0;
    for (const std::int64_t value : values) { sum += value; }
    return sum;
}

std::vector<std::optional<double>> losses_of(const RunHistory& history) {
    std::vector<std::optional<double>> losses;
    for (const Stretch& stretch : history.stretches) {
        for (const FinishedStep& step : stretch.steps) {
            if (step.step < 1) { continue; }
            const auto index = static_cast<std::size_t>(step.step - 1);
            if (index >= losses.size()) { losses.resize(index + 1); }
            losses[index] = step.loss;
        }
    }
    return losses;
}

/// Steps of this life behind another one of the same membership, so that nothing but a step lies between them.
struct SettledSteps {
    std::vector<double> durations_s;
    std::vector<const FinishedStep*> all;
    std::vector<const FinishedStep*> complete;  ///< with every member's word, so that the slowest is among them

    const std::vector<const FinishedStep*>& best() const { return complete.empty() ? all : complete; }
};

SettledSteps settled_steps(const RunHistory& history) {
    SettledSteps settled;
    for (const Stretch& stretch : history.stretches) {
        for (std::size_t index = 1; index < stretch.steps.size(); ++index) {
            const FinishedStep& before = stretch.steps[index - 1];
            const FinishedStep& step = stretch.steps[index];
            if (before.earlier || step.earlier || step.step != before.step + 1) { continue; }
            settled.all.push_back(&step);
            if (stretch.complete(step)) { settled.complete.push_back(&step); }
            // What the workers measured themselves is free of the wait in their connections.
            settled.durations_s.push_back(step.longest_s > 0 ? step.longest_s : step.seconds - before.seconds);
        }
    }
    return settled;
}

StepTimes median_components(const std::vector<const FinishedStep*>& steps) {
    const auto median_of = [&](double StepTimes::*component) {
        std::vector<double> values;
        for (const FinishedStep* step : steps) { values.push_back(step->times.*component); }
        return summarize(values).median;
    };
    return {.compute_s = median_of(&StepTimes::compute_s),
            .collective_s = median_of(&StepTimes::collective_s),
            .update_s = median_of(&StepTimes::update_s),
            .other_s = median_of(&StepTimes::other_s)};
}

void add_rates(RunReport& report, const RunHistory& history) {
    SettledSteps settled = settled_steps(history);
    report.step_s = summarize(settled.durations_s);
    report.components = median_components(settled.best());
    const auto batch = static_cast<double>(report.global_batch);
    if (report.step_s.median > 0) { report.samples_per_s = batch / report.step_s.median; }
    report.p99_step_s = percentile(settled.durations_s, 99);
    std::optional<double> begin_s;
    double end_s = 0;
    double steps = 0;
    for (const Stretch& stretch : history.stretches) {
        if (stretch.joined_s && !begin_s) { begin_s = stretch.joined_s; }
        for (const FinishedStep& step : stretch.steps) {
            if (step.earlier) { continue; }
            ++steps;
            end_s = std::max(end_s, step.seconds);
        }
    }
    if (begin_s && end_s > *begin_s) { report.overall_samples_per_s = batch * steps / (end_s - *begin_s); }
}

std::vector<WorkerReport> workers_of(const RunSetup& setup, const RunHistory& history) {
    std::vector<WorkerReport> workers;
    if (history.stretches.empty()) { return workers; }
    const Stretch& last = history.stretches.back();
    for (std::size_t rank = 0; rank < last.members.size() && rank < last.placement.places.size(); ++rank) {
        const Place& place = last.placement.places[rank];
        WorkerReport worker{.rank = static_cast<std::uint32_t>(rank),
                            .worker = last.members[rank],
                            .device = place.device,
                            .gpu_type = place.gpu_type,
                            .device_name = {},
                            .virtual_node_batches = {}};
        const auto ready = std::find_if(history.ready.rbegin(), history.ready.rend(),
                                        [&](const ReadyRecord& record) { return record.worker == worker.worker; });
        if (ready != history.ready.rend()) { worker.device_name = ready->device_name; }
        for (const VirtualNode node : place.virtual_nodes) {
            if (node < setup.virtual_nodes.size()) { worker.virtual_node_batches.push_back(setup.virtual_nodes[node]); }
        }
        workers.push_back(std::move(worker));
    }
    return workers;
}

std::vector<ResizeReport> resizes_of(const RunHistory& history) {
    std::vector<ResizeReport> resizes;
    const Stretch* before = nullptr;  // the last one that trained
    for (const Stretch& stretch : history.stretches) {
        if (!stretch.joined_s) { continue; }
        if (before != nullptr && !before->broken_s && before->members != stretch.members) {
            ResizeReport resize{.step = stretch.first,
                                .from = device_counts(before->placement),
                                .to = device_counts(stretch.placement),
                                .asked = stretch.resize_asked,
                                .pause_s = {}};
            if (!before->earlier && !stretch.earlier) { resize.pause_s = *stretch.joined_s - before->last_s; }
            resizes.push_back(std::move(resize));
        }
        before = &stretch;
    }
    return resizes;
}

std::vector<FailureReport> failures_of(const RunHistory& history) {
    std::vector<FailureReport> failures;
    for (const LostWorker& lost : history.lost) {
        FailureReport failure{.step = lost.step, .rank = lost.rank, .worker = lost.worker, .reason = lost.reason, .recovered_s = {}};
        for (std::size_t index = lost.stretch + 1; lost.rank && index < history.stretches.size() && !failure.recovered_s; ++index) {
            const std::optional<double>& joined_s = history.stretches[index].joined_s;
            if (joined_s) { failure.recovered_s = *joined_s - lost.seconds; }
        }
        failures.push_back(std::move(failure));
    }
    return failures;
}

std::vector<RedoneSteps> redone_steps(const RunHistory& history) {
    std::vector<RedoneSteps> redone;
    Step highest = 0;
    for (const Stretch& stretch : history.stretches) {
        if (stretch.joined_s && stretch.first < highest) { redone.push_back({.first = stretch.first + 1, .last = highest}); }
        highest = std::max(highest, stretch.last);
    }
    return redone;
}

}  // namespace

RunReport make_report(const RunSetup& setup, const RunHistory& history) {
    RunReport report;
    report.global_batch = sum_of(setup.virtual_nodes);
    report.losses = losses_of(history);
    for (const Stretch& stretch : history.stretches) { report.steps = std::max(report.steps, stretch.last); }
    if (!report.losses.empty()) { report.final_loss = report.losses.back(); }
    if (history.finished) {
        report.finished = true;
        report.steps = history.finished->step;
        report.final_loss = history.finished->final_loss;
        report.state_digest = history.finished->digest;
    }
    if (history.stopped) { report.stopped = history.stopped->reason; }
    add_rates(report, history);
    report.workers = workers_of(setup, history);
    report.resizes = resizes_of(history);
    report.failures = failures_of(history);
    report.redone = redone_steps(history);
    report.checkpoints = history.checkpoints;
    return report;
}

}  // namespace medley::executor
