#include <fmt/format.h>

#include "tests/support/executor_world_impl.h"

namespace medley::executor::test {

void World::plan_faults() {
    if (faults_left_ > 0) {
        after(random_.between(0, 250), [this] { fault(); });
    }
}

std::size_t World::some_worker() {
    std::vector<std::size_t> alive;
    for (std::size_t index = 0; index < workers_.size(); ++index) {
        if (workers_[index]->alive) { alive.push_back(index); }
    }
    return alive.empty() ? kNobody : alive[random_.below(alive.size())];
}

void World::fault() {
    if (over_) { return; }
    last_fault_ = std::max(last_fault_, now_);
    const std::size_t victim = some_worker();
    const std::uint64_t kind = random_.below(10);
    if (kind <= 1 && victim != kNobody) {
        count("kill");
        kill(victim, "killed");
    } else if (kind == 2 && victim != kNobody) {
        hang_worker();
    } else if (kind == 3 && victim != kNobody && workers_[victim]->connection != kNobody) {
        count("cut");
        cut(workers_[victim]->connection);
    } else if (kind == 4 && victim != kNobody) {
        count("partition");
        workers_[victim]->unreachable_until = now_ + random_.between(1, 1500);
        last_fault_ = std::max(last_fault_, workers_[victim]->unreachable_until);
        if (workers_[victim]->connection != kNobody) { cut(workers_[victim]->connection); }
    } else if (kind <= 6) {
        crash();
    } else if (kind == 7) {
        hang_coordinator();
    } else if (kind == 8) {
        count("resize");
        ask(ResizeRequest{random_placement()});
    } else if (random_.chance(0.3)) {
        count("stop");
        ask(StopRequest{"enough"});
    }
    if (--faults_left_ > 0) {
        after(fault_gap(), [this] { fault(); });
    }
}

void World::hang_worker() {
    const std::size_t victim = some_worker();
    count("hang");
    if (options_.trace) { note(fmt::format("worker {} hangs", workers_[victim]->number)); }
    workers_[victim]->hung = true;
    const Milliseconds lasts = random_.chance(0.5) ? random_.between(1, 150) : random_.between(300, 3000);
    last_fault_ = std::max(last_fault_, now_ + lasts);
    after(lasts, [this, victim] { resume(*workers_[victim]); });
}

// At once, or between any two of its next commands.
void World::crash() {
    const std::size_t index = newest_coordinator();
    if (!coordinators_[index]->alive) { return; }
    count("crash");
    if (random_.chance(0.2)) { return crash_coordinator(index); }
    coordinators_[index]->commands_to_live = static_cast<int>(random_.between(0, 25));
}

// Sometimes its user loses patience and starts another one.
void World::hang_coordinator() {
    const std::size_t index = newest_coordinator();
    CoordinatorProcess& coordinator = *coordinators_[index];
    if (!coordinator.alive || coordinator.hung) { return; }
    count("coordinator hangs");
    if (options_.trace) { note(fmt::format("coordinator of term {} hangs", coordinator.machine->term())); }
    coordinator.hung = true;
    const Milliseconds lasts = random_.chance(0.5) ? random_.between(1, 150) : random_.between(300, 3000);
    last_fault_ = std::max(last_fault_, now_ + lasts);
    after(lasts, [this, index] { resume(*coordinators_[index]); });
    if (!random_.chance(0.5)) { return; }
    count("two coordinators");
    after(random_.between(0, lasts), [this, index] {
        if (newest_coordinator() != index || !coordinators_[index]->alive) { return; }
        cut_log();
        unanswered_.clear();
        start_coordinator();
    });
}

void World::ask(Message message) {
    const std::size_t index = newest_coordinator();
    CoordinatorProcess& coordinator = *coordinators_[index];
    if (!coordinator.alive || coordinator.hung) { return; }
    unanswered_.insert(++requests_);
    tell_coordinator(index, OperatorAsked{requests_, std::move(message)});
}

}  // namespace medley::executor::test
