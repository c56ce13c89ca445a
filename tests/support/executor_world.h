#pragma once
/// A small world in virtual time for the executor's state machines: processes that are killed, hang and come back, a network that delays,
/// breaks and reconnects, a log that loses what was not made durable, launches that fail, operators that resize and stop, and a model of
/// training in lockstep whose collectives may succeed on some members and fail on others.
///
/// What must hold is checked as it happens; the first breach ends the schedule and is told in words. One seed = one
/// schedule, always the same.

#include <cstdint>
#include <map>
#include <string>

namespace medley::executor::test {

/// Faults put into the machines' words on purpose: each must be found by some schedule.
enum class PlantedBug : std::uint8_t {
    kNone,
    kForgetGeneration,  ///< the generation's record is never written
    kLazyGeneration,    ///< it is written, but not made durable before members hear of it
    kLowestSource,      ///< a generation starts from a member that is behind
    kNoFence,           ///< a lost worker that returns is not told to end
    kStaleForm,         ///< a worker enters a generation whenever told to
    kNoWake,            ///< deadlines are forgotten
    kUnloggedFinish,    ///< the finish is not logged
    kStepTwice,         ///< a step that failed on some is applied again by those where it had succeeded
    kImpatient,         ///< a new generation is formed though a member has not stopped
    kReusedNumber,      ///< a launch is not made durable, so that its number may be given again
};

struct WorldOptions {
    std::uint64_t seed = 0;
    bool calm = false;  ///< nothing goes wrong
    PlantedBug bug = PlantedBug::kNone;
    bool trace = false;
};

struct WorldResult {
    std::string breach;  ///< empty = every rule held
    bool succeeded = false;
    bool finished = false;  ///< all steps done, as against stopped by the operator or failed
    std::string ending;
    std::int64_t virtual_ms = 0;
    std::int64_t settled_ms = 0;  ///< from the last fault to the end of the last process
    std::uint64_t events = 0;
    std::map<std::string, std::uint64_t> faults;  ///< how often each happened
    std::string trace;
};

WorldResult run_schedule(const WorldOptions& options);

}  // namespace medley::executor::test
