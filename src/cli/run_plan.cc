#include "cli/run_plan.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "cli/emulated_times.h"
#include "cli/profile_lookup.h"
#include "cli/run_placement.h"
#include "core/error.h"
#include "executor/data/dataset.h"
#include "executor/plugins/plugin.h"
#include "io/plan_file.h"

namespace medley::cli {
namespace {

using executor::Placement;
using executor::RunSetup;

void refuse_without(const std::string& option, const std::string& value, const std::string& expected) {
    if (value.empty()) { refuse_value(option, "nothing", expected); }
}

io::JobFile load_job_of(const RunRequest& request) {
    io::JobFile file = io::load_job(request.job);
    if (request.seed) { file.job.seed = *request.seed; }
    if (request.steps > 0) { file.job.steps = request.steps; }
    return file;
}

/// The one that an emulated model runs by, or that the job names; else the plan's model's, if there is one. (An emulated model that states
/// its times itself has none.)
std::optional<Profile> profile_for(const io::JobFile& file, const Plan& plan, const RunRequest& request) {
    const std::string emulated = emulated_profile(file.job);
    const std::string& own = emulated.empty() ? file.profile : emulated;
    try {
        if (!own.empty()) { return load_profile_of("profile", own, request.profiles).profile; }
    } catch (const Error& error) {
        Problem problem = error.problem();
        problem.expected += fmt::format(" in {}", problem.file);
        problem.file = request.job;
        throw Error(std::move(problem));
    }
    if (plan.model.empty() || std::holds_alternative<EmulatedModel>(file.job.model)) { return std::nullopt; }
    try {
        return load_profile_of("model", plan.model.text(), request.profiles).profile;
    } catch (const Error&) { return std::nullopt; }
}

/// Before any worker is started, since each would fail by itself.
void require_engine(const io::JobFile& file, const std::string& job_file) {
    if (std::holds_alternative<EmulatedModel>(file.job.model)) { return; }
    if (const auto problem = executor::plugin_problem("torch")) {
        throw Error(Problem{.file = job_file, .place = "model.type", .found = model_type(file.job.model), .message = *problem});
    }
}

/// Counts of workers stand for CPUs; an emulated device has the profile's type, if that is the only one.
std::string type_of_workers(const RunSetup& setup) {
    const auto* model = std::get_if<EmulatedModel>(&setup.job.model);
    if (model == nullptr) { return "cpu"; }
    return model->seconds.size() == 1 ? model->seconds.front().first : "";
}

void refuse_untyped(const std::string& option, const RunSetup& setup, const Placement& placement) {
    const auto* model = std::get_if<EmulatedModel>(&setup.job.model);
    if (model == nullptr || model->seconds.empty()) { return; }
    for (const executor::Place& place : placement.places) {
        const auto known = [&](const auto& entry) { return entry.first == place.gpu_type; };
        if (std::any_of(model->seconds.begin(), model->seconds.end(), known)) { continue; }
        refuse_value(option, place.gpu_type.empty() ? "workers of no GPU type" : place.gpu_type,
                     fmt::format("GPU types that the profile of {} has times of", model->profile));
    }
}

/// NCCL needs a GPU of its own for each worker.
/// Opens and checks the data and the model's file here, so that one line says what is wrong, and not each worker by itself.
void require_data(const RunSetup& setup, const std::string& job_file) {
    const TrainingJob& job = setup.job;
    if (std::holds_alternative<EmulatedModel>(job.model)) { return; }
    const auto* script = std::get_if<TorchScriptModel>(&job.model);
    if (script != nullptr && !std::filesystem::is_regular_file(script->file)) {
        throw Error(Problem{.file = job_file, .place = "model.file", .found = script->file, .expected = "a TorchScript file"});
    }
    const auto* arrays = std::get_if<ArrayData>(&job.data);
    if (arrays != nullptr && arrays->targets.empty() && setup.mode == executor::Mode::kTrain) {
        throw Error(Problem{.file = job_file, .place = "data.targets", .found = "nothing", .expected = "an array (.npy), to train"});
    }
    executor::make_dataset(job);
}

// Only to try NCCL out on one GPU, where it is slow at best (executor/collectives/nccl).
bool may_share_gpus() { return std::getenv("MEDLEY_NCCL_SHARES_GPU") != nullptr; }

void require_gpus_of_their_own(const Placement& placement, bool may_share) {
    std::set<std::string> devices;
    for (const executor::Place& place : placement.places) {
        if (!place.device.starts_with("cuda")) { refuse_value("--collective", "nccl", "gloo or host: workers on " + place.device); }
        if (!devices.insert(place.device).second && !may_share) {
            refuse_value("--collective", "nccl", "host: several workers share " + place.device);
        }
    }
}

std::string collective_for(const RunRequest& request, const Placement& placement) {
    if (request.collective == "nccl") { require_gpus_of_their_own(placement, may_share_gpus()); }
    if (request.collective != "auto") { return request.collective; }
    std::set<std::string> gpus;
    for (const executor::Place& place : placement.places) {
        if (place.device.starts_with("cuda")) { gpus.insert(place.device); }
    }
    if (gpus.empty()) { return "gloo"; }
    const bool one_each = gpus.size() == placement.places.size();
    return one_each && !executor::plugin_problem("nccl") ? "nccl" : "host";
}

/// Forward only, a run is one pass over the data unless steps are asked for.
std::int64_t steps_of_one_pass(const RunSetup& setup) {
    const std::int64_t batch = std::accumulate(setup.virtual_nodes.begin(), setup.virtual_nodes.end(), std::int64_t{0});
    const auto* synthetic = std::get_if<SyntheticData>(&setup.job.data);
    const std::int64_t samples = synthetic != nullptr ? synthetic->samples : executor::make_dataset(setup.job)->samples();
    return (samples + batch - 1) / batch;
}

RunSetup setup_of(const RunRequest& request, const io::JobFile& file, const Plan& plan) {
    RunSetup setup{.job = file.job, .virtual_nodes = virtual_node_sizes(plan)};
    setup.mode = request.mode == "train" ? executor::Mode::kTrain : executor::Mode::kInference;
    setup.exact = request.exact;
    setup.lease_s = request.lease_s;
    if (setup.mode == executor::Mode::kInference && request.steps == 0) { setup.job.steps = steps_of_one_pass(setup); }
    return setup;
}

SpreadOptions spread_options(const std::string& option, const RunSetup& setup, const RunExtras& extras) {
    return {.option = option,
            .virtual_nodes = setup.virtual_nodes,
            .profile = extras.profile ? &*extras.profile : nullptr,
            .gpu_type = type_of_workers(setup)};
}

Placement first_placement(const RunRequest& request, const PreparedRun& run, const Plan& plan, const Console& console) {
    DeviceSource devices(run.setup.job, request.device, console);
    if (request.workers.empty()) { return placement_of(plan, run.setup.virtual_nodes, devices); }
    if (request.workers.find('=') != std::string::npos || io::names_plan_file(request.workers)) {
        refuse_value("--workers", request.workers, "a number of workers, or the virtual nodes of each: 4,2,2");
    }
    return parse_placement(request.workers, spread_options("--workers", run.setup, run.extras), devices);
}

DeviceSource devices_of(const Placement& placement) {
    std::vector<std::string> devices;
    for (const executor::Place& place : placement.places) {
        if (std::find(devices.begin(), devices.end(), place.device) == devices.end()) { devices.push_back(place.device); }
    }
    return DeviceSource(std::move(devices));
}

}  // namespace

Placement placement_for(const std::string& option, const std::string& to, const RunSetup& setup, const RunExtras& extras,
                        const Placement& first) {
    DeviceSource devices = devices_of(first);
    Placement placement = parse_placement(to, spread_options(option, setup, extras), devices);
    refuse_untyped(option, setup, placement);
    return placement;
}

std::vector<std::pair<executor::Step, Placement>> planned_placements(const std::vector<io::ResizeStep>& resizes, const RunSetup& setup,
                                                                     const RunExtras& extras, const Placement& first) {
    std::vector<std::pair<executor::Step, Placement>> planned;
    for (const io::ResizeStep& resize : resizes) {
        planned.emplace_back(resize.at_step, placement_for(resize.place, resize.to, setup, extras, first));
    }
    return planned;
}

PreparedRun prepare_run(const RunRequest& request, const Console& console) {
    refuse_without("PLAN", request.plan, "a plan file, as medley plan -o writes it (or --resume DIR)");
    refuse_without("--job", request.job, "a job file (YAML)");
    const io::JobFile file = load_job_of(request);
    const Plan plan = io::load_plan(request.plan);
    require_engine(file, request.job);
    PreparedRun run;
    run.job_text = io::format_job(file);
    run.extras.profile = profile_for(file, plan, request);
    run.setup = setup_of(request, file, plan);
    if (run.extras.profile) { fill_emulated_times(run.setup.job, *run.extras.profile); }
    run.placement = first_placement(request, run, plan, console);
    refuse_untyped(request.workers.empty() ? request.plan : "--workers", run.setup, run.placement);
    run.setup.collective = collective_for(request, run.placement);
    require_data(run.setup, request.job);
    if (!request.resize_plan.empty()) { run.extras.resizes = io::load_resize_plan(request.resize_plan); }
    run.planned = planned_placements(run.extras.resizes, run.setup, run.extras, run.placement);
    const Profile* profile = run.extras.profile ? &*run.extras.profile : nullptr;
    run.prediction = predict(run.setup, run.placement, profile, run.no_prediction);
    return run;
}

}  // namespace medley::cli
