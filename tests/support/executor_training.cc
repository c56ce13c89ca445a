/// Training as the machines see it. A step needs all members; it may succeed on some and fail on others; whoever is hung is waited for
/// until a deadline, and whoever leaves is noticed soon.

#include <algorithm>

#include <fmt/format.h>

#include "tests/support/executor_world_impl.h"

namespace medley::executor::test {
namespace {

constexpr Milliseconds kCollectiveDeadline = 200;

std::uint64_t follow(std::uint64_t chain, Step step) {
    chain ^= static_cast<std::uint64_t>(step) + 0x9E3779B97F4A7C15ULL + (chain << 6) + (chain >> 2);
    return chain * 0xBF58476D1CE4E5B9ULL;
}

std::string blob_of(WorkerNumber worker, Generation generation, std::uint32_t round) {
    return fmt::format("{}/{}/{}", worker, generation, round);
}

}  // namespace

// Of this run of the trainer: void once it has left its generation, or its process has ended.
void World::trainer_later(std::size_t index, Milliseconds delay, Action action) {
    const std::uint64_t run = workers_[index]->run;
    after(delay, [this, index, run, action = std::move(action)] {
        give(*workers_[index], [this, index, run, action] {
            if (in_run(index, run)) { action(); }
        });
    });
}

void World::start_generation(std::size_t index, const Form& form, std::uint32_t rank) {
    WorkerProcess& worker = *workers_[index];
    check(worker.stage == Stage::kIdle, "a trainer is started while it is in a generation");
    auto [entry, fresh] = generations_.try_emplace(form.generation);
    ModelGeneration& generation = entry->second;
    if (fresh) {
        generation.form = form;
        generation.members.assign(form.members.size(), kNobody);
    }
    check(generation.form.members == form.members && generation.form.step == form.step, "two generations share a number");
    check(generation.members[rank] == kNobody, "a worker enters a generation twice");
    generation.members[rank] = index;
    worker.stage = Stage::kMeeting;
    worker.generation = form.generation;
    worker.rank = rank;
    worker.pause_wanted = false;
    ++worker.run;
    if (generation.broken) { fail_later(index, random_.between(0, 5)); }
    trainer_later(index, delay(), [this, index] { offer(index, 0); });
    fail_later(index, -1);
}

void World::offer(std::size_t index, std::uint32_t round) {
    const WorkerProcess& worker = *workers_[index];
    tell_worker(index, TrainerOffers{worker.generation, round, blob_of(worker.number, worker.generation, round)});
}

void World::deliver_offers(std::size_t index, const Offers& offers) {
    WorkerProcess& worker = *workers_[index];
    check(worker.stage == Stage::kMeeting && worker.generation == offers.generation,
          "offers come to a trainer that does not wait for them");
    ModelGeneration& generation = generations_.at(worker.generation);
    check(offers.blobs.size() == generation.members.size(), "offers are not of all members");
    for (std::size_t rank = 0; rank < offers.blobs.size(); ++rank) {
        check(offers.blobs[rank] == blob_of(generation.form.members[rank], worker.generation, offers.round),
              "an offer is not its member's");
    }
    if (offers.round + 1 < rounds_) {
        return trainer_later(index, delay(), [this, index, next = offers.round + 1] { offer(index, next); });
    }
    worker.stage = Stage::kMet;
    if (++generation.met < generation.members.size()) { return; }
    after(random_.between(1, 10), [this, number = worker.generation] { hand_over_state(number); });
}

void World::hand_over_state(Generation number) {
    ModelGeneration& generation = generations_.at(number);
    if (generation.broken) { return; }
    const Form& form = generation.form;
    std::uint64_t chain = chains_[0];
    if (!form.checkpoint.empty()) { chain = checkpoints_.at(form.step); }
    if (!form.from_start && form.checkpoint.empty()) {
        const WorkerProcess& source = *workers_[generation.members[form.source]];
        check(source.step == form.step, "the source does not hold the state that is handed over");
        chain = source.chain;
    }
    for (const std::size_t member : std::vector<std::size_t>(generation.members)) { receive_state(member, generation, form.step, chain); }
}

// Receiving may break off: then the old state is kept, or what is left is no state at all.
void World::receive_state(std::size_t index, const ModelGeneration& generation, Step step, std::uint64_t chain) {
    WorkerProcess& worker = *workers_[index];
    const bool has_it = worker.step == step && !generation.form.from_start && generation.form.checkpoint.empty();
    if (!has_it && random_.chance(break_chance_)) {
        if (random_.chance(0.5)) { worker.step = kNoState; }
        return fail_later(index, random_.between(0, 5));
    }
    worker.step = step;
    worker.chain = chain;
    check(worker.chain == chains_[static_cast<std::size_t>(step)], "a state is not that of its steps once, in order");
    worker.stage = Stage::kComputing;
    ++worker.run;
    trainer_later(index, delay(), [this, index, step] {
        tell_worker(index, TrainerJoined{workers_[index]->generation, step});
        compute(index);
    });
    if (generation.broken) { fail_later(index, random_.between(0, 5)); }
}

void World::compute(std::size_t index) {
    if (workers_[index]->step >= setup_.job.steps) { return finish(index); }
    workers_[index]->stage = Stage::kComputing;
    trainer_later(index, random_.between(1, 12), [this, index] {
        WorkerProcess& worker = *workers_[index];
        ModelGeneration& generation = generations_.at(worker.generation);
        worker.stage = Stage::kReducing;
        fail_later(index, -1);
        if (++generation.reducing < generation.members.size() || generation.broken) { return; }
        after(random_.between(0, 3), [this, number = worker.generation] { reduce(number); });
    });
}

void World::reduce(Generation number) {
    ModelGeneration& generation = generations_.at(number);
    if (generation.broken) { return; }
    generation.reducing = 0;
    const std::vector<std::size_t> members = generation.members;
    const bool pausing = std::any_of(members.begin(), members.end(), [this](std::size_t index) { return workers_[index]->pause_wanted; });
    const bool breaks = random_.chance(break_chance_);
    for (const std::size_t index : members) {
        ++workers_[index]->run;  // the deadline of this collective is void
        if (breaks && random_.chance(0.5)) {
            fail_later(index, random_.between(0, 3));
            continue;
        }
        trainer_later(index, 0, [this, index, pausing] { step_done(index, pausing); });
    }
}

void World::apply_step(WorkerProcess& worker) {
    ++worker.step;
    worker.chain = follow(worker.chain, worker.step);
    check(worker.chain == chains_[static_cast<std::size_t>(worker.step)], "a state is not that of its steps once, in order");
}

void World::step_done(std::size_t index, bool pausing) {
    WorkerProcess& worker = *workers_[index];
    apply_step(worker);
    const Step step = worker.step;
    const std::uint64_t run = worker.run;
    const StepTimes times{.compute_s = random_.uniform(0, 0.02)};
    tell_worker(index, TrainerStepped{{.generation = worker.generation, .step = step, .loss = 1, .weight = 1, .times = times}});
    if (!in_run(index, run)) { return; }
    if (step >= setup_.job.steps) { return finish(index); }
    const std::int64_t every = setup_.job.checkpoint.every_steps;
    if (worker.rank == 0 && every > 0 && step % every == 0) { write_checkpoint(index); }
    if (pausing) { return trainer_stops(index, StopCause::kPaused); }
    compute(index);
}

void World::finish(std::size_t index) {
    const std::uint64_t run = ++workers_[index]->run;
    const std::string digest = std::to_string(workers_[index]->chain);
    if (workers_[index]->rank != 0) { return trainer_stops(index, StopCause::kFinished, digest); }
    write_checkpoint(index, [this, index, run, digest] {
        if (in_run(index, run)) { trainer_stops(index, StopCause::kFinished, digest); }
    });
}

void World::trainer_stops(std::size_t index, StopCause cause, std::string digest) {
    WorkerProcess& worker = *workers_[index];
    const Generation generation = worker.generation;
    if (options_.bug == PlantedBug::kStepTwice && cause == StopCause::kBroken && worker.step > generations_.at(generation).form.step) {
        worker.chain = follow(worker.chain, worker.step);
    }
    leave(index, cause == StopCause::kBroken);
    tell_worker(index, TrainerStopped{{.generation = generation,
                                       .step = worker.step,
                                       .cause = cause,
                                       .detail = cause == StopCause::kBroken ? "collective" : "",
                                       .digest = std::move(digest),
                                       .final_loss = 1}});
}

void World::leave(std::size_t index, bool broken) {
    WorkerProcess& worker = *workers_[index];
    const Generation generation = std::exchange(worker.generation, 0);
    worker.stage = Stage::kIdle;
    ++worker.run;
    if (broken) { break_generation(generation); }
}

void World::break_generation(Generation number) {
    ModelGeneration& generation = generations_.at(number);
    if (std::exchange(generation.broken, true)) { return; }
    for (const std::size_t member : generation.members) {
        if (member != kNobody && workers_[member]->generation == number) { fail_later(member, random_.between(0, 5)); }
    }
}

// Negative = when the collective's deadline has passed.
void World::fail_later(std::size_t index, Milliseconds delay) {
    const Generation generation = workers_[index]->generation;
    if (generation == 0) { return; }
    const auto fail = [this, index, generation] {
        if (workers_[index]->generation == generation) { trainer_stops(index, StopCause::kBroken); }
    };
    if (delay < 0) { return trainer_later(index, kCollectiveDeadline, fail); }
    after(delay, [this, index, fail] { give(*workers_[index], fail); });
}

void World::write_checkpoint(std::size_t index, Action then) {
    const WorkerProcess& worker = *workers_[index];
    const Step step = worker.step;
    after(random_.between(1, 20), [this, index, step, chain = worker.chain, then = std::move(then)] {
        give(*workers_[index], [this, index, step, chain, then] {
            const bool bad = random_.chance(bad_checkpoint_chance_);
            if (!bad) { checkpoints_[step] = chain; }
            tell_worker(index,
                        TrainerCheckpointed{
                            {.step = step, .file = bad ? "" : fmt::format("step-{}", step), .bytes = 1, .error = bad ? "disk full" : ""}});
            if (then) { then(); }
        });
    });
}

// ---- setup and end

void World::draw_setup() {
    setup_.job.name = "job";
    setup_.job.steps = random_.between(3, 9);
    setup_.job.checkpoint.every_steps = random_.chance(0.5) ? random_.between(1, 4) : 0;
    setup_.job.model = EmulatedModel{};
    setup_.virtual_nodes.assign(static_cast<std::size_t>(random_.between(1, 5)), 4);
    setup_.lease_s = 1.5;
    chains_.assign(1, 1);
    for (Step step = 1; step <= setup_.job.steps; ++step) { chains_.push_back(follow(chains_.back(), step)); }
    placement_ = random_placement();
    rounds_ = static_cast<std::uint32_t>(random_.between(1, 2));
    if (random_.chance(0.2)) { planned_.emplace_back(random_.between(1, setup_.job.steps), random_placement()); }
    if (options_.calm) { return; }
    local_ = random_.chance(0.6);
    if (random_.chance(0.3)) { break_chance_ = random_.uniform(0, 0.3); }
    if (random_.chance(0.2)) { bad_launch_chance_ = random_.uniform(0, 0.4); }
    if (random_.chance(0.2)) { bad_checkpoint_chance_ = 0.5; }
    faults_left_ = static_cast<int>(random_.between(0, 7));
}

Placement World::random_placement() {
    const auto nodes = static_cast<std::uint32_t>(setup_.virtual_nodes.size());
    const std::int64_t count = random_.between(1, std::min<std::int64_t>(4, nodes));
    Placement placement;
    for (std::int64_t place = 0; place < count; ++place) {
        const bool fast = random_.chance(0.3);
        placement.places.push_back({.device = "emulated", .gpu_type = fast ? "fast" : "slow", .speed = fast ? 2.0 : 1.0});
    }
    for (std::uint32_t node = 0; node < nodes; ++node) {
        const std::size_t place = node < count ? node : random_.below(placement.places.size());
        placement.places[place].virtual_nodes.push_back(node);
    }
    return placement;
}

void World::check_the_end() {
    check(over_, "nothing happens any more, and the run has not ended");
    for (const auto& worker : workers_) { check(!worker->alive, "a worker's process is left over"); }
    if (!options_.calm) { return; }
    check(result_.succeeded && result_.finished, "a run without faults fails");
}

}  // namespace medley::executor::test
