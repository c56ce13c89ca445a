#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/build_info.h"
#include "cli/cmd_profile.h"
#include "cli/emulated_times.h"
#include "cli/options.h"
#include "cli/profile_lookup.h"
#include "cli/profile_measurement.h"
#include "cli/progress.h"
#include "cli/run_devices.h"
#include "cli/table.h"
#include "core/error.h"
#include "io/job_file.h"
#include "io/profile_writing.h"
#include "io/results/json_writer.h"
#include "io/results/output_file.h"

namespace medley::cli {
namespace {

constexpr std::int64_t kLargestSize = 1'000'000;
constexpr std::int64_t kLargestOnDevice = 65536;
constexpr std::int64_t kLargestOnCpu = 256;  // unless asked for: large sizes take minutes there
constexpr double kStepLimitOnCpu_s = 5;
constexpr std::int64_t kMostSteps = 100'000;
constexpr double kLeastMemory_gib = 1e-6;

struct Options {
    std::string job;
    std::string device = "auto";
    std::string sizes;
    std::int64_t largest = 0;  ///< 0 = by device
    std::int64_t steps = 20;
    std::int64_t warm_up = 2;
    double memory_limit_gib = 0;  ///< 0 = by device
    std::optional<Seconds> step_limit;
    std::string type;
    std::string model;
    std::string collective = "gloo";
    bool no_link = false;
    std::string output;
};

struct Measured {
    std::vector<std::pair<std::string, DeviceMeasurement>> devices;  ///< by GPU type
    std::optional<LinkMeasurement> link;
    Profile profile;
};

/// Half of what the machine has left; 0 where it does not say.
std::int64_t memory_for_cpu() {
    std::ifstream file("/proc/meminfo");
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("MemAvailable:")) { continue; }
        return std::strtoll(line.c_str() + sizeof("MemAvailable:"), nullptr, 10) * 1024 / 2;
    }
    return 0;
}

std::vector<std::int64_t> sizes_for(const Options& options, bool cpu) {
    std::vector<std::int64_t> sizes;
    if (options.sizes.empty()) { return profiled_sizes(options.largest > 0 ? options.largest : cpu ? kLargestOnCpu : kLargestOnDevice); }
    for (const std::string& size : parse_list("--sizes", options.sizes, ',')) {
        sizes.push_back(parse_whole("--sizes", size, 1, kLargestSize));
        if (sizes.size() > 1 && sizes[sizes.size() - 2] >= sizes.back()) { refuse_value("--sizes", size, "sizes in ascending order"); }
    }
    return sizes;
}

MeasurementOptions measurement_of(const Options& options, const TrainingJob& job, const std::string& device) {
    const bool cpu = device == "cpu";
    MeasurementOptions measurement{.job = job, .device = device, .gpu_type = options.type, .sizes = sizes_for(options, cpu)};
    measurement.steps = static_cast<int>(options.steps);
    measurement.warm_up = static_cast<int>(options.warm_up);
    constexpr double kBytes = kBytesPerGib;
    measurement.memory_limit_bytes = options.memory_limit_gib > 0 ? static_cast<std::int64_t>(options.memory_limit_gib * kBytes)
                                     : cpu                        ? memory_for_cpu()
                                                                  : 0;
    measurement.step_limit_s = options.step_limit ? options.step_limit->value : cpu ? kStepLimitOnCpu_s : 0;
    return measurement;
}

/// GPUs of one name are one type; the CPU is "cpu".
std::string type_of(const Options& options, const std::string& device, const DeviceMeasurement& measured) {
    if (!options.type.empty()) { return options.type; }
    return device == "cpu" || device == "emulated" ? device : measured.device_name;
}

const char* torch_found() {
    for (const BuildPart& part : kOptionalParts) {
        if (std::string_view(part.name) == "Torch") { return part.found; }
    }
    return "no";
}

std::string provenance(const Options& options, const Measured& measured) {
    std::string devices;
    for (const auto& [type, device] : measured.devices) { devices += (devices.empty() ? "" : ", ") + device.device_name; }
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    return fmt::format("measured on {} by medley {} ({}; Torch: {}), {:%Y-%m-%d}, medians of {} steps: medley profile measure --job {}",
                       devices, kVersion, kCompiler, torch_found(), fmt::gmtime(now), options.steps, options.job);
}

