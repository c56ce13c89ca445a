/// What faults, resizes and a hundred workers cost, measured on real runs of the emulated engine:
///
///     executor_bench recovery      a worker is killed, again and again: time to the next finished step
///     executor_bench resize        between 2 and 4 workers, to and fro: the pause of those who go on, beside what the link allows
///     executor_bench coordinator   processor time of the coordinator per step of 128 workers
///     executor_bench uneven        the planner's uneven plans on devices of unequal speed, beside their prediction and the even split

#include <csignal>
#include <cstdio>
#include <ctime>
#include <map>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "tests/bench/executor/bench_run.h"

namespace medley::test {
namespace {

using namespace medley::executor;

double processor_seconds() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void measure_recovery() {
    const RealJob job{.workers = 3, .steps = 1500, .step_ms = 60, .parameters = 10000};
    std::vector<double> recoveries;
    std::map<WorkerNumber, std::int64_t> process_of;
    Generation broken = 0;
    double killed_at = 0;
    Step next = 10;
    std::size_t members = 0;
    carry_out(bench_run(job), [&](const Record& record, double seconds) {
        if (const auto* ready = std::get_if<ReadyRecord>(&record)) { process_of[ready->worker] = ready->process; }
        if (const auto* lost = std::get_if<LostRecord>(&record)) { process_of.erase(lost->worker); }
        if (const auto* formed = std::get_if<GenerationRecord>(&record)) { members = formed->members.size(); }
        const auto* done = std::get_if<SteppedRecord>(&record);
        if (done == nullptr) { return; }
        const Stepped& stepped = done->stepped;
        if (killed_at > 0 && stepped.generation > broken) {
            recoveries.push_back(seconds - killed_at);
            killed_at = 0;
            next = stepped.step + 10;
        } else if (killed_at == 0 && members == 3 && stepped.step >= next && recoveries.size() < 40) {
            broken = stepped.generation;
            killed_at = seconds;
            ::kill(static_cast<pid_t>(process_of.rbegin()->second), SIGKILL);
        }
    });
    fmt::print("recovery from SIGKILL of one of 3 workers, to the next finished step (a step takes 20 to 30 ms): {}\n",
               spread_of(recoveries).text());
}

void measure_coordinator() {
    const RealJob job{.workers = 128, .virtual_nodes = 128, .steps = 60, .step_ms = 128 * 500, .silence_ms = 30000};
    constexpr Step kFrom = 10;
    constexpr Step kTo = 55;
    std::optional<std::pair<double, double>> from;
    std::optional<std::pair<double, double>> to;
    double joined = 0;
    double formed = 0;
    carry_out(bench_run(job), [&](const Record& record, double seconds) {
        if (std::holds_alternative<GenerationRecord>(record)) { formed = seconds; }
        if (std::holds_alternative<JoinedRecord>(record)) { joined = seconds; }
        const auto* done = std::get_if<SteppedRecord>(&record);
        if (done == nullptr) { return; }
        const std::pair now(processor_seconds(), seconds);
        if (done->stepped.step == kFrom && !from) { from = now; }
        if (done->stepped.step == kTo && !to) { to = now; }
    });
    if (!from || !to) { return; }
    const double steps = static_cast<double>(kTo - kFrom);
    fmt::print(
        "128 workers: formed in {:.2f} s; {:.0f} ms a step; the coordinator's processor time {:.2f} ms a step, heartbeats included\n",
        joined - formed, 1000 * (to->second - from->second) / steps, 1000 * (to->first - from->first) / steps);
}

}  // namespace
}  // namespace medley::test

int main(int argc, char** argv) {
    const std::string only = argc > 1 ? argv[1] : "";
    if (only.empty() || only == "recovery") { medley::test::measure_recovery(); }
    if (only.empty() || only == "resize") { medley::test::measure_resizes(); }
    if (only.empty() || only == "coordinator") { medley::test::measure_coordinator(); }
    if (only.empty() || only == "uneven") { medley::test::measure_uneven(); }
    return 0;
}
