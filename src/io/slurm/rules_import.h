#pragma once
/// A site's rules from its Slurm's own settings: priorities, limits, partitions, accounts, reservations.

#include <string>
#include <vector>

#include "core/site_rules.h"
#include "core/units.h"
#include "io/civil_time.h"
#include "io/slurm/cluster_import.h"
#include "io/slurm/files.h"

namespace medley::io::slurm {

struct RulesChoices {
    SimTime origin;          ///< nanoseconds since 1970: the trace's second 0, as the trace's import reports it
    ZoneRule zone;           ///< of times without a zone
    TypeNames type_names;    ///< as in ClusterChoices
    bool has_origin = true;  ///< false: what stands on the time line (reservations, phases) is left out and noted
};

struct ImportedRules {
    SiteRules rules;                 ///< validated
    std::vector<std::string> notes;  ///< what Slurm has and the rules cannot say, one line each; nothing is left out in silence
};

/// What the files tell; of a kind that is not there, Slurm's defaults. Throws medley::Error naming file, line and key.
ImportedRules import_rules(const SiteFiles& files, const ImportedCluster& cluster, const RulesChoices& choices);

}  // namespace medley::io::slurm
