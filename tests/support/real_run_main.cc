/// A coordinator, or one of its workers, for tests: says on standard output what becomes true, one line each.
///
///     medley-test-run start DIR JOB...      (see RealJob::arguments)
///     medley-test-run resume DIR JOB...
///     medley-test-run worker --run DIR --number N

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "executor/session/run_job.h"
#include "executor/session/run_worker.h"
#include "tests/support/real_job.h"

namespace medley::test {
namespace {

using namespace medley::executor;

struct Say {
    std::string operator()(const TermRecord& what) const { return fmt::format("term {}", what.term); }
    std::string operator()(const LaunchedRecord& what) const { return fmt::format("launched {}", what.worker); }
    std::string operator()(const ReadyRecord& what) const { return fmt::format("ready {} {}", what.worker, what.process); }
    std::string operator()(const LostRecord& what) const {
        return fmt::format("{} {} {}", what.orderly ? "left" : "lost", what.worker, what.reason);
    }
    std::string operator()(const TargetRecord& what) const { return fmt::format("target {}", what.placement.places.size()); }
    std::string operator()(const GenerationRecord& what) const {
        return fmt::format("generation {} {} of {}", what.generation, what.step, fmt::join(what.members, ","));
    }
    std::string operator()(const JoinedRecord& what) const { return fmt::format("joined {} {}", what.generation, what.step); }
    std::string operator()(const SteppedRecord& what) const { return fmt::format("stepped {} {}", what.stepped.step, what.worker); }
    std::string operator()(const RestRecord& what) const { return fmt::format("rest {} {}", what.generation, what.step); }
    std::string operator()(const CheckpointRecord& what) const {
        return fmt::format("checkpoint {} {}", what.checkpoint.step, what.checkpoint.error);
    }
    std::string operator()(const FinishedRecord& what) const { return fmt::format("finished {} {}", what.step, what.digest); }
    std::string operator()(const StoppedByUserRecord& what) const { return fmt::format("stopped {} {}", what.step, what.reason); }
};

void print(const std::string& line) {
    std::puts(line.c_str());
    std::fflush(stdout);
}

int report(const RunOutcome& outcome) {
    // A coordinator may have died between logging the finish and saying so.
    for (const Record& record : outcome.earlier) {
        if (const auto* finished = std::get_if<FinishedRecord>(&record)) { print(Say{}(*finished)); }
    }
    print(fmt::format("dropped {}", outcome.dropped_peers));
    print(fmt::format("ended {} {}", outcome.succeeded ? "well" : "badly", outcome.reason));
    return outcome.succeeded ? 0 : 1;
}

int coordinate(const std::vector<std::string>& words) {
    const RealJob job = RealJob::parse({words.begin() + 2, words.end()});
    const auto observer = [](const Record& record, double seconds) { print(fmt::format("{:.3f} {}", seconds, std::visit(Say{}, record))); };
    RunOptions options;
    options.directory = words[1];
    options.program = std::filesystem::read_symlink("/proc/self/exe");
    options.timeouts = job.timeouts();
    options.warn = [](const std::string& line) { print("warning " + line); };
    options.detail = [](const std::string& line) { print("detail " + line); };
    if (words[0] == "resume") { return report(resume_job(options, observer)); }
    return report(run_job(job.setup(), job.placement(job.workers), options, observer));
}

int run(const std::vector<std::string>& words) {
    if (words.size() == 5 && words[0] == "worker") {
        return run_worker({.worker = static_cast<WorkerNumber>(std::stoul(words[4])), .directory = words[2]});
    }
    return words.size() > 2 ? coordinate(words) : 2;
}

}  // namespace
}  // namespace medley::test

int main(int argc, char** argv) {
    try {
        return medley::test::run({argv + 1, argv + argc});
    } catch (const medley::Error& error) {
        std::printf("error %s\n", error.what());
        return 2;
    }
}
