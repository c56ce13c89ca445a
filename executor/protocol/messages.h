#pragma once
/// What coordinator, workers and operators say to one another. Plain values; how they become bytes stands in archive.h, how they travel in
/// frame.h, what they mean in coordinator/coordinator.h and worker/worker.h.
///
/// Words: a *term* is one life of the coordinator (it grows with each restart and fences earlier ones off); a *generation* is one
/// membership: which workers, in which order, with which virtual nodes. A *step* counts finished optimizer updates.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/training.h"

namespace medley::executor {

using WorkerNumber = std::uint32_t;  ///< never reused within a job
using Generation = std::uint64_t;    ///< 0 = none yet
using Term = std::uint64_t;
using Step = std::int64_t;
inline constexpr Step kNoState = -1;  ///< in Hello and Stopped: the worker holds no consistent state of the job
using VirtualNode = std::uint32_t;    ///< position in the job's fixed list

enum class Mode : std::uint8_t { kTrain, kInference };
constexpr Mode last_of(Mode) { return Mode::kInference; }

/// Everything about a run that never changes, whatever the devices: a worker needs this and nothing else to build its engine.
struct RunSetup {
    TrainingJob job;
    std::vector<std::int64_t> virtual_nodes;  ///< samples of each; the order is the order of the samples in a global batch
    Mode mode = Mode::kTrain;
    bool exact = false;
    std::string collective = "gloo";
    std::string directory;  ///< where checkpoints go; absolute
    double collective_deadline_s = 10;
    double lease_s = 60;  ///< how long workers train on without a coordinator
};

/// One device's part in a plan.
struct Place {
    std::string device;  ///< "cpu", "cuda:1", or "emulated"
    std::string gpu_type;
    double speed = 1;  ///< of an emulated device, relative to its profile
    std::vector<VirtualNode> virtual_nodes;
};
/// Where every virtual node of the job lies: each is in exactly one place.
struct Placement {
    std::vector<Place> places;
};

// ---- worker -> coordinator

enum class WorkerState : std::uint8_t {
    kFresh,     ///< holds no state of the job
    kTraining,  ///< in a generation, forming included
    kStopped,   ///< holds the state after `step` and waits for a generation
    kFinished,  ///< has done the last step
};
constexpr WorkerState last_of(WorkerState) { return WorkerState::kFinished; }

/// First word on every connection, also on one made anew.
struct Hello {
    WorkerNumber worker = 0;
    Term term = 0;  ///< highest ever seen
    WorkerState state = WorkerState::kFresh;
    bool ready = false;  ///< engine built
    Generation generation = 0;
    Step step = 0;
    std::int64_t process = 0;
    std::string host;
};
/// The engine is built: the worker can join.
struct Ready {
    std::string device_name;
    std::int64_t state_bytes = 0;
};
/// This worker's part of a new generation's address book, or of any exchange among its members (round counts within a generation).
struct Offer {
    Generation generation = 0;
    std::uint32_t round = 0;
    std::string blob;
};
/// The worker has joined the generation and holds the state after `step`.
struct Joined {
    Generation generation = 0;
    Step step = 0;
};
/// Times of one step on this worker.
struct StepTimes {
    double compute_s = 0;
    double collective_s = 0;  ///< waiting for the slowest included
    double update_s = 0;
    double other_s = 0;
};
/// Rank 0 says each step, the others some of them (worker/worker.h): a step takes all members, so one word of it is enough.
struct Stepped {
    Generation generation = 0;
    Step step = 0;
    double loss = 0;  ///< mean over the global batch; the same on every worker
    double weight = 0;
    StepTimes times;
};
enum class StopCause : std::uint8_t { kPaused, kBroken, kFinished };
constexpr StopCause last_of(StopCause) { return StopCause::kFinished; }
/// The worker has left the generation and holds the consistent state after `step` (kNoState: none, say because receiving it broke off).
struct Stopped {
    Generation generation = 0;
    Step step = 0;
    StopCause cause = StopCause::kPaused;
    std::string detail;  ///< what broke
    std::string digest;  ///< of the whole state, when finished
    double final_loss = 0;
};
struct Checkpointed {
    Step step = 0;
    std::string file;
    std::int64_t bytes = 0;
    std::string error;  ///< not empty = failed, training goes on
};
/// Said when nothing else was for a while.
struct Heartbeat {
    Step step = 0;
};
/// The worker cannot take part and ends.
struct Failed {
    std::string reason;
};

// ---- coordinator -> worker

struct Welcome {
    Term term = 0;
    RunSetup setup;
    Place place;
};
/// Join this generation. Sent again unchanged if a worker comes back while it forms.
struct Form {
    Term term = 0;
    Generation generation = 0;
    std::vector<WorkerNumber> members;  ///< by rank
    Placement placement;                ///< by rank
    Step step = 0;                      ///< the state that everyone holds once formed
    std::uint32_t source = 0;           ///< rank that holds it already
    std::string checkpoint;             ///< not empty: every member loads this file instead of receiving from a rank
    bool from_start = false;            ///< every member initialises from the seed
};
/// Everyone's offers of one round, by rank.
struct Offers {
    Generation generation = 0;
    std::uint32_t round = 0;
    std::vector<std::string> blobs;
};
/// Stop together at the next step boundary.
struct Pause {
    Term term = 0;
    Generation generation = 0;
};
/// The generation is broken: leave it at once, in mid-step if need be.
struct Abort {
    Term term = 0;
    Generation generation = 0;
};
/// Renews the lease; the answer to a worker's word, if the last one was long ago.
struct Lease {
    Term term = 0;
};
/// End. With `checkpoint`: write one, say Checkpointed, and wait for the Shutdown without.
struct Shutdown {
    Term term = 0;
    std::string reason;
    bool checkpoint = false;
};

// ---- operator -> coordinator and back

struct StatusRequest {};
struct WorkerStatus {
    WorkerNumber worker = 0;
    std::string device;
    std::string gpu_type;
    std::string phase;
    std::int64_t process = 0;
    std::vector<std::int64_t> virtual_node_batches;
};
struct StatusReply {
    std::string job;
    std::string phase;
    Term term = 0;
    Generation generation = 0;
    Step step = 0;
    Step steps = 0;
    double loss = 0;
    double samples_per_s = 0;
    std::vector<std::int64_t> virtual_nodes;
    std::vector<WorkerStatus> workers;
};
struct ResizeRequest {
    Placement placement;
};
struct StopRequest {
    std::string reason;
};
struct RequestReply {
    bool accepted = false;
    std::string message;
};

using Message = std::variant<Hello, Ready, Offer, Joined, Stepped, Stopped, Checkpointed, Heartbeat, Failed, Welcome, Form, Offers, Pause,
                             Abort, Lease, Shutdown, StatusRequest, StatusReply, ResizeRequest, StopRequest, RequestReply>;

}  // namespace medley::executor
