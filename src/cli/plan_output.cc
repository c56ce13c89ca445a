#include "cli/plan_output.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/table.h"
#include "io/results/json_writer.h"

namespace medley::cli {
namespace {

using planner::Objective;
using planner::PlannedJob;
using planner::PlanOutcome;
using planner::PlanReport;
using planner::PlanRequest;

const char* name_of(Objective objective) {
    switch (objective) {
        case Objective::kThroughput: return "throughput";
        case Objective::kCost: return "cost";
        case Objective::kEnergy: return "energy";
    }
    return "";
}

void write_assignment(io::JsonWriter& json, const ReplicaGroup& group, const GroupCost& cost) {
    json.begin_object().field("gpu_type", group.gpu_type).field("gpus", group.gpus()).field("per_gpu_batch", group.batch_per_replica());
    json.field("virtual_nodes_per_gpu", group.virtual_nodes.size()).key("virtual_node_batches").begin_array();
    for (const Samples size : group.virtual_nodes) { json.value(size); }
    json.end_array().field("step_time_s", cost.compute).field("memory_bytes", cost.memory).end_object();
}

void write_job(io::JsonWriter& json, const PlannedJob& job) {
    const PlanCost& cost = job.cost;
    json.field("step_time_s", cost.step).field("throughput_samples_per_s", cost.samples_per_s);
    json.field("compute_time_s", cost.compute).field("comm_time_s", cost.communication);
    json.field("cost_usd_per_million_samples", cost.usd_per_million_samples).field("energy_j_per_sample", cost.joules_per_sample);
    json.field("optimal", job.optimal).field("optimality_gap_fraction", job.value > 0 ? (job.value - job.bound) / job.value : 0.0);
    json.key("assignments").begin_array();
    for (std::size_t index = 0; index < job.plan.groups.size(); ++index) {
        write_assignment(json, job.plan.groups[index], cost.groups[index]);
    }
    json.end_array();
}

/// Every field is there, whatever the outcome.
void write_no_job(io::JsonWriter& json) {
    for (const char* figure : {"step_time_s", "throughput_samples_per_s", "compute_time_s", "comm_time_s", "cost_usd_per_million_samples",
                               "energy_j_per_sample"}) {
        json.key(figure).null();
    }
    json.field("optimal", false).key("optimality_gap_fraction").null().key("assignments").begin_array().end_array();
}

void write_outcome(io::JsonWriter& json, const PlanRequest& request, const PlanOutcome& outcome) {
    json.field("feasible", outcome.feasible()).field("reason", outcome.feasible() ? std::nullopt : std::optional(outcome.reason));
    json.field("objective", name_of(request.objective)).field("global_batch", request.global_batch);
    outcome.feasible() ? write_job(json, *outcome.best) : write_no_job(json);
}

/// A plan that is only compared with has no figures of its own limits.
void write_alternative(io::JsonWriter& json, const PlanRequest& request, const PlanOutcome& outcome) {
    json.begin_object();
    write_outcome(json, request, outcome);
    json.key("binding_constraint").null().key("marginal").begin_array().end_array().end_object();
}

/// What the user compares plans by: samples/s, or what a sample costs in money or energy.
double figure_of(const PlanCost& cost, Objective objective) {
    switch (objective) {
        case Objective::kThroughput: return cost.samples_per_s;
        case Objective::kCost: return cost.usd_per_million_samples.value_or(0);
        case Objective::kEnergy: return cost.joules_per_sample.value_or(0);
    }
    return 0;
}

/// How much better one more GPU makes that figure. The objective's value is of a step; a step has `global_batch` samples.
double gain_of(const planner::MarginalValue& marginal, const PlanRequest& request) {
    if (request.objective == Objective::kThroughput) { return marginal.throughput_gain; }
    const double of_a_sample = marginal.value_gain / static_cast<double>(request.global_batch.value);
    return request.objective == Objective::kCost ? of_a_sample * 1e6 : of_a_sample;
}

std::string unit_of(const PlanRequest& request) {
    const std::string& sample = request.profile->sample;
    switch (request.objective) {
        case Objective::kThroughput: return sample + "s/s";
        case Objective::kCost: return fmt::format("USD per million {}s", sample);
        case Objective::kEnergy: return "J per " + sample;
    }
    return "";
}

/// A list that is given leaves no choice of sizes, so there is nothing to compare with.
bool compares_equal_size(const PlanRequest& request) { return request.virtual_nodes.empty(); }

std::string describe_sizes(const std::vector<Samples>& sizes) {
    std::string text;
    for (auto size = sizes.begin(); size != sizes.end();) {
        const auto end = std::find_if(size, sizes.end(), [&](Samples other) { return other != *size; });
        text += fmt::format("{}{} x {}", text.empty() ? "" : " + ", end - size, size->value);
        size = end;
    }
    return text;
}

std::string assignments_text(const PlannedJob& job) {
    Table table({{"GPU type", Align::kLeft},
                 {"GPUs"},
                 {"batch of one GPU"},
                 {"virtual nodes of one GPU", Align::kLeft},
                 {"compute (s)"},
                 {"memory of one GPU"}});
    for (std::size_t index = 0; index < job.plan.groups.size(); ++index) {
        const ReplicaGroup& group = job.plan.groups[index];
        const GroupCost& cost = job.cost.groups[index];
        table.add_row({group.gpu_type.text(), fmt::format("{}", group.gpus()), fmt::format("{}", group.batch_per_replica().value),
                       describe_sizes(group.virtual_nodes), show_number(cost.compute.value), cost.memory ? show_bytes(*cost.memory) : "-"});
    }
    return table.text();
}

std::string describe_proof(const PlannedJob& job) {
    if (job.optimal) { return "optimal (proved)"; }
    return fmt::format("not proved optimal: at most {} better", show_percent((job.value - job.bound) / job.value));
}

std::string compare(const PlanRequest& request, const PlannedJob& best, const PlanOutcome& other) {
    if (!other.feasible()) { return fmt::format("none: {}", other.reason); }
    const PlannedJob& job = *other.best;
    std::string gpus;
    for (const TypeCount& count : counts_of(job.plan)) {
        gpus += fmt::format("{}{} {}", gpus.empty() ? "" : " + ", count.gpus, count.type.text());
    }
    const double figure = figure_of(job.cost, request.objective);
    return fmt::format("{} {} on {} (plan above: {:+.1f} %)", show_number(figure), unit_of(request), gpus,
                       (figure_of(best.cost, request.objective) / figure - 1) * 100);
}

std::string describe_marginals(const PlanRequest& request, const PlanReport& report) {
    std::string text;
    for (const planner::MarginalValue& marginal : report.marginals) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", marginal.gpu_type.text(), show_number(gain_of(marginal, request)));
    }
    return text;
}

}  // namespace

