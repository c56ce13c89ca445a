// What a resize costs those who go on: from the last step before it to the end of the first one after it, less that step.

#include <algorithm>
#include <array>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/error.h"
#include "executor/session/operator_client.h"
#include "tests/bench/executor/bench_run.h"
#include "tests/support/paired_benchmark.h"

namespace medley::test {
namespace {

using namespace medley::executor;

constexpr int kResizes = 32;  // each way
constexpr int kFew = 2;
constexpr int kMany = 4;
constexpr Step kBetween = 4;  // steps from one resize's end to the asking for the next

/// Asks for one resize after another, each once the one before it is done and some steps have followed; then stops the run.
class Resizer {
 public:
    explicit Resizer(RealJob job) : job_(job) {}

    void start(const std::filesystem::path& directory) {
        directory_ = directory;
        asker_ = std::thread([this] { ask_all(); });
    }
    ~Resizer() {
        {
            const std::lock_guard lock(mutex_);
            over_ = true;
        }
        changed_.notify_all();
        asker_.join();
    }

    void observe(const Record& record, double seconds) {
        if (const auto* formed = std::get_if<GenerationRecord>(&record)) {
            before_ = std::exchange(members_, formed->members.size());
            steps_ = 0;
        }
        if (const auto* done = std::get_if<SteppedRecord>(&record)) { stepped(done->stepped, seconds); }
    }
    const std::vector<double>& grown() const { return grown_; }
    const std::vector<double>& shrunk() const { return shrunk_; }

 private:
    void stepped(const Stepped& stepped, double seconds) {
        if (stepped.step <= step_) { return; }
        step_ = stepped.step;
        if (++steps_ == 1 && before_ != 0) {
            (members_ > before_ ? grown_ : shrunk_).push_back(seconds - last_s_ - seconds_of(stepped.times));
        }
        last_s_ = seconds;
        if (steps_ != kBetween) { return; }
        const std::lock_guard lock(mutex_);
        due_ = members_ == kFew ? kMany : kFew;
        changed_.notify_all();
    }

    void ask_all() {
        try {
            ask_for_resizes();
        } catch (const Error& error) { fmt::print("{}\n", error.what()); }
    }
    void ask_for_resizes() {
        for (int asked = 0; asked <= 2 * kResizes; ++asked) {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [this] { return due_ != 0 || over_; });
            if (over_) { return; }
            const int wanted = std::exchange(due_, 0);
            lock.unlock();
            if (asked == 2 * kResizes) { break; }
            ask_coordinator(directory_, ResizeRequest{job_.placement(wanted)});
        }
        ask_coordinator(directory_, StopRequest{"measured"});
    }

    RealJob job_;
    std::filesystem::path directory_;
    std::thread asker_;
    std::mutex mutex_;
    std::condition_variable changed_;
    int due_ = 0;  ///< how many workers to ask for next
    bool over_ = false;

    std::size_t before_ = 0;
    std::size_t members_ = 0;
    Step step_ = 0;
    Step steps_ = 0;  ///< of this generation
    double last_s_ = 0;
    std::vector<double> grown_;
    std::vector<double> shrunk_;
};

/// Two ends of a TCP connection over the loopback.
std::array<int, 2> loopback_pair() {
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const where = reinterpret_cast<sockaddr*>(&address);
    const int sender = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool good = ::bind(listener, where, size) == 0 && ::listen(listener, 1) == 0 && ::getsockname(listener, where, &size) == 0 &&
                      ::connect(sender, where, size) == 0;
    const int receiver = good ? ::accept(listener, nullptr, nullptr) : -1;
    ::close(listener);
    if (receiver < 0) { throw Error("no connection over the loopback"); }
    return {sender, receiver};
}

double seconds_to_send(std::size_t bytes) {
    const auto [sender, receiver] = loopback_pair();
    constexpr std::size_t kPiece = std::size_t{1} << 20;
    std::vector<char> sent(kPiece, 'a');
    std::vector<char> received(kPiece);
    const double seconds = seconds_of([&, sender = sender, receiver = receiver] {
        std::thread thread([&, sender] {
            for (std::size_t left = bytes; left > 0;) {
                const ssize_t size = ::send(sender, sent.data(), std::min(left, kPiece), MSG_NOSIGNAL);
                if (size <= 0) { return; }
                left -= static_cast<std::size_t>(size);
            }
        });
        for (std::size_t left = bytes; left > 0;) {
            const ssize_t size = ::recv(receiver, received.data(), std::min(left, kPiece), 0);
            if (size <= 0) { break; }
            left -= static_cast<std::size_t>(size);
        }
        thread.join();
    });
    ::close(sender);
    ::close(receiver);
    return seconds;
}

/// The median of some, taken when nothing else of ours runs.
double link_bytes_per_s() {
    constexpr std::size_t kBytes = std::size_t{256} << 20;
    std::vector<double> seconds;
    for (int time = 0; time < 7; ++time) { seconds.push_back(seconds_to_send(kBytes)); }
    std::sort(seconds.begin(), seconds.end());
    return static_cast<double>(kBytes) / seconds[seconds.size() / 2];
}

void report(const char* what, const std::vector<double>& pauses_s, double allowed_s) {
    const Spread spread = spread_of(pauses_s);
    fmt::print("    {}: {}; {:.2f} of the allowed {:.0f} ms at the interval's end\n", what, spread.text(),
               (spread.mean_ms + spread.half_ms) / (1e3 * allowed_s), 1e3 * allowed_s);
}

}  // namespace

void measure_resizes() {
    const double bytes_per_s = link_bytes_per_s();
    fmt::print("link (TCP over the loopback): {:.2f} GB/s\n", bytes_per_s / 1e9);
    for (const std::int64_t parameters : {std::int64_t{100'000}, std::int64_t{1'000'000}, std::int64_t{10'000'000}}) {
        const RealJob job{.workers = kFew, .steps = 1'000'000, .step_ms = 40, .parameters = parameters};
        const double state_bytes = 8.0 * static_cast<double>(parameters);
        Resizer resizer(job);
        carry_out(
            bench_run(job), [&](const Record& record, double seconds) { resizer.observe(record, seconds); },
            [&](const std::filesystem::path& directory) { resizer.start(directory); });
        fmt::print("pause of resizes between {} and {} workers, state of {:.1f} MB\n", kFew, kMany, state_bytes / 1e6);
        const double allowed_s = 1.2 * state_bytes / bytes_per_s + 0.1;
        report("grown", resizer.grown(), allowed_s);
        report("shrunk", resizer.shrunk(), allowed_s);
        std::fflush(stdout);
    }
}

}  // namespace medley::test
