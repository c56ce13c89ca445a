/// What faults, resizes and a hundred workers cost, measured on real runs of the emulated engine:
///
///     executor_bench recovery      a worker is killed, again and again: time to the next finished step
///     executor_bench resize        between 2 and 4 workers, to and fro: time between steps across a resize, less a step
///     executor_bench coordinator   processor time of the coordinator per step of 128 workers

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "executor/launchers/launcher.h"
#include "executor/session/run_job.h"
#include "tests/support/real_job.h"
#include "tests/support/temporary_folder.h"

namespace medley::test {
namespace {

using namespace medley::executor;

double processor_seconds() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void report(const char* what, std::vector<double> milliseconds) {
    if (milliseconds.empty()) { return; }
    std::sort(milliseconds.begin(), milliseconds.end());
    double mean = 0;
    for (const double value : milliseconds) { mean += value / static_cast<double>(milliseconds.size()); }
    double variance = 0;
    for (const double value : milliseconds) { variance += (value - mean) * (value - mean) / static_cast<double>(milliseconds.size() - 1); }
    const double half = 1.96 * std::sqrt(variance / static_cast<double>(milliseconds.size()));
    fmt::print("{}: n={} median={:.1f} ms mean={:.1f} +- {:.1f} ms (95 %) largest={:.1f} ms\n", what, milliseconds.size(),
               milliseconds[milliseconds.size() / 2], mean, half, milliseconds.back());
}

RunOutcome run(const RealJob& job, const RunObserver& observer, std::vector<std::pair<Step, Placement>> planned = {}) {
    const TemporaryFolder folder;
    RunOptions options;
    options.directory = folder / "run";
    options.program = MEDLEY_TEST_RUN;
    options.timeouts = job.timeouts();
    options.planned = std::move(planned);
    options.timeouts.relaunches = 1000;
    const RunOutcome outcome = run_job(job.setup(), job.placement(job.workers), options, observer);
    if (!outcome.succeeded) { fmt::print("the run failed: {}\n", outcome.reason); }
    return outcome;
}

void measure_recovery() {
    const RealJob job{.workers = 3, .steps = 1500, .step_ms = 60, .parameters = 10000};
    std::vector<double> recoveries;
    std::map<WorkerNumber, std::int64_t> process_of;
    Generation broken = 0;
    double killed_at = 0;
    Step next = 10;
    std::size_t members = 0;
    run(job, [&](const Record& record, double seconds) {
        if (const auto* ready = std::get_if<ReadyRecord>(&record)) { process_of[ready->worker] = ready->process; }
        if (const auto* lost = std::get_if<LostRecord>(&record)) { process_of.erase(lost->worker); }
        if (const auto* formed = std::get_if<GenerationRecord>(&record)) { members = formed->members.size(); }
        const auto* done = std::get_if<SteppedRecord>(&record);
        if (done == nullptr) { return; }
        const Stepped& stepped = done->stepped;
        if (killed_at > 0 && stepped.generation > broken) {
            recoveries.push_back(1000 * (seconds - killed_at));
            killed_at = 0;
            next = stepped.step + 10;
        } else if (killed_at == 0 && members == 3 && stepped.step >= next && recoveries.size() < 40) {
            broken = stepped.generation;
            killed_at = seconds;
            ::kill(static_cast<pid_t>(process_of.rbegin()->second), SIGKILL);
        }
    });
    report("recovery from SIGKILL of one of 3 workers, to the next finished step (a step takes 20 to 30 ms)", recoveries);
}

void measure_resize() {
    const RealJob job{.workers = 2, .steps = 1300, .step_ms = 40, .parameters = 1000000};
    std::vector<std::pair<Step, Placement>> planned;
    for (Step step = 20; step + 20 < job.steps; step += 20) { planned.emplace_back(step, job.placement(step % 40 == 0 ? 2 : 4)); }
    std::vector<double> grown;
    std::vector<double> shrunk;
    std::size_t before = 0;
    std::size_t members = 0;
    Generation generation = 0;
    double last = 0;
    double usual = 0;
    run(
        job,
        [&](const Record& record, double seconds) {
            if (const auto* formed = std::get_if<GenerationRecord>(&record)) { before = std::exchange(members, formed->members.size()); }
            const auto* done = std::get_if<SteppedRecord>(&record);
            if (done == nullptr) { return; }
            const bool across = generation != 0 && done->stepped.generation != generation;
            const StepTimes& times = done->stepped.times;
            usual = times.compute_s + times.collective_s + times.update_s + times.other_s;
            if (across) { (members > before ? grown : shrunk).push_back(1000 * (seconds - last - usual)); }
            generation = done->stepped.generation;
            last = seconds;
        },
        planned);
    report("pause of a resize from 2 to 4 workers (state 8 MB)", grown);
    report("pause of a resize from 4 to 2 workers (state 8 MB)", shrunk);
}

void measure_coordinator() {
    const RealJob job{.workers = 128, .virtual_nodes = 128, .steps = 60, .step_ms = 128 * 500, .silence_ms = 30000};
    constexpr Step kFrom = 10;
    constexpr Step kTo = 55;
    std::optional<std::pair<double, double>> from;
    std::optional<std::pair<double, double>> to;
    double joined = 0;
    double formed = 0;
    run(job, [&](const Record& record, double seconds) {
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
    if (only.empty() || only == "resize") { medley::test::measure_resize(); }
    if (only.empty() || only == "coordinator") { medley::test::measure_coordinator(); }
    return 0;
}
