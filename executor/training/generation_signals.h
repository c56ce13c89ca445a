#pragma once
/// Pause and abort from other threads, for one generation each: a signal for a generation that has not begun waits for it, one that comes
/// too late has no effect.

#include <atomic>
#include <mutex>

#include "executor/collectives/collective.h"
#include "executor/protocol/messages.h"

namespace medley::executor {

class GenerationSignals {
 public:
    void request_pause(Generation generation) { raise(pause_, generation); }
    bool pause_requested(Generation generation) const { return pause_ >= generation; }

    void abort(Generation generation) {
        const std::lock_guard lock(mutex_);
        raise(abort_, generation);
        if (collective_ != nullptr && generation_ <= generation) { collective_->abort(); }
    }
    bool aborted(Generation generation) const { return abort_ >= generation; }

    /// While a guard lives, `abort` reaches the collective.
    class Guard {
     public:
        Guard(GenerationSignals& signals, Generation generation, Collective& collective) : signals_(signals) {
            const std::lock_guard lock(signals_.mutex_);
            signals_.collective_ = &collective;
            signals_.generation_ = generation;
            if (signals_.aborted(generation)) { collective.abort(); }
        }
        ~Guard() {
            const std::lock_guard lock(signals_.mutex_);
            signals_.collective_ = nullptr;
        }
        Guard(const Guard&) = delete;
        Guard& operator=(const Guard&) = delete;

     private:
        GenerationSignals& signals_;
    };

 private:
    static void raise(std::atomic<Generation>& level, Generation generation) {
        Generation known = level;
        while (known < generation && !level.compare_exchange_weak(known, generation)) {}
    }

    std::atomic<Generation> pause_ = 0;
    std::atomic<Generation> abort_ = 0;
    std::mutex mutex_;
    Collective* collective_ = nullptr;
    Generation generation_ = 0;
};

}  // namespace medley::executor
