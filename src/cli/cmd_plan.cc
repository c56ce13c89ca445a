#include "cli/cmd_plan.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/options.h"
#include "cli/plan_output.h"
#include "cli/plan_svg.h"
#include "cli/profile_lookup.h"
#include "core/error.h"
#include "io/cluster_file.h"
#include "io/profile_file.h"
#include "io/results/output_file.h"
#include "io/results/plan_formats.h"
#include "io/scalar.h"
#include "planner/virtual_nodes/planner.h"

namespace medley::cli {
namespace {

using planner::BatchRule;
using planner::Objective;
using planner::OfferedGpus;
using planner::PlanReport;
using planner::PlanRequest;

constexpr std::int64_t kLargestBatch = 1'000'000'000;
constexpr std::size_t kMostVirtualNodes = 1'000'000;

struct Options {
    std::string model;
    std::int64_t global_batch = 0;  ///< 0 = not given
    std::vector<GpuCount> gpus;
    std::string cluster;
    std::string profiles;
    std::string objective = "throughput";
    std::string batch_rule = "any";
    std::string virtual_nodes;
    std::optional<Seconds> communication;
    bool exact = false;
    std::string output;
    std::string svg;
};

/// A whole cluster, or the part of it that --gpus names.
std::vector<OfferedGpus> offer_from(const Cluster& cluster, const std::vector<GpuCount>& gpus) {
    std::vector<OfferedGpus> offered;
    const std::vector<int> capacity = cluster.capacity();
    if (gpus.empty()) {
        for (std::size_t type = 0; type < capacity.size(); ++type) {
            offered.push_back({.type = cluster.gpu_types[type], .gpus = capacity[type]});
        }
    }
    for (const GpuCount& count : gpus) {
        const std::optional<GpuTypeId> type = cluster.find(count.gpu_type.text());
        if (!type) {
            std::vector<std::string_view> known;
            for (const GpuType& each : cluster.gpu_types) { known.push_back(each.name.text()); }
            refuse_value("--gpus", count.gpu_type.text(), io::expected_name(count.gpu_type.text(), known));
        }
        const int most = capacity[type->index()];
        if (count.gpus > most) {
            refuse_value("--gpus", fmt::format("{}={}", count.gpu_type.text(), count.gpus), fmt::format("at most the cluster's {}", most));
        }
        offered.push_back({.type = cluster.type(*type), .gpus = count.gpus});
    }
    return offered;
}

/// Without a cluster nothing is known of the types but their profiles: no memory limit, no price.
std::vector<OfferedGpus> offer_from(const Profile& profile, const std::vector<GpuCount>& gpus) {
    std::vector<OfferedGpus> offered;
    for (const GpuCount& count : gpus) {
        if (profile.find(count.gpu_type) == nullptr) {
            std::vector<std::string_view> known;
            for (const auto& [type, points] : profile.gpus) { known.push_back(type.text()); }
            refuse_value("--gpus", count.gpu_type.text(), io::expected_name(count.gpu_type.text(), known));
        }
        offered.push_back({.type = GpuType{.name = count.gpu_type}, .gpus = count.gpus});
    }
    return offered;
}

/// "256,256,128", or with counts "256*2,128".
std::vector<Samples> parse_virtual_nodes(const std::string& text) {
    std::vector<Samples> sizes;
    for (const std::string& entry : parse_list("--virtual-nodes", text, ',')) {
        const std::size_t star = entry.find('*');
        const std::int64_t size = parse_whole("--virtual-nodes", entry.substr(0, star), 1, kLargestBatch);
        const std::int64_t count =
            star == std::string::npos ? 1 : parse_whole("--virtual-nodes", entry.substr(star + 1), 1, kMostVirtualNodes);
        if (sizes.size() + static_cast<std::size_t>(count) > kMostVirtualNodes) {
            refuse_value("--virtual-nodes", entry, "at most a million in all");
        }
        sizes.insert(sizes.end(), static_cast<std::size_t>(count), Samples{size});
    }
    return sizes;
}

Samples global_batch_of(const Options& options, const std::vector<Samples>& virtual_nodes) {
    if (options.global_batch > 0) { return Samples{options.global_batch}; }
    if (virtual_nodes.empty()) { refuse_value("--global-batch", "nothing", "the samples of one step (or --virtual-nodes)"); }
    Samples sum;
    for (const Samples size : virtual_nodes) { sum += size; }
    return sum;
}

Objective objective_of(const std::string& name) {
    if (name == "cost") { return Objective::kCost; }
    return name == "energy" ? Objective::kEnergy : Objective::kThroughput;
}

PlanRequest request_of(const Options& options, const Profile& profile) {
    if (options.gpus.empty() && options.cluster.empty()) {
        refuse_value("--gpus", "nothing", "the GPUs offered, such as V100=2,P100=8 (or --cluster)");
    }
    PlanRequest request{.profile = &profile, .offered = {}, .virtual_nodes = {}, .communication = {}};
    if (!options.virtual_nodes.empty()) { request.virtual_nodes = parse_virtual_nodes(options.virtual_nodes); }
    request.global_batch = global_batch_of(options, request.virtual_nodes);
    request.objective = objective_of(options.objective);
    request.batch_rule = options.batch_rule == "any" ? BatchRule::kAny : BatchRule::kPowerOfTwo;
    request.exact = options.exact;
    if (options.cluster.empty()) {
        request.offered = offer_from(profile, options.gpus);
    } else {
        const Cluster cluster = io::load_cluster(options.cluster);
        request.offered = offer_from(cluster, options.gpus);
        request.communication = Communication::over(cluster, profile.gradient);
    }
    if (options.communication) { request.communication = Communication::fixed(*options.communication); }
    return request;
}

/// The planner knows no files and no options: says where the user finds what it refuses.
Error with_source(const Error& error, const Options& options, const std::string& profile_file) {
    static constexpr std::pair<std::string_view, const char*> kOptions[] = {
        {"virtual nodes", "--virtual-nodes"}, {"global batch", "--global-batch"}, {"GPUs offered", "--gpus"}};
    Problem problem = error.problem();
    if (problem.place.starts_with("profile of ")) { problem.file = profile_file; }
    if (problem.place.starts_with("gpu_types.")) {
        problem.file = options.cluster;
        if (options.cluster.empty()) { problem.expected += " (give a --cluster FILE that states it)"; }
    }
    for (const auto& [place, option] : kOptions) {
        if (problem.place.starts_with(place)) { problem.place.replace(0, place.size(), option); }
    }
    return Error(std::move(problem));
}

PlanReport plan(const PlanRequest& request, const Options& options, const std::string& profile_file) {
    try {
        return planner::plan_report(request);
    } catch (const Error& error) { throw with_source(error, options, profile_file); }
}

void note_types_left_out(const Console& console, const PlanRequest& request) {
    std::string types;
    for (const OfferedGpus& offered : request.offered) {
        const GpuProfile* gpu = request.profile->find(offered.type.name);
        if (offered.gpus == 0 || (gpu != nullptr && !gpu->points.empty())) { continue; }
        types += (types.empty() ? "" : ", ") + offered.type.name.text();
    }
    if (types.empty()) { return; }
    console.note(fmt::format("note: no profile of {} with sizes of one GPU on {}: not used", request.profile->model.text(), types));
}

int run(const Console& console, const Options& options) {
    require_plain_name("--output", options.output);
    require_plain_name("--svg", options.svg);
    const io::NamedProfile named = load_profile_of("--model", options.model, options.profiles);
    const PlanRequest request = request_of(options, named.profile);
    note_types_left_out(console, request);
    const auto start = std::chrono::steady_clock::now();
    const PlanReport report = plan(request, options, named.file);
    const Seconds wall{std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
    const bool feasible = report.best.feasible();
    if (feasible && !options.output.empty()) {
        io::write_text_file(options.output, io::format_plan_for(options.output, report.best.best->plan));
    }
    if (feasible && !options.svg.empty()) { io::write_text_file(options.svg, plan_svg(request, *report.best.best)); }
    if (console.json) { console.print(plan_json(request, report, wall)); }
    if (!feasible) {
        console.note(fmt::format("medley: no plan: {}", report.best.reason));
        return kWorkFailed;
    }
    if (!console.json) { console.print(plan_text(request, report)); }
    return kDone;
}

}  // namespace

Work set_up_plan(CLI::App& app, const Console& console) {
    const auto options = std::make_shared<Options>();
    app.add_option("--model", options->model, "Model to train, by the name in its profile")->required()->type_name("NAME");
    add_whole(app, "--global-batch", options->global_batch, {1, kLargestBatch}, "Samples of one step, over all GPUs");
    add_gpu_counts(app, "--gpus", options->gpus, "GPUs offered, such as V100=2,P100=8; with --cluster, a part of it");
    app.add_option("--cluster", options->cluster, "Cluster file: offers all its GPUs, with memory, prices and network")->type_name("FILE");
    app.add_option("--profiles", options->profiles, "Folder of profiles, or of such folders (default: MEDLEY_PROFILES, else profiles)")
        ->type_name("DIR");
    add_choice(app, "--objective", options->objective, {"throughput", "cost", "energy"}, "What to optimise (default: throughput)");
    add_choice(app, "--batch-rule", options->batch_rule, {"any", "power-of-two"},
               "Batches that one GPU may take: any that measured sizes compose (default), or VirtualFlow's");
    app.add_option("--virtual-nodes", options->virtual_nodes,
                   "Keep these virtual nodes and only place them: sizes, or size*count, with commas")
        ->type_name("LIST");
    add_duration(app, "--comm", options->communication, "Communication added to each step (default: from the cluster's network)");
    app.add_flag("--exact", options->exact, "Reserve memory for exact summation, 8 bytes a parameter");
    app.add_option("-o,--output", options->output, "Write the plan to this file: JSON if it ends in .json, else YAML")->type_name("FILE");
    app.add_option("--svg", options->svg, "Draw the plan into this file: one bar a GPU, as long as its step")->type_name("FILE");
    return [&console, options] { return run(console, *options); };
}

}  // namespace medley::cli
