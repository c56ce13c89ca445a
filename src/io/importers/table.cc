#include "core/error.h"
#include "io/importers/importer.h"
#include "io/importers/itp.h"
#include "io/importers/slurm.h"
#include "io/scalar.h"

namespace medley::io {

const std::vector<const Importer*>& importers() {
    static const std::vector<const Importer*> table = {
        &itp_importer(),
        &slurm_importer(),
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
