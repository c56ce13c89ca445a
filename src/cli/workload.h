#pragma once
/// What simulate and compare run on: a cluster, a trace and profiles, read and checked against each other.

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "core/cluster.h"
#include "core/job.h"
#include "core/profile.h"
#include "core/site_rules.h"
#include "io/profile_formats/profile_format.h"
#include "io/trace_check.h"
#include "simulator/cluster/availability.h"

namespace medley::cli {

/// As given on the command line; empty = not given.
struct WorkloadOptions {
    std::string cluster;
    std::string trace;
    std::string trace_format;
    std::string profiles;
    std::string profile_format;
    std::string availability;
    std::string rules;
    std::string over_wide;
    std::string what_if;  ///< a change of the cluster, "+8 H100"
    std::uint64_t seed = 0;
};

struct Workload {
    Cluster cluster;
    Trace trace;
    std::vector<Profile> profiles;
    std::vector<simulator::CapacityChange> availability;
    SiteRules rules;
    io::TraceCheck check;              ///< what was taken another way than the inputs might suggest
    io::ProfileImportReport imported;  ///< of profiles in a public format
    std::vector<Name> unprofiled;      ///< models named in the trace, in order of name, of which nothing is known
};

/// --cluster, --profiles, --profile-format, --availability, --rules, --over-wide and --trace-format.
void add_workload_options(CLI::App& app, WorkloadOptions& options);

/// Throws medley::Error naming what does not exist or does not fit.
Workload load_workload(const WorkloadOptions& options);

/// Tells the user on standard error what was taken another way than the inputs might suggest: jobs that
/// cannot run as they are, models without profile, parts of a GPU.
void note_surprises(const Console& console, const Workload& workload, const WorkloadOptions& options);

}  // namespace medley::cli
