#include "executor/coordinator/history.h"

#include <algorithm>

namespace medley::executor {
namespace {

class Replay {
 public:
    explicit Replay(std::span<const std::pair<Step, Placement>> planned) : planned_(planned) {}

    void apply(const TermRecord& record) { history.term = std::max(history.term, record.term); }
    void apply(const LaunchedRecord& record) {
        history.last_worker = std::max(history.last_worker, record.worker);
        history.workers[record.worker].place = record.place;
    }
    void apply(const ReadyRecord& record) {
        const auto found = history.workers.find(record.worker);
        if (found == history.workers.end()) { return; }
        found->second.ready = true;
        found->second.process = record.process;
    }
    void apply(const LostRecord& record) {
        history.workers.erase(record.worker);
        if (history.live) { history.live->lose(record.worker); }
    }
    void apply(const TargetRecord& record) {
        history.target = record.placement;
        if (history.planned_done < planned_.size() && same_placement(planned_[history.planned_done].second, record.placement) &&
            history.step >= planned_[history.planned_done].first) {
            ++history.planned_done;
        }
    }
    void apply(const GenerationRecord& record) {
        history.last_generation = std::max(history.last_generation, record.generation);
        history.newest = record;
        history.live.emplace(record, GenerationPhase::kForming);
        for (std::size_t rank = 0; rank < record.members.size(); ++rank) {
            const auto found = history.workers.find(record.members[rank]);
            if (found != history.workers.end()) { found->second.place.virtual_nodes = record.placement.places[rank].virtual_nodes; }
        }
    }
    void apply(const JoinedRecord& record) {
        if (!history.live || history.live->record.generation != record.generation) { return; }
        history.live->phase = GenerationPhase::kTraining;
        history.live->join_all();
        history.step = record.step;
    }
    void apply(const SteppedRecord& record) {
        history.step = std::max(history.step, record.stepped.step);
        history.loss = record.stepped.loss;
        if (history.live) { history.live->stepped = true; }
    }
    void apply(const RestRecord& record) {
        if (history.live && history.live->record.generation == record.generation) { history.live.reset(); }
    }
    void apply(const CheckpointRecord&) {}  // whether its file is still good is for the caller to say
    void apply(const FinishedRecord& record) { history.finished = record; }
    void apply(const StoppedByUserRecord&) {}  // whoever goes on with the run has changed their mind

    History history;

 private:
    std::span<const std::pair<Step, Placement>> planned_;
};

}  // namespace

bool same_placement(const Placement& a, const Placement& b) {
    return std::equal(a.places.begin(), a.places.end(), b.places.begin(), b.places.end(), [](const Place& x, const Place& y) {
        return x.device == y.device && x.gpu_type == y.gpu_type && x.speed == y.speed && x.virtual_nodes == y.virtual_nodes;
    });
}

History replay(std::span<const Record> log, std::span<const std::pair<Step, Placement>> planned) {
    Replay replay(planned);
    for (const Record& record : log) {
        std::visit([&](const auto& known) { replay.apply(known); }, record);
    }
    return std::move(replay.history);
}

}  // namespace medley::executor
