#include <fmt/format.h>

#include "tests/support/executor_story.h"
#include "tests/support/executor_world_impl.h"

namespace medley::executor::test {

// The one whose address was published last; now and then an old address is read. One that hangs answers nobody.
std::size_t World::reachable_coordinator(const WorkerProcess& worker) {
    if (now_ < worker.unreachable_until) { return kNobody; }
    std::size_t found = newest_coordinator();
    if (coordinators_.size() > 1 && random_.chance(0.1)) { found = coordinators_.size() - 2; }
    if (found == kNobody || !coordinators_[found]->alive || coordinators_[found]->hung) { return kNobody; }
    return found;
}

void World::open_connection(std::size_t worker, std::size_t coordinator) {
    connections_.push_back({.worker = worker, .coordinator = coordinator});
    workers_[worker]->connection = connections_.size() - 1;
    tell_worker(worker, Connected{});
}

void World::send_to_worker(std::size_t connection, Message message) {
    Connection& line = connections_[connection];
    if (!line.up) { return; }
    line.to_worker_at = std::max(line.to_worker_at, now_ + delay());
    at(line.to_worker_at, [this, connection, message = std::move(message)] {
        if (now_ > connections_[connection].delivers_until) { return; }
        give(*workers_[connections_[connection].worker], [this, connection, message] { arrive_at_worker(connection, message); });
    });
}

void World::send_to_coordinator(std::size_t connection, Message message) {
    Connection& line = connections_[connection];
    if (!line.up) { return; }
    line.to_coordinator_at = std::max(line.to_coordinator_at, now_ + delay());
    at(line.to_coordinator_at, [this, connection, message = std::move(message)] {
        if (now_ > connections_[connection].delivers_until) { return; }
        give(*coordinators_[connections_[connection].coordinator],
             [this, connection, message] { arrive_at_coordinator(connection, message); });
    });
}

void World::note_message(const char* direction, WorkerNumber worker, const Message& message) {
    if (!options_.trace) { return; }
    if (const std::string words = in_words(message); !words.empty()) { note(fmt::format("{} {} {}", direction, worker, words)); }
}

void World::arrive_at_worker(std::size_t connection, const Message& message) {
    const std::size_t index = connections_[connection].worker;
    if (workers_[index]->connection != connection) { return; }
    note_message("->", workers_[index]->number, message);
    const auto* form = std::get_if<Form>(&message);
    if (options_.bug == PlantedBug::kStaleForm && form != nullptr) {
        for (std::uint32_t rank = 0; rank < form->members.size(); ++rank) {
            if (form->members[rank] == workers_[index]->number) { start_generation(index, *form, rank); }
        }
    }
    tell_worker(index, CoordinatorSaid{message});
}

// As the session does it: the first word is Hello, and a newer connection replaces an older one without a word.
void World::arrive_at_coordinator(std::size_t connection, const Message& message) {
    const std::size_t index = connections_[connection].coordinator;
    const WorkerNumber number = workers_[connections_[connection].worker]->number;
    CoordinatorProcess& coordinator = *coordinators_[index];
    note_message("<-", number, message);
    if (const auto* hello = std::get_if<Hello>(&message)) {
        const auto known = coordinator.connections.find(number);
        if (known != coordinator.connections.end() && known->second > connection) { return; }
        coordinator.connections[number] = connection;
        return tell_coordinator(index, WorkerConnected{*hello});
    }
    const auto known = coordinator.connections.find(number);
    if (known == coordinator.connections.end() || known->second != connection) { return; }
    tell_coordinator(index, WorkerSaid{number, message});
}

// What is under way may still arrive, up to some moment before the end is noticed.
void World::cut(std::size_t connection) {
    Connection& line = connections_[connection];
    if (!line.up) { return; }
    line.up = false;
    line.delivers_until = now_ + random_.between(0, 3);
    const Milliseconds noticed = line.delivers_until + 1;
    at(noticed + (random_.chance(0.1) ? 50 : 0), [this, connection] { notice_at_worker(connection); });
    at(noticed + (random_.chance(0.1) ? 50 : 0), [this, connection] { notice_at_coordinator(connection); });
}

void World::notice_at_worker(std::size_t connection) {
    const std::size_t index = connections_[connection].worker;
    give(*workers_[index], [this, connection, index] {
        if (workers_[index]->connection != connection) { return; }
        workers_[index]->connection = kNobody;
        tell_worker(index, Disconnected{});
    });
}

void World::notice_at_coordinator(std::size_t connection) {
    const std::size_t index = connections_[connection].coordinator;
    const WorkerNumber number = workers_[connections_[connection].worker]->number;
    give(*coordinators_[index], [this, connection, index, number] {
        auto& known = coordinators_[index]->connections;
        const auto found = known.find(number);
        if (found == known.end() || found->second != connection) { return; }
        known.erase(found);
        tell_coordinator(index, WorkerDisconnected{number});
    });
}

}  // namespace medley::executor::test
