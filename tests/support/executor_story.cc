#include "tests/support/executor_story.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace medley::executor::test {
namespace {

struct Words {
    std::string operator()(const Hello& m) const {
        return fmt::format("Hello term {} state {} ready {} generation {} step {}", m.term, static_cast<int>(m.state), m.ready,
                           m.generation, m.step);
    }
    std::string operator()(const Ready&) const { return "Ready"; }
    std::string operator()(const Offer& m) const { return fmt::format("Offer {} round {}", m.generation, m.round); }
    std::string operator()(const Joined& m) const { return fmt::format("Joined {} step {}", m.generation, m.step); }
    std::string operator()(const Stepped& m) const { return fmt::format("Stepped {} step {}", m.generation, m.step); }
    std::string operator()(const Stopped& m) const {
        return fmt::format("Stopped {} step {} cause {}", m.generation, m.step, static_cast<int>(m.cause));
    }
    std::string operator()(const Checkpointed& m) const { return fmt::format("Checkpointed step {} {}", m.step, m.error); }
    std::string operator()(const Failed& m) const { return "Failed " + m.reason; }
    std::string operator()(const Welcome& m) const { return fmt::format("Welcome term {}", m.term); }
    std::string operator()(const Form& m) const {
        return fmt::format("Form {} members {} step {} source {} {}{}", m.generation, fmt::join(m.members, ","), m.step, m.source,
                           m.checkpoint, m.from_start ? "from start" : "");
    }
    std::string operator()(const Offers& m) const { return fmt::format("Offers {} round {}", m.generation, m.round); }
    std::string operator()(const Pause& m) const { return fmt::format("Pause {}", m.generation); }
    std::string operator()(const Abort& m) const { return fmt::format("Abort {}", m.generation); }
    std::string operator()(const Shutdown& m) const { return fmt::format("Shutdown {}{}", m.reason, m.checkpoint ? ", saving" : ""); }
    std::string operator()(const ResizeRequest& m) const { return fmt::format("resize to {} places", m.placement.places.size()); }
    std::string operator()(const StopRequest& m) const { return "stop: " + m.reason; }

    std::string operator()(const TermRecord& r) const { return fmt::format("term {}", r.term); }
    std::string operator()(const LaunchedRecord& r) const { return fmt::format("launched {} on {}", r.worker, r.place.gpu_type); }
    std::string operator()(const ReadyRecord& r) const { return fmt::format("ready {}", r.worker); }
    std::string operator()(const LostRecord& r) const { return fmt::format("lost {}: {}", r.worker, r.reason); }
    std::string operator()(const TargetRecord& r) const { return fmt::format("wanted: {} places", r.placement.places.size()); }
    std::string operator()(const GenerationRecord& r) const {
        return fmt::format("generation {} of {} at step {} source {} {}{}", r.generation, fmt::join(r.members, ","), r.step, r.source,
                           r.checkpoint, r.from_start ? "from start" : "");
    }
    std::string operator()(const JoinedRecord& r) const { return fmt::format("joined {} at step {}", r.generation, r.step); }
    std::string operator()(const SteppedRecord& r) const { return fmt::format("worker {} did step {}", r.worker, r.stepped.step); }
    std::string operator()(const RestRecord& r) const { return fmt::format("rest of {} at step {}", r.generation, r.step); }
    std::string operator()(const CheckpointRecord& r) const { return fmt::format("checkpoint of step {}", r.checkpoint.step); }
    std::string operator()(const FinishedRecord& r) const { return fmt::format("finished at step {}", r.step); }
    std::string operator()(const StoppedByUserRecord& r) const { return fmt::format("stopped at step {}", r.step); }

    template <class Other>
    std::string operator()(const Other&) const {
        return {};
    }
};

}  // namespace

std::string in_words(const Message& message) { return std::visit(Words{}, message); }

std::string in_words(const Record& record) { return std::visit(Words{}, record); }

}  // namespace medley::executor::test
