#include "executor/report/run_history.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace medley::executor {
namespace {

double total(const StepTimes& times) { return times.compute_s + times.collective_s + times.update_s + times.other_s; }

void merge(StepTimes& into, const StepTimes& times) {
    into.compute_s = std::max(into.compute_s, times.compute_s);
    into.collective_s = std::min(into.collective_s, times.collective_s);
    into.update_s = std::max(into.update_s, times.update_s);
    into.other_s = std::max(into.other_s, times.other_s);
}

class HistoryBuilder {
 public:
    void add(const Record& record, double seconds, bool earlier) {
        seconds_ = seconds;
        earlier_ = earlier;
        history_.end_s = std::max(history_.end_s, seconds);
        std::visit([this](const auto& each) { on(each); }, record);
    }
    RunHistory take() { return std::move(history_); }

 private:
    void on(const TermRecord&) {}
    void on(const LaunchedRecord&) {}
    void on(const ReadyRecord& record) { history_.ready.push_back(record); }
    void on(const LostRecord& record);
    void on(const TargetRecord&) { resize_asked_ = !history_.stretches.empty(); }
    void on(const GenerationRecord& record);
    void on(const JoinedRecord& record);
    void on(const SteppedRecord& record);
    void on(const RestRecord& record);
    void on(const CheckpointRecord& record) { history_.checkpoints.push_back(record); }
    void on(const FinishedRecord& record) {
        history_.finished = record;
        reach(record.step);
    }
    void on(const StoppedByUserRecord& record) { history_.stopped = record; }

    /// The live generation is known to have got so far by now.
    void reach(Step step) {
        if (history_.stretches.empty() || step <= live().last) { return; }
        live().last = step;
        live().last_s = seconds_;
        if (earlier_) { history_.highest_earlier = std::max(history_.highest_earlier, step); }
    }
    Stretch& live() { return history_.stretches.back(); }

    RunHistory history_;
    double seconds_ = 0;
    bool earlier_ = false;
    bool resize_asked_ = false;
};

void HistoryBuilder::on(const GenerationRecord& record) {
    history_.stretches.push_back({.generation = record.generation,
                                  .members = record.members,
                                  .placement = record.placement,
                                  .formed_s = seconds_,
                                  .joined_s = {},
                                  .first = record.step,
                                  .last = record.step,
                                  .last_s = seconds_,
                                  .earlier = earlier_,
                                  .resize_asked = std::exchange(resize_asked_, false),
                                  .steps = {},
                                  .broken_s = {}});
}

void HistoryBuilder::on(const JoinedRecord& record) {
    if (history_.stretches.empty() || live().generation != record.generation) { return; }
    live().joined_s = seconds_;
    live().first = record.step;
    live().last = record.step;
    live().last_s = seconds_;
}

void HistoryBuilder::on(const SteppedRecord& record) {
    const Stepped& said = record.stepped;
    if (history_.stretches.empty() || live().generation != said.generation) { return; }
    // Workers report a step one after another; a late one may come behind the next step's first.
    const auto same = std::find_if(live().steps.rbegin(), live().steps.rend(), [&](const auto& step) { return step.step <= said.step; });
    if (same != live().steps.rend() && same->step == said.step) {
        merge(same->times, said.times);
        same->longest_s = std::max(same->longest_s, total(said.times));
        ++same->reporters;
        return;
    }
    live().steps.insert(same.base(), {.step = said.step,
                                      .seconds = seconds_,
                                      .earlier = earlier_,
                                      .loss = said.loss,
                                      .weight = said.weight,
                                      .times = said.times,
                                      .longest_s = total(said.times)});
    reach(said.step);
}

void HistoryBuilder::on(const RestRecord& record) {
    if (!history_.stretches.empty() && live().generation == record.generation) { reach(record.step); }
}

void HistoryBuilder::on(const LostRecord& record) {
    if (record.orderly) { return; }
    LostWorker lost{.worker = record.worker,
                    .rank = {},
                    .step = record.step,
                    .seconds = seconds_,
                    .reason = record.reason,
                    .stretch = history_.stretches.size()};
    if (!history_.stretches.empty()) {
        Stretch& stretch = live();
        lost.stretch = history_.stretches.size() - 1;
        const auto member = std::find(stretch.members.begin(), stretch.members.end(), record.worker);
        if (member != stretch.members.end()) {
            lost.rank = static_cast<std::uint32_t>(member - stretch.members.begin());
            if (!stretch.broken_s) { stretch.broken_s = seconds_; }
        }
    }
    if (!earlier_) { history_.lost.push_back(std::move(lost)); }
}

}  // namespace

RunHistory make_history(std::span<const Record> earlier, std::span<const TimedRecord> records) {
    HistoryBuilder builder;
    for (const Record& record : earlier) { builder.add(record, 0, true); }
    for (const TimedRecord& timed : records) { builder.add(timed.record, timed.seconds, false); }
    return builder.take();
}

std::string device_counts(const Placement& placement) {
    std::vector<std::pair<std::string, int>> counts;
    for (const Place& place : placement.places) {
        const std::string& name = place.gpu_type.empty() ? place.device : place.gpu_type;
        const auto known = std::find_if(counts.begin(), counts.end(), [&](const auto& count) { return count.first == name; });
        if (known == counts.end()) {
            counts.emplace_back(name, 1);
        } else {
            ++known->second;
        }
    }
    std::string text;
    for (const auto& [name, count] : counts) { text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, count); }
    return text;
}

}  // namespace medley::executor
