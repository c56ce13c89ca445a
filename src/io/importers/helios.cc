#include "io/importers/helios.h"

#include "io/importers/helios_quota.h"
#include "io/importers/job_log.h"
#include "io/text_file.h"

namespace medley::io {
namespace {

const JobLogFormat& helios_format() {
    static const JobLogFormat format{.zone = "+08:00", .tenant = "vc", .kept = {}};
    return format;
}

class HeliosImporter final : public Importer {
 public:
    std::string_view name() const override { return "helios"; }
    std::string_view description() const override {
        return "SenseTime Helios 2020: cluster_log.csv, with cluster_gpu_number.csv beside it as capacity over time";
    }
    Import import(const ImportSource& source, const ImportOptions& options) const override {
        ByteSource log = source.is_folder() ? source.require("cluster_log") : source.open();
        return naming_file(log.name(), [&] {
            JobLogReader reader(log, options, helios_format());
            reader.read();
            auto quota_file = source.find("cluster_gpu_number");
            if (!quota_file) { return reader.jobs().finish(); }
            reader.jobs().report().files.push_back(quota_file->name());
            HeliosQuota quota = naming_file(quota_file->name(), [&] { return read_helios_quota(*quota_file, reader.zone()); });
            return reader.jobs().finish(std::move(quota.cluster), std::move(quota.rows));
        });
    }
};

}  // namespace

const Importer& helios_importer() {
    static const HeliosImporter importer;
    return importer;
}

}  // namespace medley::io
