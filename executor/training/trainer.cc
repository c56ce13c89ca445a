#include "executor/training/trainer.h"

#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "executor/training/checkpoint_writer.h"
#include "executor/training/generation_signals.h"
#include "executor/training/inference_step.h"
#include "executor/training/meeting.h"

namespace medley::executor {
namespace {

EngineSetup engine_setup(const RunSetup& setup, const Place& place) {
    return {.job = setup.job,
            .virtual_nodes = setup.virtual_nodes,
            .device = place.device,
            .gpu_type = place.gpu_type,
            .speed = place.speed,
            .inference = setup.mode == Mode::kInference,
            .exact = setup.exact,
            .device_reduction = setup.collective == "nccl"};
}

CollectiveSetup collective_setup(const RunSetup& setup, const Place& place, const GenerationWork& work) {
    return {.rank = work.rank,
            .size = static_cast<int>(work.form.members.size()),
            .bind_address = work.bind_address,
            .device = place.device,
            .deadline = std::chrono::milliseconds(static_cast<std::int64_t>(setup.collective_deadline_s * 1000)),
            .exchange = work.exchange};
}

template <class Report, class... Values>
void tell(const Report& report, const Values&... values) {
    if (report) { report(values...); }
}

// Nobody leaves while another still waits for its part of the last step: a connection closed early would look like a failure there.
Outcome leave_together(Collective& collective) {
    std::int64_t nothing = 0;
    return collective.all_reduce({.data = &nothing, .elements = 1, .type = ElementType::kInt64}, ReduceOp::kSum);
}

}  // namespace

TrainerParts usual_parts() { return {.make_engine = make_engine, .connect = connect_collective}; }

class Trainer::Impl {
 public:
    Impl(const RunSetup& setup, const Place& place, TrainerReports reports, TrainerParts parts)
        : setup_(setup),
          place_(place),
          reports_(std::move(reports)),
          parts_(std::move(parts)),
          state_(make_training_state(parts_.make_engine(engine_setup(setup, place)), setup)),
          order_(state_.engine->samples(), setup.virtual_nodes, setup.job.seed, setup.mode == Mode::kTrain),
          fingerprint_(fingerprint(setup)),
          writer_(setup.directory, setup.job.checkpoint.keep) {}

    Stopped run(const GenerationWork& work) {
        const CollectiveMade made = parts_.connect(setup_.collective, collective_setup(setup_, place_, work));
        if (!made) { return broken(work, made.error()); }
        Collective& collective = **made;
        const GenerationSignals::Guard guard(signals_, work.form.generation, collective);
        const Outcome shared = share_state(state_, collective, work.form, fingerprint_);
        publish();
        if (!shared) { return broken(work, shared.error()); }
        tell(reports_.joined, state_.step);
        return train(work, collective);
    }

    void request_pause(Generation generation) { signals_.request_pause(generation); }
    void abort(Generation generation) { signals_.abort(generation); }

    Step step() const { return published_step_; }
    bool holds_state() const { return published_held_; }
    Engine& engine() { return *state_.engine; }
    std::string digest() { return state_.digest(); }

    Checkpointed save_checkpoint() {
        report_written(writer_.wait());
        return writer_.write(state_.snapshot(fingerprint_));
    }

 private:
    bool inference() const { return setup_.mode == Mode::kInference; }
    Step steps() const { return inference() ? inference_steps(state_.engine->samples(), order_.global_batch()) : setup_.job.steps; }

    Stopped train(const GenerationWork& work, Collective& collective) {
        const std::vector<VirtualNode>& nodes = work.form.placement.places.at(static_cast<std::size_t>(work.rank)).virtual_nodes;
        const StepWork step_work{.order = order_, .collective = collective, .virtual_nodes = nodes};
        const Generation generation = work.form.generation;
        std::unique_ptr<OutputFile> outputs = inference() && work.rank == 0 ? open_outputs() : nullptr;
        while (state_.step < steps()) {
            const StepResult result = one_step(step_work, generation, outputs.get());
            if (!result) { return broken(work, result.error()); }
            publish();
            tell(reports_.stepped, stepped(generation, *result));
            if (work.rank == 0) { checkpoint_if_due(); }
            if (result->pause && state_.step < steps()) { return paused(work, collective); }
        }
        return finished(work, collective, outputs.get());
    }