std::int64_t gradient_bytes_of(const Measured& measured) {
    std::int64_t bytes = 0;
    for (const auto& [type, device] : measured.devices) { bytes = std::max(bytes, device.gradient_bytes); }
    return bytes;
}

Measured measure(const Console& console, const Options& options, const io::JobFile& file) {
    Measured measured;
    DeviceSource devices(file.job, options.device, console);
    for (std::size_t index = 0; index < devices.count(); ++index) {
        const std::string device = devices.next();
        Progress progress(console, "steps");
        const auto show = [&](std::size_t done, std::size_t total) { progress.update(done, total); };
        DeviceMeasurement result = measure_device(measurement_of(options, file.job, device), show);
        const std::string type = type_of(options, device, result);
        const auto same = [&](const auto& other) { return other.first == type; };
        if (std::none_of(measured.devices.begin(), measured.devices.end(), same)) {
            measured.devices.emplace_back(type, std::move(result));
        }
    }
    if (!options.no_link) { measured.link = measure_link(options.collective, gradient_bytes_of(measured)); }
    const std::string& own = file.profile.empty() ? file.job.name : file.profile;
    measured.profile.model = Name(options.model.empty() ? own : options.model);
    for (const auto& [type, device] : measured.devices) { add_to_profile(measured.profile, type, device); }
    if (measured.link) {
        const executor::LinkEstimate& link = measured.link->link;
        measured.profile.link = Link{.bandwidth = BytesPerSecond{link.bytes_per_s}, .latency = Seconds{link.latency_s}};
    }
    measured.profile.source = provenance(options, measured);
    return measured;
}

void write_device(io::JsonWriter& json, const std::string& type, const DeviceMeasurement& device) {
    json.begin_object().field("gpu_type", type).field("device", device.device).field("device_name", device.device_name);
    json.field("ended", device.ended.empty() ? std::nullopt : std::optional(device.ended)).key("sizes").begin_array();
    for (const SizeMeasurement& size : device.sizes) {
        json.begin_object().field("batch", size.size).field("wall_seconds", size.node_s.median);
        json.field("wall_p10_seconds", size.node_s.low).field("wall_p90_seconds", size.node_s.high);
        json.field("wall_update_seconds", size.update_s.median).field("memory_bytes", size.memory_bytes).end_object();
    }
    json.end_array().end_object();
}

std::string as_json(const Measured& measured, const std::string& output) {
    const Profile& profile = measured.profile;
    io::JsonWriter json;
    json.begin_object().field("format", 1).field("model", profile.model).field("source", profile.source);
    json.field("parameters", profile.parameters).field("gradient_bytes", profile.gradient).field("state_bytes", profile.state);
    json.key("devices").begin_array();
    for (const auto& [type, device] : measured.devices) { write_device(json, type, device); }
    json.end_array().key("link");
    if (measured.link) {
        const LinkMeasurement& link = *measured.link;
        json.begin_object().field("wall_latency_s", link.link.latency_s).field("wall_bytes_per_s", link.link.bytes_per_s);
        json.field("wall_p10_bytes_per_s", link.bytes_per_s_at(link.large_s.high));
        json.field("wall_p90_bytes_per_s", link.bytes_per_s_at(link.large_s.low));
        json.field("message_bytes", link.large_bytes).end_object();
    } else {
        json.null();
    }
    return json.field("file", output.empty() ? std::nullopt : std::optional(output)).end_object().text();
}

std::string describe_link(const LinkMeasurement& link) {
    const auto gb_per_s = [](double bytes_per_s) { return show_number(bytes_per_s / 1e9); };
    return fmt::format("{} GB/s (10th to 90th percentile: {} to {}, messages of {}), {} us", gb_per_s(link.link.bytes_per_s),
                       gb_per_s(link.bytes_per_s_at(link.large_s.high)), gb_per_s(link.bytes_per_s_at(link.large_s.low)),
                       show_bytes(Bytes{link.large_bytes}), show_number(link.link.latency_s * 1e6));
}

