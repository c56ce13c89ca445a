#include <filesystem>
#include <memory>
#include <optional>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "cli/build_info.h"
#include "cli/cmd_profile.h"
#include "cli/options.h"
#include "cli/profile_calibration.h"
#include "cli/run_directory.h"
#include "cli/table.h"
#include "core/error.h"
#include "executor/session/run_job.h"
#include "executor/session/wal_file.h"
#include "io/profile_file.h"
#include "io/profile_writing.h"
#include "io/results/json_writer.h"
#include "io/results/output_file.h"

namespace medley::cli {
namespace {

struct Options {
    std::string run;
    std::string profile;
    std::string model;
    std::string output;
};

const char* kind_name(CalibrationKind kind) { return kind == CalibrationKind::kMeasured ? "measured" : "scaled"; }

/// What the run predicted from, or the named one; else an empty profile, which the run's own sizes fill.
Profile profile_before(const Options& options, const std::filesystem::path& directory, const executor::RunSetup& setup) {
    std::optional<Profile> known = read_extras(directory).profile;
    if (!options.profile.empty()) { known = io::load_profile(options.profile); }
    Profile profile = known.value_or(Profile{.model = Name(setup.job.name)});
    if (!options.model.empty()) { profile.model = Name(options.model); }
    return profile;
}

double time_scale_of(const TrainingJob& job) {
    const auto* emulated = std::get_if<EmulatedModel>(&job.model);
    return emulated != nullptr && emulated->time_scale > 0 ? emulated->time_scale : 1;
}

std::string provenance(const Profile& before, const Calibration& calibration, const std::string& job) {
    std::string sizes;
    for (const CalibratedSize& size : calibration.sizes) {
        if (size.kind != CalibrationKind::kMeasured) { continue; }
        sizes += fmt::format("{}{} {}", sizes.empty() ? "" : ", ", size.gpu_type, size.batch);
    }
    const std::string here =
        fmt::format("calibrated by medley {} from {} steps of workers of the run {} (measured: {}; other sizes of these types scaled)",
                    kVersion, calibration.steps, job, sizes.empty() ? "none alone" : sizes);
    return before.source.empty() ? here : before.source + "; " + here;
}

std::string as_json(const Options& options, const Calibration& calibration) {
    io::JsonWriter json;
    json.begin_object().field("format", 1).field("model", calibration.profile.model).field("run", options.run);
    json.field("output", options.output).field("steps", calibration.steps).key("sizes").begin_array();
    for (const CalibratedSize& size : calibration.sizes) {
        json.begin_object().field("gpu_type", size.gpu_type).field("batch", size.batch).field("how", kind_name(size.kind));
        json.field("before_s", size.before_s).field("after_s", size.after_s).end_object();
    }
    json.end_array().key("left_as_is").begin_array();
    for (const std::string& type : calibration.left_as_is) { json.value(type); }
    return json.end_array().end_object().text();
}

std::string as_text(const Options& options, const Calibration& calibration) {
    Table table({{"GPU type", Align::kLeft}, {"size"}, {"before (ms)"}, {"after (ms)"}, {"after / before"}, {"how", Align::kLeft}});
    for (const CalibratedSize& size : calibration.sizes) {
        const auto scaled = [](double seconds) { return show_number(seconds * 1e3); };
        table.add_row({size.gpu_type, fmt::format("{}", size.batch), size.before_s ? scaled(*size.before_s) : "-", scaled(size.after_s),
                       size.before_s ? show_number(size.after_s / *size.before_s) : "-", kind_name(size.kind)});
    }
    KeyValues values;
    values.add("steps of workers", fmt::format("{}", calibration.steps));
    if (!calibration.left_as_is.empty()) { values.add("left as they were", fmt::format("{}", fmt::join(calibration.left_as_is, ", "))); }
    values.add("written to", options.output);
    return fmt::format("{}\n\n{}\n{}", calibration.profile.model.text(), table.text(), values.text());
}

int run(const Console& console, const Options& options) {
    require_plain_name("--output", options.output);
    const std::filesystem::path directory = find_run("RUN", options.run);
    const executor::RunSetup setup = executor::read_run(directory).setup;
    if (setup.mode == executor::Mode::kInference) {
        throw Error(Problem{.file = directory.string(), .expected = "a run that trained", .message = "is a run of inference"});
    }
    const Profile before = profile_before(options, directory, setup);
    Calibration calibration;
    try {
        calibration = calibrate(before, executor::read_log(directory / "wal"), setup.virtual_nodes, time_scale_of(setup.job));
    } catch (const Error& error) { throw error.in_file(directory.string()); }
    calibration.profile.source = provenance(before, calibration, setup.job.name);
    calibration.profile.validate();
    io::write_text_file(options.output, io::format_profile(calibration.profile));
    console.print(console.json ? as_json(options, calibration) : as_text(options, calibration));
    return kDone;
}

}  // namespace

Work set_up_profile_calibrate(CLI::App& app, const Console& console) {
    const auto options = std::make_shared<Options>();
    app.add_option("run", options->run, "Folder of the run, or its name below runs/")->required()->type_name("RUN");
    app.add_option("-o,--output", options->output, "Profile to write (YAML)")->required()->type_name("FILE");
    app.add_option("--profile", options->profile, "Profile to calibrate (default: the one that the run predicted from, else a new one)")
        ->type_name("FILE");
    app.add_option("--model", options->model, "Name of the profile (default: as before, else the job's)")->type_name("NAME");
    return [&console, options] { return run(console, *options); };
}

}  // namespace medley::cli
