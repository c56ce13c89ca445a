#include "tests/support/worker_threads.h"

#include <algorithm>
#include <thread>

#include "core/error.h"
#include "tests/support/rendezvous.h"

namespace medley::test {

using namespace executor;

namespace {
constexpr const char* kDevice = "cpu";
}

WorkerThreads::WorkerThreads(RunSetup setup, MakeEngine make_engine) : setup_(std::move(setup)), make_engine_(std::move(make_engine)) {}

void WorkerThreads::add(WorkerNumber worker) {
    TrainerReports reports;
    reports.stepped = [this, worker](const Stepped& stepped) { note_step(stepped, worker); };
    reports.checkpointed = [this](const Checkpointed& checkpointed) {
        const std::lock_guard lock(mutex_);
        checkpoints_.push_back(checkpointed);
    };
    const TrainerParts parts{.make_engine = make_engine_, .connect = [this](const std::string&, const CollectiveSetup& setup) {
                                 return connect_threads(setup, faults_);
                             }};
    trainers_[worker] = std::make_unique<Trainer>(setup_, Place{.device = kDevice}, std::move(reports), parts);
}

void WorkerThreads::note_step(const Stepped& stepped, WorkerNumber worker) {
    if (pause_after_ && stepped.step >= *pause_after_ - 1) { trainers_.at(worker)->request_pause(generation_); }
    const std::lock_guard lock(mutex_);
    losses_[stepped.step].insert(stepped.loss);
}

Form WorkerThreads::form_of(const GenerationOrder& order) {
    Form form{
        .generation = ++generation_, .members = order.members, .checkpoint = order.checkpoint, .from_start = order.checkpoint.empty()};
    for (const auto& nodes : order.virtual_nodes) { form.placement.places.push_back({.device = kDevice, .virtual_nodes = nodes}); }
    for (std::uint32_t rank = 0; rank < order.members.size(); ++rank) {
        const Trainer& candidate = trainer(order.members[rank]);
        const bool better = candidate.holds_state() && (form.from_start || !form.checkpoint.empty() || candidate.step() > form.step);
        if (!better) { continue; }
        form.from_start = false;
        form.checkpoint.clear();
        form.step = candidate.step();
        form.source = rank;
    }
    if (!form.checkpoint.empty()) { form.step = read_checkpoint(form.checkpoint, fingerprint(setup_)).step; }
    return form;
}

Stopped WorkerThreads::run_member(const GenerationOrder& order, const GenerationWork& work) {
    const WorkerNumber worker = order.members[static_cast<std::size_t>(work.rank)];
    try {
        return trainer(worker).run(work);
    } catch (const Error& error) { return {.generation = work.form.generation, .cause = StopCause::kBroken, .detail = error.what()}; }
}

std::vector<Stopped> WorkerThreads::run(const GenerationOrder& order) {
    for (const WorkerNumber worker : order.members) {
        if (!trainers_.contains(worker)) { add(worker); }
    }
    const Form form = form_of(order);
    const int size = static_cast<int>(order.members.size());
    faults_ = order.faults;
    pause_after_ = order.pause_after;
    if (pause_after_ && form.step >= *pause_after_ - 1) { trainer(order.members[0]).request_pause(form.generation); }
    Rendezvous offers(size);
    std::vector<Stopped> stopped(order.members.size());
    std::vector<std::thread> threads;
    for (int rank = 0; rank < size; ++rank) {
        threads.emplace_back([&, rank] {
            stopped[static_cast<std::size_t>(rank)] =
                run_member(order, {.form = form, .rank = rank, .exchange = offers.exchange_for(rank)});
        });
    }
    for (std::thread& thread : threads) { thread.join(); }
    return stopped;
}

std::vector<std::vector<VirtualNode>> by_count(const std::vector<int>& counts) {
    std::vector<std::vector<VirtualNode>> workers;
    VirtualNode next = 0;
    for (const int count : counts) {
        workers.emplace_back();
        for (int node = 0; node < count; ++node) { workers.back().push_back(next++); }
    }
    return workers;
}

}  // namespace medley::test
