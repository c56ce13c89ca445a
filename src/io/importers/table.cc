#include "core/error.h"
#include "io/importers/acme.h"
#include "io/importers/alibaba_spot.h"
#include "io/importers/arrival_service.h"
#include "io/importers/batsim.h"
#include "io/importers/chronus.h"
#include "io/importers/gavel.h"
#include "io/importers/helios.h"
#include "io/importers/importer.h"
#include "io/importers/itp.h"
#include "io/importers/lucid.h"
#include "io/importers/muri.h"
#include "io/importers/openb.h"
#include "io/importers/pai2020.h"
#include "io/importers/philly.h"
#include "io/importers/philly_flat.h"
#include "io/importers/sia.h"
#include "io/importers/slurm.h"
#include "io/importers/spot_capacity.h"
#include "io/importers/swf.h"
#include "io/importers/synergy.h"
#include "io/importers/tiresias.h"
#include "io/scalar.h"

namespace medley::io {

const std::vector<const Importer*>& importers() {
    static const std::vector<const Importer*> table = {
        // Clusters' own logs.
        &slurm_importer(),
        &swf_importer(),
        &philly_importer(),
        &philly_flat_importer(),
        &helios_importer(),
        &arrival_service_importer(),
        &pai2020_importer(),
        &openb_importer(),
        &openb_packing_importer(),
        &alibaba_spot_importer(),
        &acme_importer(),
        &itp_importer(),
        // Workloads of schedulers and simulators.
        &chronus_importer(),
        &muri_importer(),
        &synergy_importer(),
        &lucid_importer(),
        &tiresias_importer(),
        &batsim_importer(),
        &gavel_importer(),
        &sia_importer(),
        // Capacity over time.
        &helios_quota_importer(),
        &bamboo_importer(),
        &skypilot_importer(),
        &parcae_importer(),
        &sailor_importer(),
    };
    return table;
}

const Importer& find_importer(std::string_view name) {
    std::vector<std::string_view> names;
    for (const Importer* importer : importers()) {
        if (importer->name() == name) { return *importer; }
        names.push_back(importer->name());
    }
    refuse_value("format", std::string(name), expected_name(name, names));
}

}  // namespace medley::io
