#include "cli/workload.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/data_folder.h"
#include "cli/options.h"
#include "cli/profile_source.h"
#include "cli/table.h"
#include "cli/what_if.h"
#include "core/error.h"
#include "io/availability_file.h"
#include "io/cluster_file.h"
#include "io/importers/importer.h"
#include "io/profile_file.h"
#include "io/site_rules_file.h"
#include "io/trace_check.h"
#include "io/trace_file.h"

namespace medley::cli {
namespace {

io::OverWide over_wide_rule(const std::string& text) {
    if (text == "reject") { return io::OverWide::kReject; }
    if (text == "clamp") { return io::OverWide::kClamp; }
    return io::OverWide::kRefuse;
}

Trace load_any_trace(const WorkloadOptions& options) {
    if (options.trace_format.empty()) { return io::load_trace(options.trace); }
    io::ImportOptions import_options;
    import_options.seed = options.seed;
    const io::Importer* importer = naming_option("--trace-format", [&] { return &io::find_importer(options.trace_format); });
    if (importer->kind() != io::SourceKind::kJobs) {
        refuse_value("--trace-format", options.trace_format, "a format that holds jobs, not capacity alone");
    }
    return importer->import(std::filesystem::path(options.trace), import_options).trace;
}

std::vector<Profile> import_profiles(const WorkloadOptions& options, io::ProfileImportReport& report) {
    if (options.profiles.empty()) { refuse_value("--profiles", "nothing", "a file or folder to read with --profile-format"); }
    io::ProfileImport imported =
        import_from({.path = options.profiles, .format = options.profile_format, .format_option = "--profile-format"});
    report = std::move(imported.report);
    return std::move(imported.profiles);
}

// A trace without models needs no profiles, so only a folder that was asked for must exist.
std::vector<Profile> load_needed_profiles(const WorkloadOptions& options, const Trace& trace) {
    const bool has_models = std::any_of(trace.jobs.begin(), trace.jobs.end(), [](const Job& job) { return !job.model.empty(); });
    if (options.profiles.empty() && !has_models) { return {}; }
    return io::load_profiles(profiles_folder(options.profiles));
}

std::vector<Name> models_without_profile(const Trace& trace, const std::vector<Profile>& profiles) {
    std::set<Name> models;
    for (const Job& job : trace.jobs) {
        if (!job.model.empty()) { models.insert(job.model); }
    }
    for (const Profile& profile : profiles) { models.erase(profile.model); }
    return {models.begin(), models.end()};
}

std::vector<simulator::CapacityChange> load_capacity_changes(const WorkloadOptions& options, const Cluster& cluster) {
    std::vector<simulator::CapacityChange> changes;
    if (options.availability.empty()) { return changes; }
    for (const io::CapacityStep& step : io::load_availability(options.availability, cluster)) {
        changes.push_back({.time = step.time, .type = step.type, .delta = step.delta});
    }
    return changes;
}

/// A change of the cluster may be what does not fit.
Error with_what_if(const Error& error, const std::string& what_if) {
    if (what_if.empty()) { return error; }
    Problem problem = error.problem();
    problem.place += fmt::format("{}with --what-if '{}'", problem.place.empty() ? "" : ", ", what_if);
    return Error(std::move(problem));
}

void check_workload(Workload& workload, const WorkloadOptions& options) {
    try {
        workload.check = io::check_trace(workload.trace, workload.cluster, workload.profiles, over_wide_rule(options.over_wide));
    } catch (const Error& error) { throw error.in_file(options.trace); }
}

void check_rules(const Workload& workload, const WorkloadOptions& options) {
    try {
        workload.rules.require_fit(workload.cluster);
    } catch (const Error& error) { throw error.in_file(options.rules); }
}

std::string joined(const std::vector<Name>& names) {
    std::string text;
    for (const Name& name : names) { text += (text.empty() ? "" : ", ") + name.text(); }
    return text;
}

}  // namespace

void add_workload_options(CLI::App& app, WorkloadOptions& options) {
    app.add_option("--cluster", options.cluster, "Cluster file (YAML)")->required()->type_name("FILE");
    app.add_option("--profiles", options.profiles, "Folder of profiles, subfolders left alone (default: MEDLEY_PROFILES, else profiles)")
        ->type_name("DIR");
    app.add_option("--availability", options.availability, "GPUs that come and go (CSV)")->type_name("FILE");
    app.add_option("--rules", options.rules, "The site's priorities, limits, reservations and quotas (YAML)")->type_name("FILE");
    app.add_option("--trace-format", options.trace_format, "Read a public trace format directly (see medley trace import)")
        ->type_name("NAME");
    app.add_option("--profile-format", options.profile_format, "Read --profiles in a public format directly (see medley profile import)")
        ->type_name("NAME");
    add_choice(
        app, "--over-wide", options.over_wide, {"reject", "clamp"},
        "Gangs larger than any pool: reject or clamp them; reject lets other jobs that cannot run pass, too (default: refuse the trace)");
}

Workload load_workload(const WorkloadOptions& options) {
    Workload workload;
    if (!options.rules.empty()) { workload.rules = io::load_site_rules(options.rules); }
    workload.cluster = with_change(io::load_cluster(options.cluster), options.what_if);
    workload.trace = load_any_trace(options);
    workload.profiles =
        options.profile_format.empty() ? load_needed_profiles(options, workload.trace) : import_profiles(options, workload.imported);
    workload.unprofiled = models_without_profile(workload.trace, workload.profiles);
    try {
        workload.availability = load_capacity_changes(options, workload.cluster);
        check_rules(workload, options);
        check_workload(workload, options);
    } catch (const Error& error) { throw with_what_if(error, options.what_if); }
    return workload;
}

void note_surprises(const Console& console, const Workload& workload, const WorkloadOptions& options) {
    const io::TraceCheck& check = workload.check;
    const auto note = [&](std::size_t jobs, std::string_view noun, const std::string& what) {
        if (jobs > 0) { console.note(fmt::format("note: {} {}", count_of(jobs, noun), what)); }
    };
    if (workload.imported.rows > workload.imported.kept) {
        console.note(fmt::format("note: {} of {} rows of the profiles are left out (medley profile import says why)",
                                 workload.imported.rows - workload.imported.kept, workload.imported.rows));
    }
    note(check.over_wide, "gang", fmt::format("larger than any pool ({})", options.over_wide));
    note(check.unrunnable, "job", "that no GPU type can run (reject)");
    note(check.fractional, "job", "with a gpu_fraction below 1: whole GPUs are given");
    if (!workload.unprofiled.empty()) {
        console.note(fmt::format("note: no profile of {}: such jobs scale linearly (see --profiles)", joined(workload.unprofiled)));
    }
    note(check.alike, "job", "with a duration that is the same on every GPU type, for want of a profile or of a reference_gpu_type");
}

}  // namespace medley::cli
