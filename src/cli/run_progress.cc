#include "cli/run_progress.h"

#include <cmath>
#include <cstdio>
#include <utility>
#include <variant>

#include <unistd.h>

#include <fmt/format.h>

#include "cli/table.h"
#include "executor/report/run_history.h"

namespace medley::cli {
namespace {

constexpr const char* kWipeLine = "\r\033[K";
constexpr double kBetweenDraws_s = 0.1;
constexpr double kRateOver_s = 2;

}  // namespace

std::string run_progress_line(const RunProgressOptions& options, const executor::Stepped& stepped, double samples_per_s) {
    const std::string predicted =
        options.predicted_samples_per_s ? fmt::format(" (predicted {})", show_number(*options.predicted_samples_per_s)) : "";
    const std::string rate = samples_per_s > 0 ? show_number(samples_per_s) : "-";
    return fmt::format("step {} of {}, loss {}, {} samples/s{}", stepped.step, options.steps, show_number(stepped.loss), rate, predicted);
}

RunProgress::RunProgress(const Console& console, RunProgressOptions options)
    : console_(console), options_(options), on_terminal_(!console.quiet && ::isatty(STDERR_FILENO) == 1) {}

RunProgress::~RunProgress() { wipe(); }

void RunProgress::wipe() {
    if (drawn_) { std::fputs(kWipeLine, stderr); }
    drawn_ = false;
}

void RunProgress::note(const std::string& line) {
    wipe();
    console_.note(line);
}

void RunProgress::watch_loss(const executor::Stepped& stepped) {
    if (std::isfinite(stepped.loss) || std::exchange(diverged_, true)) { return; }
    note(fmt::format("warning: the loss is {} after step {}: the training has diverged, or its data are not finite", stepped.loss,
                     stepped.step));
}

void RunProgress::stepped(const executor::Stepped& stepped, double seconds) {
    watch_loss(stepped);
    if (stepped.step <= newest_ || !on_terminal_) { return; }
    newest_ = stepped.step;
    if (!in_training_) {
        in_training_ = true;
        mark_step_ = stepped.step;
        mark_s_ = seconds;
    }
    if (seconds < next_draw_s_) { return; }
    next_draw_s_ = seconds + kBetweenDraws_s;
    const double span_s = seconds - mark_s_;
    if (span_s > 0) { samples_per_s_ = static_cast<double>((stepped.step - mark_step_) * options_.global_batch) / span_s; }
    if (span_s > kRateOver_s) {
        mark_step_ = stepped.step;
        mark_s_ = seconds;
    }
    drawn_ = true;
    std::fprintf(stderr, "%s%s", kWipeLine, run_progress_line(options_, stepped, samples_per_s_).c_str());
    std::fflush(stderr);
}

void RunProgress::show(const executor::Record& record, double seconds) {
    if (const auto* step = std::get_if<executor::SteppedRecord>(&record)) { return stepped(step->stepped, seconds); }
    in_training_ = false;
    if (const auto* lost = std::get_if<executor::LostRecord>(&record)) {
        if (!lost->orderly) { note(fmt::format("worker {} lost after step {}: {}", lost->worker, lost->step, lost->reason)); }
    } else if (const auto* generation = std::get_if<executor::GenerationRecord>(&record)) {
        wipe();
        console_.detail(fmt::format("{} workers from step {}: {}", generation->members.size(), generation->step,
                                    executor::device_counts(generation->placement)));
    } else if (const auto* checkpoint = std::get_if<executor::CheckpointRecord>(&record)) {
        in_training_ = true;
        const executor::Checkpointed& written = checkpoint->checkpoint;
        if (!written.error.empty()) { note(fmt::format("checkpoint after step {} failed: {}", written.step, written.error)); }
    }
}

}  // namespace medley::cli
