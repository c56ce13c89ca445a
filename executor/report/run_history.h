#pragma once
/// What happened in a run, put in order: the stretches of training between changes of membership. Made from records alone; the report for
/// people and the event log are both derived from it.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "executor/coordinator/records.h"

namespace medley::executor {

/// A record and when it became true, in seconds since this process began (or resumed) the run.
struct TimedRecord {
    Record record;
    double seconds = 0;
};

/// One finished step, as its workers reported it.
struct FinishedStep {
    Step step = 0;
    double seconds = 0;    ///< when the first worker said so
    bool earlier = false;  ///< in an earlier life of the coordinator: without a time
    double loss = 0;
    double weight = 0;
    /// The slowest worker's compute and update; the least any of them spent in the collective, since the others' includes waiting for it.
    StepTimes times;
    /// The longest that a worker says the step took.
    double longest_s = 0;
    std::size_t reporters = 1;  ///< how many workers said so: the first rank always, the others now and then
};

/// One generation: a membership that trained together.
struct Stretch {
    Generation generation = 0;
    std::vector<WorkerNumber> members;  ///< by rank
    Placement placement;                ///< by rank
    double formed_s = 0;
    std::optional<double> joined_s;  ///< empty = never trained
    Step first = 0;                  ///< the state it started from
    Step last = 0;                   ///< the state it is known to have reached
    double last_s = 0;               ///< when
    bool earlier = false;            ///< began in an earlier life of the coordinator
    bool resize_asked = false;       ///< the wanted devices changed before it
    std::vector<FinishedStep> steps;
    std::optional<double> broken_s;  ///< a member was lost

    /// The step's components are known of all members.
    bool complete(const FinishedStep& step) const { return step.reporters >= members.size(); }
};

struct LostWorker {
    WorkerNumber worker = 0;
    std::optional<std::uint32_t> rank;  ///< of the generation it was lost from; empty = it had not joined one
    Step step = 0;
    double seconds = 0;
    std::string reason;
    std::size_t stretch = 0;  ///< the generation then live (the last one formed); its number of stretches if there was none
};

struct RunHistory {
    std::vector<Stretch> stretches;
    std::vector<LostWorker> lost;  ///< in this life; those released or seen off at the end are none
    std::vector<ReadyRecord> ready;
    std::vector<CheckpointRecord> checkpoints;
    std::optional<FinishedRecord> finished;
    std::optional<StoppedByUserRecord> stopped;
    double end_s = 0;          ///< of the last record
    Step highest_earlier = 0;  ///< step that an earlier life had seen
};

/// `earlier` are the records of earlier lives of the coordinator, `records` those of this one. Cost: one pass.
RunHistory make_history(std::span<const Record> earlier, std::span<const TimedRecord> records);

/// "V100=1,P100=2": places by GPU type in order of first use; by device where no type is named.
std::string device_counts(const Placement& placement);

}  // namespace medley::executor