std::string as_text(const Measured& measured, const std::string& output) {
    Table table({{"GPU type", Align::kLeft}, {"size"}, {"virtual node (ms)"}, {"spread (%)"}, {"samples/s"}, {"update (ms)"}, {"memory"}});
    KeyValues values;
    for (const auto& [type, device] : measured.devices) {
        for (const SizeMeasurement& size : device.sizes) {
            const double rate = size.node_s.median > 0 ? static_cast<double>(size.size) / size.node_s.median : 0;
            const auto memory = size.memory_bytes ? show_bytes(Bytes{static_cast<double>(*size.memory_bytes)}) : "-";
            table.add_row({type, fmt::format("{}", size.size), show_number(size.node_s.median * 1e3),
                           show_number(size.node_s.spread() * 100), show_number(rate), show_number(size.update_s.median * 1e3), memory});
        }
        if (!device.ended.empty()) { values.add(fmt::format("{} ended", type), device.ended); }
    }
    values.add("parameters", show_number(measured.profile.parameters));
    values.add("gradient", show_bytes(measured.profile.gradient));
    values.add("state", show_bytes(measured.profile.state));
    if (measured.link) { values.add("link between workers", describe_link(*measured.link)); }
    if (!output.empty()) { values.add("written to", output); }
    return fmt::format("{}\n\n{}\n{}", measured.profile.model.text(), table.text(), values.text());
}

int run(const Console& console, const Options& options) {
    require_plain_name("--output", options.output);
    if (options.step_limit && options.step_limit->value == 0) { refuse_value("--step-limit", "0 s", "a time above 0"); }
    io::JobFile file = io::load_job(options.job);
    const std::string emulated = emulated_profile(file.job);
    if (!emulated.empty()) { fill_emulated_times(file.job, load_profile_of("model.profile", emulated, "").profile); }
    const Measured measured = measure(console, options, file);
    if (!options.output.empty()) { io::write_text_file(options.output, io::format_profile(measured.profile)); }
    console.print(console.json ? as_json(measured, options.output) : as_text(measured, options.output));
    return kDone;
}

}  // namespace

Work set_up_profile_measure(CLI::App& app, const Console& console) {
    const auto options = std::make_shared<Options>();
    app.add_option("--job", options->job, "Job file: its model, data, optimizer and precision are measured")->required()->type_name("FILE");
    add_choice(app, "--device", options->device, {"auto", "cpu", "cuda"}, "Devices to measure (default: every kind of GPU, else the CPU)");
    app.add_option("--sizes", options->sizes, "Virtual-node sizes, ascending (default: powers of two and midpoints)")->type_name("N,...");
    add_whole(app, "--max-size", options->largest, {1, kLargestSize}, "Largest size (default: 65536 on a GPU, 256 on the CPU)");
    add_whole(app, "--steps", options->steps, {1, kMostSteps}, "Steps measured of each size (default: 20)");
    add_whole(app, "--warm-up", options->warm_up, {0, kMostSteps}, "Steps before them, which are dropped (default: 2)");
    add_number(app, "--memory-limit", options->memory_limit_gib, {kLeastMemory_gib, 1e6},
               "GiB of one virtual node that end it (default: half the free memory on the CPU)");
    add_duration(app, "--step-limit", options->step_limit, "Time of one virtual node that ends it (default: 5 s on the CPU)");
    app.add_option("--gpu-type", options->type,
                   "Name of the device in the profile (default: its own, or cpu), and what an emulated one stands for")
        ->type_name("NAME");
    app.add_option("--model", options->model, "Name of the profile (default: the job's profile, or its name)")->type_name("NAME");
    add_choice(app, "--collective", options->collective, {"gloo", "host"}, "Measures the link between workers (default: gloo)");
    app.add_flag("--no-link", options->no_link, "Leave the link between workers out");
    app.add_option("-o,--output", options->output, "Write the profile to this file (YAML)")->type_name("FILE");
    return [&console, options] { return run(console, *options); };
}

}  // namespace medley::cli
