#include "cli/run_output.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/table.h"
#include "io/results/json_writer.h"

namespace medley::cli {
namespace {

using executor::RunReport;

const char* mode_name(executor::Mode mode) { return mode == executor::Mode::kTrain ? "train" : "inference"; }

std::vector<std::int64_t> sizes_of(const executor::RunSetup& setup, const executor::Place& place) {
    std::vector<std::int64_t> sizes;
    for (const executor::VirtualNode node : place.virtual_nodes) { sizes.push_back(setup.virtual_nodes[node]); }
    return sizes;
}

void write_batches(io::JsonWriter& json, const std::vector<std::int64_t>& sizes) {
    json.key("virtual_node_batches").begin_array();
    for (const std::int64_t size : sizes) { json.value(size); }
    json.end_array();
}

void write_prediction(io::JsonWriter& json, const std::optional<Prediction>& prediction) {
    json.field("predicted_throughput_samples_per_s", prediction ? std::optional(prediction->samples_per_s) : std::nullopt);
    json.key("predicted");
    if (!prediction) {
        json.null();
        return;
    }
    json.begin_object().field("step_time_s", prediction->step_s).field("compute_time_s", prediction->compute_s);
    json.field("comm_time_s", prediction->communication_s).field("update_time_s", prediction->update_s).end_object();
}

void write_measured(io::JsonWriter& json, const RunReport& report) {
    json.key("measured");
    if (report.step_s.count == 0) {
        json.null();
        return;
    }
    json.begin_object().field("wall_step_time_s", report.step_s.median).field("wall_compute_time_s", report.components.compute_s);
    json.field("wall_comm_time_s", report.components.collective_s).field("wall_update_time_s", report.components.update_s);
    json.field("wall_other_time_s", report.components.other_s).field("wall_p10_step_time_s", report.step_s.low);
    json.field("wall_p90_step_time_s", report.step_s.high).field("wall_p99_step_time_s", report.p99_step_s).end_object();
}

void write_workers(io::JsonWriter& json, const RunReport& report) {
    json.key("workers").begin_array();
    for (const executor::WorkerReport& worker : report.workers) {
        json.begin_object().field("rank", worker.rank).field("device", worker.device).field("gpu_type", worker.gpu_type);
        json.field("device_name", worker.device_name).field("worker", worker.worker);
        write_batches(json, worker.virtual_node_batches);
        json.end_object();
    }
    json.end_array();
}

void write_resizes(io::JsonWriter& json, const RunReport& report) {
    json.key("resizes").begin_array();
    for (const executor::ResizeReport& resize : report.resizes) {
        json.begin_object().field("step", resize.step).field("from", resize.from).field("to", resize.to);
        json.field("asked", resize.asked).field("wall_pause_s", resize.pause_s).end_object();
    }
    json.end_array();
}

void write_failures(io::JsonWriter& json, const RunReport& report) {
    json.key("failures").begin_array();
    for (const executor::FailureReport& failure : report.failures) {
        json.begin_object().field("step", failure.step).field("rank", failure.rank).field("worker", failure.worker);
        json.field("reason", failure.reason).field("wall_recovered_s", failure.recovered_s).end_object();
    }
    json.end_array().key("redone_steps").begin_array();
    for (const executor::RedoneSteps& redone : report.redone) {
        json.begin_object().field("first", redone.first).field("last", redone.last).end_object();
    }
    json.end_array();
}

void write_checkpoints(io::JsonWriter& json, const RunReport& report) {
    json.key("checkpoints").begin_array();
    for (const executor::CheckpointRecord& record : report.checkpoints) {
        const executor::Checkpointed& checkpoint = record.checkpoint;
        json.begin_object().field("step", checkpoint.step).field("file", checkpoint.file).field("size_bytes", checkpoint.bytes);
        json.field("error", checkpoint.error.empty() ? std::nullopt : std::optional(checkpoint.error)).end_object();
    }
    json.end_array();
}

std::string milliseconds(const std::optional<double>& seconds) { return seconds ? show_number(*seconds * 1e3) : "-"; }

std::string ratio(double measured, const std::optional<double>& predicted) {
    return predicted && *predicted > 0 ? show_number(measured / *predicted) : "-";
}

std::string components_text(const RunResult& result) {
    const RunReport& report = result.report;
    Table table({{"component", Align::kLeft}, {"measured (ms)"}, {"predicted (ms)"}, {"measured / predicted"}});
    const auto add = [&](const char* name, double measured_s, const std::optional<double>& predicted_s) {
        table.add_row({name, milliseconds(measured_s), milliseconds(predicted_s), ratio(measured_s, predicted_s)});
    };
    const auto predicted = [&](double Prediction::*figure) {
        return result.prediction ? std::optional((*result.prediction).*figure) : std::nullopt;
    };
    add("compute", report.components.compute_s, predicted(&Prediction::compute_s));
    add("communication", report.components.collective_s, predicted(&Prediction::communication_s));
    add("update", report.components.update_s, result.prediction ? result.prediction->update_s : std::nullopt);
    add("other", report.components.other_s, std::nullopt);
    add("step", report.step_s.median, predicted(&Prediction::step_s));
    return table.text();
}

std::string workers_text(const RunReport& report) {
    Table table({{"rank"}, {"device", Align::kLeft}, {"GPU type", Align::kLeft}, {"virtual nodes", Align::kLeft}});
    for (const executor::WorkerReport& worker : report.workers) {
        table.add_row({fmt::format("{}", worker.rank), worker.device, worker.gpu_type, describe_batches(worker.virtual_node_batches)});
    }
    return table.text();
}

void add_changes(KeyValues& values, const RunReport& report) {
    for (const executor::ResizeReport& resize : report.resizes) {
        const std::string pause = resize.pause_s ? fmt::format(", training paused {} s", show_number(*resize.pause_s)) : "";
        values.add(fmt::format("resize after step {}", resize.step), fmt::format("{} -> {}{}", resize.from, resize.to, pause));
    }
    for (const executor::FailureReport& failure : report.failures) {
        const std::string after = failure.recovered_s ? fmt::format(", recovered in {} s", show_number(*failure.recovered_s)) : "";
        values.add(fmt::format("loss after step {}", failure.step), fmt::format("worker {}: {}{}", failure.worker, failure.reason, after));
    }
    for (const executor::RedoneSteps& redone : report.redone) {
        values.add("done again", fmt::format("steps {} to {}", redone.first, redone.last));
    }
    for (const executor::CheckpointRecord& record : report.checkpoints) {
        if (!record.checkpoint.error.empty()) {
            values.add("checkpoint failed", fmt::format("after step {}: {}", record.checkpoint.step, record.checkpoint.error));
        }
    }
}

std::string heading(const RunResult& result) {
    return fmt::format("{}: {} {} {}, global batch {}, {}\n\n", result.setup.job.name, result.report.steps,
                       result.setup.mode == executor::Mode::kTrain ? "steps" : "batches",
                       result.done ? "done" : fmt::format("of {}", result.setup.job.steps), result.report.global_batch,
                       result.setup.exact ? "exact sums" : "ordinary sums");
}

}  // namespace

std::string describe_batches(std::vector<std::int64_t> sizes) {
    std::sort(sizes.begin(), sizes.end(), std::greater<>());
    std::string text;
    for (auto size = sizes.begin(); size != sizes.end();) {
        const auto end = std::find_if(size, sizes.end(), [&](std::int64_t other) { return other != *size; });
        text += fmt::format("{}{} x {}", text.empty() ? "" : " + ", end - size, *size);
        size = end;
    }
    return text;
}

std::string run_json(const RunResult& result) {
    const RunReport& report = result.report;
    io::JsonWriter json;
    json.begin_object().field("format", 1).field("job", result.setup.job.name).field("mode", mode_name(result.setup.mode));
    json.field("exact", result.setup.exact).field("collective", result.setup.collective).field("seed", result.setup.job.seed);
    json.field("global_batch", report.global_batch).field("steps", report.steps).field("steps_wanted", result.setup.job.steps);
    json.field("finished", report.finished).field("reason", result.reason.empty() ? std::nullopt : std::optional(result.reason));
    json.field("final_loss", report.final_loss).key("losses").begin_array();
    for (const std::optional<double>& loss : report.losses) { json.value(loss); }
    json.end_array().field("throughput_samples_per_s", report.samples_per_s);
    write_prediction(json, result.prediction);
    write_measured(json, report);
    json.field("wall_overall_throughput_samples_per_s", report.overall_samples_per_s);
    json.field("state_digest", report.state_digest.empty() ? std::nullopt : std::optional(report.state_digest));
    write_workers(json, report);
    write_resizes(json, report);
    write_failures(json, report);
    write_checkpoints(json, report);
    return json.field("directory", result.directory).field("wall_s", result.wall).end_object().text();
}

std::string run_text(const RunResult& result) {
    const RunReport& report = result.report;
    KeyValues values;
    if (result.setup.mode == executor::Mode::kTrain) { values.add("final loss", show_number(report.final_loss)); }
    values.add("throughput", fmt::format("{} samples/s at the median step; {} over the whole run", show_number(report.samples_per_s),
                                         show_number(report.overall_samples_per_s)));
    values.add("predicted", result.prediction ? fmt::format("{} samples/s", show_number(result.prediction->samples_per_s))
                                              : fmt::format("- ({})", result.no_prediction));
    if (report.step_s.count > 0) {
        values.add("step (10th, 50th, 90th, 99th percentile)",
                   fmt::format("{}, {}, {}, {} ms", milliseconds(report.step_s.low), milliseconds(report.step_s.median),
                               milliseconds(report.step_s.high), milliseconds(report.p99_step_s)));
    }
    add_changes(values, report);
    if (!report.state_digest.empty()) { values.add("state digest", report.state_digest); }
    if (!result.directory.empty()) { values.add("files", result.directory); }
    const std::string components = report.step_s.count > 0 ? components_text(result) + "\n" : "";
    return heading(result) + workers_text(report) + "\n" + components + values.text();
}

std::string placement_json(const executor::RunSetup& setup, const executor::Placement& placement,
                           const std::optional<Prediction>& prediction) {
    io::JsonWriter json;
    json.begin_object().field("format", 1).field("job", setup.job.name).field("mode", mode_name(setup.mode)).field("exact", setup.exact);
    json.field("collective", setup.collective).field("seed", setup.job.seed).field("steps", setup.job.steps).field("dry_run", true);
    write_prediction(json, prediction);
    json.key("workers").begin_array();
    for (std::size_t rank = 0; rank < placement.places.size(); ++rank) {
        const executor::Place& place = placement.places[rank];
        json.begin_object().field("rank", rank).field("device", place.device).field("gpu_type", place.gpu_type);
        write_batches(json, sizes_of(setup, place));
        json.end_object();
    }
    return json.end_array().end_object().text();
}

std::string placement_text(const executor::RunSetup& setup, const executor::Placement& placement,
                           const std::optional<Prediction>& prediction, const std::string& no_prediction) {
    Table table({{"rank"}, {"device", Align::kLeft}, {"GPU type", Align::kLeft}, {"virtual nodes", Align::kLeft}});
    for (std::size_t rank = 0; rank < placement.places.size(); ++rank) {
        const executor::Place& place = placement.places[rank];
        table.add_row({fmt::format("{}", rank), place.device, place.gpu_type, describe_batches(sizes_of(setup, place))});
    }
    const std::string predicted =
        prediction ? fmt::format("{} samples/s, {} ms a step", show_number(prediction->samples_per_s), milliseconds(prediction->step_s))
                   : fmt::format("- ({})", no_prediction);
    return fmt::format("{}: {} steps, not started (--dry-run)\n\n{}\npredicted  {}\n", setup.job.name, setup.job.steps, table.text(),
                       predicted);
}

}  // namespace medley::cli
