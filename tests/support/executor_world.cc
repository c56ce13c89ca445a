#include "tests/support/executor_world.h"

#include <utility>

#include <fmt/format.h>

#include "tests/support/executor_world_impl.h"

namespace medley::executor::test {

WorldResult run_schedule(const WorldOptions& options) { return World(options).run(); }

World::World(const WorldOptions& options) : options_(options), random_(Rng(options.seed)) {}

WorldResult World::run() {
    try {
        draw_setup();
        start_coordinator();
        plan_faults();
        run_events();
        check_the_end();
    } catch (const Breach& found) { result_.breach = fmt::format("seed {}, at {} ms: {}", options_.seed, now_, found.what); }
    result_.virtual_ms = now_;
    result_.settled_ms = now_ - last_fault_;
    result_.events = order_;
    return std::move(result_);
}

// ---- time

void World::at(Milliseconds time, Action action) {
    std::uint32_t slot = 0;
    if (free_actions_.empty()) {
        slot = static_cast<std::uint32_t>(actions_.size());
        actions_.push_back(std::move(action));
    } else {
        slot = free_actions_.back();
        free_actions_.pop_back();
        actions_[slot] = std::move(action);
    }
    queue_.push({std::max(time, now_), order_++, slot});
}

// Everything ends some time after the last fault, or something hangs.
void World::run_events() {
    constexpr Milliseconds kPatience = 8'000;
    constexpr std::uint64_t kMostEvents = 100'000;
    while (!queue_.empty()) {
        const Scheduled next = queue_.top();
        queue_.pop();
        now_ = next.time;
        check(now_ < last_fault_ + kPatience, "the run hangs");
        check(order_ < kMostEvents, "the run goes round in circles");
        const Action action = std::exchange(actions_[next.action], {});
        free_actions_.push_back(next.action);
        action();
    }
}

void World::give(Process& process, Action action) {
    if (!process.alive) { return; }
    if (process.hung) {
        process.deferred.push_back(std::move(action));
    } else {
        action();
    }
}

void World::resume(Process& process) {
    process.hung = false;
    while (process.alive && !process.hung && !process.deferred.empty()) {
        const Action action = std::move(process.deferred.front());
        process.deferred.pop_front();
        action();
    }
}

void World::note(const std::string& what) { result_.trace += fmt::format("{:>6} {}\n", now_, what); }

WorkerProcess* World::process_of(WorkerNumber number) {
    for (const auto& worker : workers_) {
        if (worker->number == number) { return worker.get(); }
    }
    return nullptr;
}

// ---- workers

void World::start_worker(WorkerNumber number) {
    const std::size_t index = workers_.size();
    workers_.push_back(std::make_unique<WorkerProcess>());
    WorkerProcess& worker = *workers_.back();
    worker.number = number;
    worker.machine = std::make_unique<Worker>(WorkerOptions{.worker = number,
                                                            .process = static_cast<std::int64_t>(index) + 1,
                                                            .host = "host",
                                                            .heartbeat = 100,
                                                            .reconnect = 10,
                                                            .silence = 400,
                                                            .join = 1500});
    for (const WorkerCommand& command : worker.machine->start(now_)) { obey(index, command); }
}

void World::tell_worker(std::size_t index, const WorkerInput& input) {
    WorkerProcess& worker = *workers_[index];
    if (!worker.alive) { return; }
    for (const WorkerCommand& command : worker.machine->handle(input, now_)) { obey(index, command); }
}

void World::obey(std::size_t index, const WorkerCommand& command) {
    WorkerProcess& worker = *workers_[index];
    if (!worker.alive) { return; }
    if (const auto* connect_at = std::get_if<ConnectAt>(&command)) {
        const std::uint64_t order = ++worker.connect_order;
        at(connect_at->time, [this, index, order] {
            give(*workers_[index], [this, index, order] {
                if (workers_[index]->connect_order == order) { connect(index); }
            });
        });
    } else if (std::holds_alternative<CloseConnection>(command)) {
        if (worker.connection != kNobody) { cut(worker.connection); }
        worker.connection = kNobody;
    } else if (const auto* sent = std::get_if<SendToCoordinator>(&command)) {
        if (worker.connection != kNobody) { send_to_coordinator(worker.connection, sent->message); }
    } else if (std::holds_alternative<BuildEngine>(command)) {
        const bool bad = random_.chance(bad_launch_chance_);
        const Milliseconds takes = bad && random_.chance(0.3) ? 2000 : random_.between(1, 60);
        trainer_later(index, takes, [this, index, bad] {
            if (bad) { return tell_worker(index, EngineFailed{"no memory"}); }
            tell_worker(index, EngineBuilt{"model", 100});
        });
    } else if (const auto* started = std::get_if<StartGeneration>(&command)) {
        start_generation(index, started->form, started->rank);
    } else if (const auto* delivered = std::get_if<DeliverOffers>(&command)) {
        deliver_offers(index, delivered->offers);
    } else if (std::holds_alternative<PauseTrainer>(command)) {
        worker.pause_wanted = true;
    } else if (std::holds_alternative<AbortTrainer>(command)) {
        fail_later(index, random_.between(0, 3));
    } else if (std::holds_alternative<SaveCheckpoint>(command)) {
        check(worker.stage == Stage::kIdle, "a checkpoint is asked of a trainer that is at work");
        write_checkpoint(index);
    } else if (const auto* tick = std::get_if<TickAt>(&command)) {
        const std::uint64_t order = ++worker.tick_order;
        at(tick->time, [this, index, order] {
            give(*workers_[index], [this, index, order] {
                if (workers_[index]->tick_order == order) { tell_worker(index, ClockTicked{}); }
            });
        });
    } else if (const auto* exit = std::get_if<ExitProcess>(&command)) {
        stop_worker_process(index, fmt::format("exit status {}: {}", exit->code, exit->reason));
    }
}

void World::connect(std::size_t index) {
    WorkerProcess& worker = *workers_[index];
    check(worker.connection == kNobody, "a worker connects twice");
    const std::size_t coordinator = reachable_coordinator(worker);
    const std::uint64_t order = worker.connect_order;
    after(1 + delay(), [this, index, coordinator, order] {
        give(*workers_[index], [this, index, coordinator, order] {
            if (workers_[index]->connect_order != order) { return; }
            if (coordinator == kNobody || !coordinators_[coordinator]->alive) { return tell_worker(index, ConnectFailed{"nobody there"}); }
            open_connection(index, coordinator);
        });
    });
}

void World::stop_worker_process(std::size_t index, const std::string& how) {
    WorkerProcess& worker = *workers_[index];
    if (!worker.alive) { return; }
    if (options_.trace) { note(fmt::format("worker {} ends: {}", worker.number, how)); }
    worker.alive = false;
    worker.deferred.clear();
    ++worker.run;
    if (worker.stage != Stage::kIdle) { leave(index, true); }
    if (worker.connection != kNobody) { cut(worker.connection); }
    if (!local_) { return; }
    const std::size_t coordinator = newest_coordinator();
    if (coordinator == kNobody) { return; }
    after(delay(), [this, coordinator, number = worker.number, how] {
        give(*coordinators_[coordinator], [this, coordinator, number, how] { tell_coordinator(coordinator, WorkerExited{number, how}); });
    });
}

void World::kill(std::size_t index, const char* how) { stop_worker_process(index, how); }

}  // namespace medley::executor::test