    StepResult one_step(const StepWork& work, Generation generation, OutputFile* outputs) {
        const PauseWish wish = [this, generation] { return signals_.pause_requested(generation); };
        if (inference()) { return inference_step(state_, work, state_.engine->samples(), outputs, wish); }
        return training_step(state_, work, wish);
    }

    Stepped stepped(Generation generation, const StepOutcome& outcome) const {
        return {.generation = generation,
                .step = state_.step,
                .loss = outcome.loss,
                .weight = static_cast<double>(outcome.weight),
                .times = outcome.times};
    }

    // Opened by whoever is rank 0 when batches are left, so that a run that is already done stays as it is.
    std::unique_ptr<OutputFile> open_outputs() {
        std::error_code ignored;
        const bool complete = state_.step >= steps() && std::filesystem::exists(outputs_path(setup_.directory), ignored);
        if (complete) { return nullptr; }
        std::vector<std::int64_t> shape = state_.engine->output_shape();
        shape.insert(shape.begin(), state_.engine->samples());
        const NpyType type = setup_.job.precision == Precision::kFp64 ? NpyType::kFloat64 : NpyType::kFloat32;
        return std::make_unique<OutputFile>(setup_.directory, type, shape);
    }

    void checkpoint_if_due() {
        report_written(writer_.poll());
        const std::int64_t every = setup_.job.checkpoint.every_steps;
        const bool due = !inference() && every > 0 && state_.step % every == 0 && state_.step < steps();
        if (!due) { return; }
        if (writer_.busy()) {
            const Checkpointed left_out{.step = state_.step, .error = "left out: the one before is still being written"};
            tell(reports_.checkpointed, left_out);
            return;
        }
        writer_.start(state_.snapshot(fingerprint_));
    }

    void report_written(const std::optional<Checkpointed>& written) const {
        if (written) { tell(reports_.checkpointed, *written); }
    }

    // A member that fails here has done the step as well; the next generation will see to it.
    Stopped paused(const GenerationWork& work, Collective& collective) {
        static_cast<void>(leave_together(collective));
        report_written(writer_.poll());
        return {.generation = work.form.generation, .step = state_.step, .cause = StopCause::kPaused, .final_loss = state_.loss};
    }

    Stopped finished(const GenerationWork& work, Collective& collective, OutputFile* outputs) {
        if (outputs != nullptr) { outputs->finish(); }
        const Outcome left = leave_together(collective);
        // Without rank 0's word nobody knows that the outputs are complete.
        if (!left && inference()) { return broken(work, left.error()); }
        report_written(writer_.wait());
        if (work.rank == 0 && !inference()) { report_written(save_checkpoint()); }
        return {.generation = work.form.generation,
                .step = state_.step,
                .cause = StopCause::kFinished,
                .digest = state_.digest(),
                .final_loss = state_.loss};
    }

    Stopped broken(const GenerationWork& work, const CollectiveFailure& failure) {
        report_written(writer_.poll());
        const bool aborted = signals_.aborted(work.form.generation);
        return {.generation = work.form.generation,
                .step = state_.held ? state_.step : kNoState,
                .cause = StopCause::kBroken,
                .detail = aborted ? fmt::format("aborted ({})", failure.detail) : failure.detail,
                .final_loss = state_.loss};
    }

    void publish() {
        published_step_ = state_.step;
        published_held_ = state_.held;
    }

    RunSetup setup_;
    Place place_;
    TrainerReports reports_;
    TrainerParts parts_;
    TrainingState state_;
    SampleOrder order_;
    std::string fingerprint_;
    CheckpointWriter writer_;
    GenerationSignals signals_;
    std::atomic<Step> published_step_ = 0;
    std::atomic<bool> published_held_ = false;
};

Trainer::Trainer(const RunSetup& setup, const Place& place, TrainerReports reports, TrainerParts parts)
    : impl_(std::make_unique<Impl>(setup, place, std::move(reports), std::move(parts))) {}
Trainer::~Trainer() = default;

Stopped Trainer::run(const GenerationWork& work) { return impl_->run(work); }
void Trainer::request_pause(Generation generation) { impl_->request_pause(generation); }
void Trainer::abort(Generation generation) { impl_->abort(generation); }
Step Trainer::step() const { return impl_->step(); }
bool Trainer::holds_state() const { return impl_->holds_state(); }
Engine& Trainer::engine() { return impl_->engine(); }
std::string Trainer::digest() { return impl_->digest(); }
Checkpointed Trainer::save_checkpoint() { return impl_->save_checkpoint(); }

}  // namespace medley::executor
