#pragma once
/// Writes down the records of a run by hand.

#include <string>
#include <vector>

#include "executor/report/run_history.h"

namespace medley::executor {

class ToldRun {
 public:
    /// Records follow at this moment.
    ToldRun& at(double seconds) {
        seconds_ = seconds;
        return *this;
    }
    ToldRun& say(const Record& record) {
        records_.push_back({.record = record, .seconds = seconds_});
        return *this;
    }
    ToldRun& forms(Generation generation, std::vector<WorkerNumber> members, const Placement& placement, Step step) {
        members_ = members;
        generation_ = generation;
        return say(GenerationRecord{.generation = generation, .members = std::move(members), .placement = placement, .step = step});
    }
    ToldRun& joined(Step step) { return say(JoinedRecord{.generation = generation_, .step = step}); }
    /// Every member says so; the one of rank r computed (1 + r) times `compute_s` and waited for the slowest.
    ToldRun& step(Step step, double loss, double compute_s = 0) {
        const auto slowest_s = compute_s * static_cast<double>(members_.size());
        for (std::size_t rank = 0; rank < members_.size(); ++rank) {
            const double own_s = compute_s * static_cast<double>(rank + 1);
            const StepTimes times{.compute_s = own_s, .collective_s = slowest_s - own_s + compute_s / 2, .update_s = compute_s / 4};
            say(SteppedRecord{.worker = members_[rank],
                              .stepped = {.generation = generation_, .step = step, .loss = loss, .weight = 8, .times = times}});
        }
        return *this;
    }
    ToldRun& lost(WorkerNumber worker, Step step, const std::string& reason) {
        return say(LostRecord{.worker = worker, .step = step, .reason = reason});
    }
    ToldRun& released(WorkerNumber worker, Step step) {
        return say(LostRecord{.worker = worker, .step = step, .reason = "released", .orderly = true});
    }
    ToldRun& rests(Step step) { return say(RestRecord{.generation = generation_, .step = step}); }
    ToldRun& finished(Step step, double loss) { return say(FinishedRecord{.step = step, .digest = "d1", .final_loss = loss}); }

    const std::vector<TimedRecord>& records() const { return records_; }
    std::vector<Record> untimed() const {
        std::vector<Record> records;
        for (const TimedRecord& timed : records_) { records.push_back(timed.record); }
        return records;
    }

 private:
    std::vector<TimedRecord> records_;
    std::vector<WorkerNumber> members_;
    Generation generation_ = 0;
    double seconds_ = 0;
};

inline Placement placement(const std::vector<std::string>& types) {
    Placement placement;
    VirtualNode node = 0;
    for (const std::string& type : types) {
        placement.places.push_back({.device = "emulated", .gpu_type = type, .virtual_nodes = {node++}});
    }
    return placement;
}

inline RunSetup setup_of_two() {
    RunSetup setup;
    setup.job.name = "told";
    setup.job.steps = 4;
    setup.virtual_nodes = {6, 2};
    return setup;
}

}  // namespace medley::executor
