#pragma once
/// The generation that is forming, training or coming to rest: who has joined, stopped or been lost, and the offers exchanged.

#include <optional>
#include <vector>

#include "executor/coordinator/roster.h"

namespace medley::executor {

enum class GenerationPhase : std::uint8_t { kForming, kTraining, kPausing, kAborting };

class LiveGeneration {
 public:
    LiveGeneration(GenerationRecord generation, GenerationPhase at_first);

    GenerationRecord record;
    GenerationPhase phase = GenerationPhase::kForming;
    Milliseconds deadline = kNever;  ///< of forming, pausing or aborting
    bool stepped = false;            ///< a step was done in it
    bool pause_asked = false;        ///< by the coordinator

    std::optional<std::uint32_t> rank_of(WorkerNumber worker) const;
    /// Still in it, or on its way in.
    bool holds(WorkerNumber worker) const;
    void join(WorkerNumber worker);
    void join_all();
    void stop(WorkerNumber worker, StopCause cause);
    void lose(WorkerNumber worker);

    bool all_joined() const;
    bool any_lost() const;
    bool any_stopped() const;
    bool any_stopped(StopCause cause) const;
    /// All members have stopped or are lost.
    bool over() const;
    std::vector<WorkerNumber> still_in() const;

    /// All offers of the round, if this one completes it or it was complete before; whom to send them to is said by `fresh`.
    struct Exchange {
        Offers offers;
        bool fresh = false;  ///< just completed: for everyone; else for the one who asked again
    };
    std::optional<Exchange> exchange(WorkerNumber worker, const Offer& offer);
    /// Those who have offered less than the others, though the others wait for them.
    std::vector<WorkerNumber> laggards() const;

    /// What a member is told to enter it.
    Form form(Term term) const;

 private:
    struct Member {
        bool joined = false;
        bool lost = false;
        std::optional<StopCause> stopped;
        bool in() const { return !lost && !stopped; }
    };
    using Round = std::vector<std::optional<std::string>>;

    std::vector<Member> members_;
    std::vector<Round> rounds_;
};

}  // namespace medley::executor