std::string plan_json(const PlanRequest& request, const PlanReport& report, Seconds wall) {
    io::JsonWriter json;
    json.begin_object().field("format", 1).field("model", request.profile->model);
    write_outcome(json, request, report.best);
    json.field("binding_constraint", report.best.feasible() ? std::optional(report.binding_constraint) : std::nullopt).key("baseline");
    write_alternative(json, request, report.baseline);
    json.key("equal_size");
    compares_equal_size(request) ? write_alternative(json, request, report.equal_size) : void(json.null());
    json.key("marginal").begin_array();
    for (const planner::MarginalValue& marginal : report.marginals) {
        json.begin_object()
            .field("gpu_type", marginal.gpu_type)
            .field("throughput_gain_of_one_more", marginal.throughput_gain)
            .field("objective_gain_of_one_more", gain_of(marginal, request))
            .end_object();
    }
    return json.end_array().field("wall_solve_s", wall).end_object().text();
}

std::string plan_text(const PlanRequest& request, const PlanReport& report) {
    const PlannedJob& job = *report.best.best;
    const std::string sample = request.profile->sample;
    KeyValues values;
    values.add("objective", fmt::format("{}, {}", name_of(request.objective), describe_proof(job)));
    values.add("step", fmt::format("{} s ({} s compute, {} s communication)", show_number(job.cost.step.value),
                                   show_number(job.cost.compute.value), show_number(job.cost.communication.value)));
    values.add("throughput", fmt::format("{} {}s/s", show_number(job.cost.samples_per_s), sample));
    values.add("cost", fmt::format("{} USD per million {}s", show_number(job.cost.usd_per_million_samples), sample));
    values.add("energy", fmt::format("{} J per {}", show_number(job.cost.joules_per_sample), sample));
    values.add("best single type", compare(request, job, report.baseline));
    if (compares_equal_size(request)) { values.add("one equal size", compare(request, job, report.equal_size)); }
    const bool saves = request.objective != Objective::kThroughput;
    values.add(fmt::format("one more GPU {} ({})", saves ? "saves" : "gains", unit_of(request)), describe_marginals(request, report));
    values.add("binding constraint", report.binding_constraint);
    return fmt::format("{}: global batch {}\n\n{}\n{}", request.profile->model.text(), request.global_batch.value, assignments_text(job),
                       values.text());
}

}  // namespace medley::cli
