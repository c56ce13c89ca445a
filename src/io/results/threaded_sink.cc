#include "io/results/threaded_sink.h"

#include <utility>

namespace medley::io {
namespace {

constexpr std::size_t kBatch = 256;  // so that a batch is still in the cache when it is delivered
constexpr std::size_t kMostWaiting = 64;

}  // namespace

ThreadedSink::ThreadedSink(EventSink& target) : target_(target), helper_([this] { run(); }) { filling_.records.reserve(kBatch); }

ThreadedSink::~ThreadedSink() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        stopping_ = true;
        waiting_.clear();
    }
    changed_.notify_all();
    helper_.join();
}

void ThreadedSink::record(const LogRecord& record) {
    filling_.records.push_back(record);
    if (auto* submit = std::get_if<SubmitRecord>(&filling_.records.back())) { submit->id = filling_.ids.emplace_back(submit->id); }
    if (filling_.records.size() == kBatch) { hand_over(); }
}

void ThreadedSink::finish() {
    hand_over();
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return failure_ || (waiting_.empty() && !busy_); });
    if (failure_) { std::rethrow_exception(failure_); }
}

void ThreadedSink::hand_over() {
    {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [this] { return failure_ || waiting_.size() < kMostWaiting; });
        if (failure_) { std::rethrow_exception(failure_); }
        waiting_.push_back(std::move(filling_));
        filling_ = take_spare();
    }
    changed_.notify_all();
}

// Batches are used again: memory for each would cost more than filling it.
ThreadedSink::Batch ThreadedSink::take_spare() {
    Batch batch;
    if (!spare_.empty()) {
        batch = std::move(spare_.back());
        spare_.pop_back();
    }
    batch.records.reserve(kBatch);
    return batch;
}

void ThreadedSink::run() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
        if (stopping_) { return; }
        Batch batch = std::move(waiting_.front());
        waiting_.pop_front();
        busy_ = true;
        lock.unlock();
        deliver(batch);
        batch.records.clear();
        batch.ids.clear();
        lock.lock();
        spare_.push_back(std::move(batch));
        busy_ = false;
        changed_.notify_all();
        if (failure_) { return; }
    }
}

void ThreadedSink::deliver(const Batch& batch) {
    try {
        for (const LogRecord& record : batch.records) { target_.record(record); }
    } catch (...) {
        const std::lock_guard<std::mutex> lock(mutex_);
        failure_ = std::current_exception();
    }
}

}  // namespace medley::io
