#include "executor/session/training_thread.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>

namespace medley::executor {
namespace {

/// Longer than a coordinator gives a generation to form: it decides, this only ends waiting for one that has gone for good.
constexpr auto kLongestExchange = std::chrono::seconds(60);

std::int64_t state_bytes(Engine& engine) {
    std::int64_t bytes = 0;
    for (const StateSection& section : engine.state()) { bytes += static_cast<std::int64_t>(section.bytes.size()); }
    return bytes;
}

}  // namespace

TrainingThread::TrainingThread(std::string bind_address, Tell tell)
    : bind_address_(std::move(bind_address)), tell_(std::move(tell)), thread_([this] { work(); }) {}

TrainingThread::~TrainingThread() {
    finish(std::chrono::milliseconds(0));
    if (thread_.joinable()) { thread_.join(); }
}

void TrainingThread::build(const BuildEngine& what) {
    enqueue([this, what] { build_trainer(what); });
}

void TrainingThread::start(const StartGeneration& what) {
    enqueue([this, what] { run_generation(what); });
    const std::lock_guard lock(mutex_);
    started_ = what.form.generation;
}

void TrainingThread::save() {
    enqueue([this] { tell_(TrainerCheckpointed{trainer_->save_checkpoint()}); });
}

void TrainingThread::deliver(const Offers& offers) {
    const std::lock_guard lock(mutex_);
    offers_[{offers.generation, offers.round}] = offers.blobs;
    changed_.notify_all();
}

void TrainingThread::pause(Generation generation) {
    const std::lock_guard lock(mutex_);
    if (trainer_) { trainer_->request_pause(generation); }
}

void TrainingThread::abort(Generation generation) {
    const std::lock_guard lock(mutex_);
    aborted_ = std::max(aborted_, generation);
    changed_.notify_all();
    if (trainer_) { trainer_->abort(generation); }
}

bool TrainingThread::finish(std::chrono::milliseconds deadline) {
    std::unique_lock lock(mutex_);
    ending_ = true;
    jobs_.clear();
    changed_.notify_all();
    if (trainer_) { trainer_->abort(started_); }
    return changed_.wait_for(lock, deadline, [this] { return ended_; });
}

void TrainingThread::enqueue(std::function<void()> job) {
    const std::lock_guard lock(mutex_);
    if (!ending_) { jobs_.push_back(std::move(job)); }
    changed_.notify_all();
}

void TrainingThread::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return ending_ || !jobs_.empty(); });
        if (ending_) { break; }
        const std::function<void()> job = std::move(jobs_.front());
        jobs_.pop_front();
        lock.unlock();
        try {
            job();
        } catch (const std::exception& error) { tell_(EngineFailed{error.what()}); }
        lock.lock();
    }
    // The trainer goes on the thread that made it; outside the lock, since that may take a while.
    std::unique_ptr<Trainer> trainer = std::move(trainer_);
    lock.unlock();
    trainer.reset();
    lock.lock();
    ended_ = true;
    changed_.notify_all();
}

void TrainingThread::build_trainer(const BuildEngine& what) {
    TrainerReports reports{.joined =
                               [this](Step step) {
                                   tell_(TrainerJoined{generation_, step});
                               },
                           .stepped = [this](const Stepped& stepped) { tell_(TrainerStepped{stepped}); },
                           .checkpointed = [this](const Checkpointed& checkpoint) { tell_(TrainerCheckpointed{checkpoint}); }};
    auto trainer = std::make_unique<Trainer>(what.setup, place_here(what.place, std::getenv("CUDA_VISIBLE_DEVICES")), std::move(reports));
    const EngineBuilt built{.device_name = trainer->engine().device_name(), .state_bytes = state_bytes(trainer->engine())};
    {
        const std::lock_guard lock(mutex_);
        trainer_ = std::move(trainer);
    }
    tell_(built);
}

void TrainingThread::run_generation(const StartGeneration& what) {
    generation_ = what.form.generation;
    round_ = 0;
    {
        const std::lock_guard lock(mutex_);
        offers_.erase(offers_.begin(), offers_.lower_bound({generation_, 0}));
    }
    const Stopped stopped =
        trainer_->run({.form = what.form,
                       .rank = static_cast<int>(what.rank),
                       .bind_address = bind_address_,
                       .exchange = [this, generation = generation_](const std::string& mine) { return exchange(generation, mine); }});
    tell_(TrainerStopped{stopped});
}

std::vector<std::string> TrainingThread::exchange(Generation generation, const std::string& mine) {
    const std::pair key(generation, round_++);
    tell_(TrainerOffers{.generation = generation, .round = key.second, .blob = mine});
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kLongestExchange, [&] { return ending_ || aborted_ >= generation || offers_.contains(key); });
    const auto found = offers_.find(key);
    if (ending_ || aborted_ >= generation || found == offers_.end()) { return {}; }
    std::vector<std::string> blobs = std::move(found->second);
    offers_.erase(found);
    return blobs;
}

Place place_here(Place place, const char* visible_devices) {
    const bool one = visible_devices != nullptr && *visible_devices != '\0' && std::strchr(visible_devices, ',') == nullptr;
    if (one && place.device.starts_with("cuda:")) { place.device = "cuda:0"; }
    return place;
}

}  // namespace medley::executor
