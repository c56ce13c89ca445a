#include <algorithm>

#include <fmt/format.h>

#include "executor/coordinator/mapping.h"
#include "tests/support/executor_story.h"
#include "tests/support/executor_world_impl.h"

namespace medley::executor::test {

CoordinatorOptions World::coordinator_options() const {
    CoordinatorOptions options{.setup = setup_, .placement = placement_, .planned = planned_};
    options.timeouts = {.silence = 400,
                        .lease = 130,
                        .stop = 300,
                        .form = 600,
                        .connect = 400,
                        .launch = 800,
                        .reconnect = 60,
                        .recovery = 250,
                        .checkpoint = 400,
                        .relaunch = 50,
                        .relaunches = 3,
                        .formations = 5};
    return options;
}

std::size_t World::newest_coordinator() const { return coordinators_.empty() ? kNobody : coordinators_.size() - 1; }

// A file system that tells the newest good checkpoint, and a log of what earlier ones left.
void World::start_coordinator() {
    if (over_) { return; }
    for (const auto& earlier : coordinators_) { earlier->replaced = true; }
    std::optional<CheckpointFound> checkpoint;
    if (!checkpoints_.empty()) { checkpoint = {checkpoints_.rbegin()->first, fmt::format("step-{}", checkpoints_.rbegin()->first)}; }
    const std::size_t index = coordinators_.size();
    coordinators_.push_back(std::make_unique<CoordinatorProcess>());
    CoordinatorProcess& coordinator = *coordinators_.back();
    coordinator.machine = log_.empty() ? std::make_unique<Coordinator>(coordinator_options())
                                       : std::make_unique<Coordinator>(Coordinator::recover(coordinator_options(), log_, checkpoint));
    if (options_.trace) { note(fmt::format("coordinator of term {} starts", coordinator.machine->term())); }
    std::vector<CoordinatorCommand> commands = coordinator.machine->start(now_);
    corrupt(commands);
    obey(index, commands);
}

void World::tell_coordinator(std::size_t index, const CoordinatorInput& input) {
    CoordinatorProcess& coordinator = *coordinators_[index];
    if (!coordinator.alive) { return; }
    std::vector<CoordinatorCommand> commands = coordinator.machine->handle(input, now_);
    corrupt(commands);
    if (!coordinator.replaced && !coordinator.machine->ended()) { check_fence(input, commands); }
    obey(index, commands);
}

// Whoever was lost hears one thing only, whatever it says.
void World::check_fence(const CoordinatorInput& input, const std::vector<CoordinatorCommand>& commands) const {
    const auto* connected = std::get_if<WorkerConnected>(&input);
    const auto* said = std::get_if<WorkerSaid>(&input);
    if (connected == nullptr && said == nullptr) { return; }
    const WorkerNumber worker = connected != nullptr ? connected->hello.worker : said->worker;
    if (!lost_.contains(worker)) { return; }
    bool told_to_end = false;
    for (const CoordinatorCommand& command : commands) {
        const auto* sent = std::get_if<SendToWorker>(&command);
        if (sent == nullptr || sent->worker != worker) { continue; }
        check(std::holds_alternative<Shutdown>(sent->message), "a lost worker is spoken to as if it were not");
        told_to_end = true;
    }
    check(told_to_end, "a lost worker returns and is not told to end");
}

void World::obey(std::size_t index, const std::vector<CoordinatorCommand>& commands) {
    for (const CoordinatorCommand& command : commands) {
        CoordinatorProcess& coordinator = *coordinators_[index];
        if (coordinator.commands_to_live == 0) { crash_coordinator(index); }
        if (!coordinator.alive) { return; }
        if (coordinator.commands_to_live > 0) { --coordinator.commands_to_live; }
        std::visit([&](const auto& known) { carry_out(index, known); }, command);
    }
}

// ---- the log

// Of two coordinators, the log belongs to the later one: the earlier cannot write to it, and ends when it must.
void World::carry_out(std::size_t index, const AppendRecord& command) {
    CoordinatorProcess& coordinator = *coordinators_[index];
    if (coordinator.replaced) {
        if (command.durable) { crash_coordinator(index); }
        return;
    }
    log_.push_back(command.record);
    if (options_.trace) { note("log: " + in_words(command.record) + (command.durable ? " (durable)" : "")); }
    if (command.durable) { durable_ = log_.size(); }
    learn(command.record);
}

void World::learn(const Record& record) {
    if (const auto* lost = std::get_if<LostRecord>(&record)) {
        lost_.insert(lost->worker);
    } else if (const auto* term = std::get_if<TermRecord>(&record)) {
        check(term->term > last_term_, "a term is used twice");
        last_term_ = term->term;
    } else if (const auto* generation = std::get_if<GenerationRecord>(&record)) {
        check_generation(*generation);
    } else if (const auto* joined = std::get_if<JoinedRecord>(&record)) {
        check(joined->generation == last_generation_, "joined a generation that is not the newest");
    } else if (const auto* finished = std::get_if<FinishedRecord>(&record)) {
        check(finished->step == setup_.job.steps, "finished before the last step");
        check(finished->digest == std::to_string(chains_.back()), "the final state is not that of all steps once, in order");
    }
}

void World::check_generation(const GenerationRecord& record) {
    check(record.generation > durable_generation_, "a generation number is used twice");
    check(record.members.size() == record.placement.places.size(), "members and places differ in number");
    check_placement(record);
    last_generation_ = record.generation;
    if (durable_ == log_.size()) { durable_generation_ = record.generation; }
    for (const WorkerNumber member : record.members) { check(!lost_.contains(member), "a lost worker is made a member"); }
    Step best = kNoState;
    for (const auto& worker : workers_) {
        if (lost_.contains(worker->number)) { continue; }
        check(!worker->alive || worker->stage == Stage::kIdle, "a generation is formed while a member of the last one is still in it");
        best = std::max(best, worker->step);
    }
    if (best != kNoState) { check(record.step == best, "a generation does not start from the highest step held"); }
    if (best == kNoState && record.checkpoint.empty()) { check(record.from_start && record.step == 0, "a start from nowhere"); }
    if (!record.checkpoint.empty()) {
        check(checkpoints_.contains(record.step), "a generation starts from a checkpoint that is not there");
    }
}

// Whoever holds no virtual node is there to hand the state on, and is one alone.
void World::check_placement(const GenerationRecord& record) const {
    Placement placement = record.placement;
    const bool hands_on = !placement.places.empty() && placement.places.back().virtual_nodes.empty();
    if (hands_on) {
        const bool is_source = !record.from_start && record.checkpoint.empty() && record.source + 1 == record.members.size();
        check(is_source, "a member without virtual nodes does not hand the state on");
        placement.places.pop_back();
    }
    check(placement_problem(placement, setup_.virtual_nodes.size()).empty(), "a generation's placement is unsound");
}

void World::check_form(const Form& form) {
    const auto same = [&](const Record& record) {
        const auto* generation = std::get_if<GenerationRecord>(&record);
        return generation != nullptr && generation->generation == form.generation && generation->members == form.members;
    };
    const auto durable_end = log_.begin() + static_cast<std::ptrdiff_t>(durable_);
    check(std::any_of(log_.begin(), durable_end, same), "a member hears of a generation that is not durably logged");
}

// What was made durable stays; of the rest, some beginning.
void World::cut_log() {
    log_.resize(durable_ + random_.below(log_.size() - durable_ + 1));
    durable_ = log_.size();
    lost_.clear();
    for (const Record& record : log_) {
        if (const auto* lost = std::get_if<LostRecord>(&record)) { lost_.insert(lost->worker); }
    }
}

// ---- commands

void World::carry_out(std::size_t index, const SendToWorker& command) {
    CoordinatorProcess& coordinator = *coordinators_[index];
    if (const auto* form = std::get_if<Form>(&command.message); form != nullptr && !coordinator.replaced) { check_form(*form); }
    const auto found = coordinator.connections.find(command.worker);
    if (found != coordinator.connections.end()) { send_to_worker(found->second, command.message); }
    const auto* abort = std::get_if<Abort>(&command.message);
    if (options_.bug == PlantedBug::kImpatient && abort != nullptr) { forge_stopped(index, command.worker, abort->generation); }
}

// As if the worker had obeyed already.
void World::forge_stopped(std::size_t index, WorkerNumber worker, Generation generation) {
    const Stopped stopped{.generation = generation, .step = process_of(worker)->step, .cause = StopCause::kBroken};
    after(0, [this, index, worker, stopped] {
        give(*coordinators_[index], [this, index, worker, stopped] { tell_coordinator(index, WorkerSaid{worker, stopped}); });
    });
}

void World::carry_out(std::size_t index, const LaunchWorker& command) {
    const bool logged = std::any_of(log_.begin(), log_.begin() + static_cast<std::ptrdiff_t>(durable_), [&](const Record& record) {
        const auto* launched = std::get_if<LaunchedRecord>(&record);
        return launched != nullptr && launched->worker == command.worker;
    });
    check(command.worker > last_launched_, "a worker's number is used twice");
    check(logged || options_.bug == PlantedBug::kReusedNumber, "a worker is launched that is not durably logged");
    last_launched_ = command.worker;
    if (random_.chance(bad_launch_chance_)) {
        if (random_.chance(0.5)) { return; }  // it never comes
        after(delay(), [this, index, number = command.worker] {
            give(*coordinators_[index], [this, index, number] { tell_coordinator(index, WorkerExited{number, "could not be started"}); });
        });
        return;
    }
    after(random_.between(0, 40), [this, number = command.worker] { start_worker(number); });
}

void World::carry_out(std::size_t index, const KillWorker& command) {
    CoordinatorProcess& coordinator = *coordinators_[index];
    if (const auto found = coordinator.connections.find(command.worker); found != coordinator.connections.end()) {
        const std::size_t connection = found->second;
        coordinator.connections.erase(found);
        cut(connection);
    }
    if (!local_) { return; }
    for (std::size_t worker = 0; worker < workers_.size(); ++worker) {
        if (workers_[worker]->number == command.worker) { kill(worker, "killed by the coordinator"); }
    }
}

void World::carry_out(std::size_t, const AnswerOperator& command) {
    check(unanswered_.erase(command.request) == 1, "a request is answered twice");
}

void World::carry_out(std::size_t index, const WakeAtTime& command) {
    const std::uint64_t order = ++coordinators_[index]->wake_order;
    at(command.time, [this, index, order] {
        give(*coordinators_[index], [this, index, order] {
            if (coordinators_[index]->wake_order == order) { tell_coordinator(index, TimePassed{}); }
        });
    });
}

void World::carry_out(std::size_t, const Announce&) {}

void World::carry_out(std::size_t index, const RunEnded& command) {
    CoordinatorProcess& coordinator = *coordinators_[index];
    if (options_.trace) { note(fmt::format("the run ends: {}", command.reason)); }
    coordinator.alive = false;
    for (const auto& [number, connection] : coordinator.connections) { cut(connection); }
    if (coordinator.replaced) { return; }
    over_ = true;
    last_fault_ = std::max(last_fault_, now_);
    result_.succeeded = command.succeeded;
    result_.ending = command.reason;
    check(unanswered_.empty(), "a request is not answered");
    const auto finished = [](const Record& record) { return std::holds_alternative<FinishedRecord>(record); };
    const auto stopped = [](const Record& record) { return std::holds_alternative<StoppedByUserRecord>(record); };
    const auto durable_end = log_.begin() + static_cast<std::ptrdiff_t>(durable_);
    result_.finished = std::any_of(log_.begin(), durable_end, finished);
    if (command.succeeded) {
        check(result_.finished || std::any_of(log_.begin(), durable_end, stopped), "the run's success is not durably logged");
    }
}

void World::crash_coordinator(std::size_t index) {
    CoordinatorProcess& coordinator = *coordinators_[index];
    if (!coordinator.alive) { return; }
    if (options_.trace) { note(fmt::format("coordinator of term {} crashes", coordinator.machine->term())); }
    coordinator.alive = false;
    coordinator.deferred.clear();
    for (const auto& [number, connection] : coordinator.connections) { cut(connection); }
    coordinator.connections.clear();
    if (coordinator.replaced) { return; }
    cut_log();
    unanswered_.clear();
    const Milliseconds away = random_.chance(0.15) ? random_.between(1000, 4000) : random_.between(1, 200);
    last_fault_ = std::max(last_fault_, now_ + away);
    after(away, [this] { start_coordinator(); });
}

// ---- planted bugs

void World::corrupt(std::vector<CoordinatorCommand>& commands) {
    if (options_.bug == PlantedBug::kNone) { return; }
    const auto drop = [&](auto condition) { std::erase_if(commands, condition); };
    switch (options_.bug) {
        case PlantedBug::kForgetGeneration:
            drop([](const CoordinatorCommand& command) {
                const auto* append = std::get_if<AppendRecord>(&command);
                return append != nullptr && std::holds_alternative<GenerationRecord>(append->record);
            });
            break;
        case PlantedBug::kUnloggedFinish:
            drop([](const CoordinatorCommand& command) {
                const auto* append = std::get_if<AppendRecord>(&command);
                return append != nullptr && std::holds_alternative<FinishedRecord>(append->record);
            });
            break;
        case PlantedBug::kNoFence:
            drop([this](const CoordinatorCommand& command) {
                const auto* sent = std::get_if<SendToWorker>(&command);
                return sent != nullptr && std::holds_alternative<Shutdown>(sent->message) && lost_.contains(sent->worker);
            });
            break;
        case PlantedBug::kNoWake:
            drop([](const CoordinatorCommand& command) { return std::holds_alternative<WakeAtTime>(command); });
            break;
        default: break;
    }
    for (CoordinatorCommand& command : commands) {
        if (auto* append = std::get_if<AppendRecord>(&command)) { corrupt(*append); }
        auto* sent = std::get_if<SendToWorker>(&command);
        auto* form = sent != nullptr ? std::get_if<Form>(&sent->message) : nullptr;
        if (options_.bug == PlantedBug::kLowestSource && form != nullptr) { start_from_lowest(*form); }
    }
}

void World::corrupt(AppendRecord& append) {
    auto* generation = std::get_if<GenerationRecord>(&append.record);
    const bool launch = std::holds_alternative<LaunchedRecord>(append.record);
    if (options_.bug == PlantedBug::kLazyGeneration && generation != nullptr) { append.durable = false; }
    if (options_.bug == PlantedBug::kReusedNumber && launch) { append.durable = false; }
    if (options_.bug == PlantedBug::kLowestSource && generation != nullptr) { start_from_lowest(*generation); }
}

template <class Start>
void World::start_from_lowest(Start& start) {
    if (start.from_start || !start.checkpoint.empty()) { return; }
    for (std::uint32_t rank = 0; rank < start.members.size(); ++rank) {
        const Step step = process_of(start.members[rank])->step;
        if (step == kNoState || step >= start.step) { continue; }
        start.step = step;
        start.source = rank;
    }
}

}  // namespace medley::executor::test
