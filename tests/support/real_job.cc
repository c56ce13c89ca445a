#include "tests/support/real_job.h"

#include "core/error.h"
#include "executor/engines/emulated/emulated_numbers.h"
#include "executor/training/checkpoint.h"
#include "tests/support/trained_models.h"

namespace medley::test {

std::vector<std::string> RealJob::arguments() const {
    std::vector<std::string> words;
    for (const std::int64_t value : {std::int64_t{workers}, std::int64_t{virtual_nodes}, steps, std::int64_t{step_ms}, parameters,
                                     checkpoint_every, static_cast<std::int64_t>(seed), std::int64_t{lease_s}, std::int64_t{silence_ms}}) {
        words.push_back(std::to_string(value));
    }
    if (!model.empty()) { words.push_back(model); }
    return words;
}

RealJob RealJob::parse(const std::vector<std::string>& arguments) {
    std::size_t next = 0;
    const auto take = [&] { return std::stoll(arguments.at(next++)); };
    RealJob job;
    job.workers = static_cast<int>(take());
    job.virtual_nodes = static_cast<int>(take());
    job.steps = take();
    job.step_ms = static_cast<int>(take());
    job.parameters = take();
    job.checkpoint_every = take();
    job.seed = static_cast<std::uint64_t>(take());
    job.lease_s = static_cast<int>(take());
    job.silence_ms = static_cast<int>(take());
    if (next < arguments.size()) { job.model = arguments[next]; }
    return job;
}

namespace {

executor::RunSetup trained_setup(const RealJob& job) {
    for (const TrainedModel& model : trained_models()) {
        if (model.name == job.model) { return setup_of(model, kEqualNodes, true); }
    }
    throw Error(Problem{.place = "model", .found = job.model, .expected = "a name of trained_models.h"});
}

}  // namespace

executor::RunSetup RealJob::setup() const {
    executor::RunSetup setup;
    if (!model.empty()) {
        setup = trained_setup(*this);
        setup.job.checkpoint.every_steps = checkpoint_every;
        setup.lease_s = lease_s;
        return setup;
    }
    // Sizes differ, so that samples given to the wrong virtual node are noticed.
    std::int64_t samples = 0;
    for (int node = 0; node < virtual_nodes; ++node) {
        setup.virtual_nodes.push_back(1 + node % 3);
        samples += setup.virtual_nodes.back();
    }
    setup.job.name = "emulated";
    setup.job.model = EmulatedModel{.seconds_per_sample = step_ms / 1000.0 / static_cast<double>(samples), .parameters = parameters};
    setup.job.data = SyntheticData{.samples = 10 * samples + 3};
    setup.job.steps = steps;
    setup.job.seed = seed;
    setup.job.checkpoint.every_steps = checkpoint_every;
    setup.lease_s = lease_s;
    return setup;
}

executor::Placement RealJob::placement(int over) const {
    executor::Placement placement;
    const std::string device = model.empty() ? "emulated" : "cpu";
    for (int worker = 0; worker < over; ++worker) { placement.places.push_back({.device = device, .gpu_type = "V100"}); }
    for (int node = 0; node < virtual_nodes; ++node) {
        placement.places[static_cast<std::size_t>(node % over)].virtual_nodes.push_back(static_cast<executor::VirtualNode>(node));
    }
    return placement;
}

executor::Timeouts RealJob::timeouts() const { return {.silence = silence_ms, .connect = 10000, .relaunch = 100, .relaunches = 10}; }

std::string RealJob::digest_after(std::int64_t step) const {
    MEDLEY_ASSERT(model.empty());
    const executor::RunSetup made = setup();
    executor::EmulatedState state = executor::emulated_state_after(made.job, made.virtual_nodes, step);
    return executor::state_digest(step, state.sections());
}

}  // namespace medley::test
