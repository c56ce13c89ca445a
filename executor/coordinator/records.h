#pragma once
/// The records of the write-ahead log: what a coordinator must know of its earlier lives, and what the report of a run is made of.

#include <string>
#include <variant>
#include <vector>

#include "executor/protocol/messages.h"

namespace medley::executor {

/// A coordinator's life begins.
struct TermRecord {
    Term term = 0;
};
struct LaunchedRecord {
    WorkerNumber worker = 0;
    Place place;
};
struct ReadyRecord {
    WorkerNumber worker = 0;
    std::int64_t process = 0;
    std::string host;
    std::string device_name;
};
struct LostRecord {
    WorkerNumber worker = 0;
    Step step = 0;  ///< last known of the run
    std::string reason;
    bool orderly = false;  ///< released by a resize, or the run has ended: no failure
};
/// The placement that is wanted from now on.
struct TargetRecord {
    Placement placement;
};
struct GenerationRecord {
    Generation generation = 0;
    std::vector<WorkerNumber> members;
    Placement placement;
    Step step = 0;
    std::string checkpoint;    ///< as in Form, which can be written anew from this record
    std::uint32_t source = 0;  ///< as in Form
    bool from_start = false;   ///< as in Form
};
/// All members have joined; `step` is where they go on.
struct JoinedRecord {
    Generation generation = 0;
    Step step = 0;
};
struct SteppedRecord {
    WorkerNumber worker = 0;
    Stepped stepped;
};
/// A generation has come to rest: all its members have stopped or are lost.
struct RestRecord {
    Generation generation = 0;
    Step step = 0;
};
struct CheckpointRecord {
    WorkerNumber worker = 0;
    Checkpointed checkpoint;
};
struct FinishedRecord {
    Step step = 0;
    std::string digest;
    double final_loss = 0;
};
struct StoppedByUserRecord {
    Step step = 0;
    std::string reason;
};

using Record = std::variant<TermRecord, LaunchedRecord, ReadyRecord, LostRecord, TargetRecord, GenerationRecord, JoinedRecord,
                            SteppedRecord, RestRecord, CheckpointRecord, FinishedRecord, StoppedByUserRecord>;

/// The newest checkpoint whose checksum holds.
struct CheckpointFound {
    Step step = 0;
    std::string file;
};

}  // namespace medley::executor
