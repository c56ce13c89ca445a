#include "io/importers/tiresias.h"

#include "core/error.h"
#include "io/importers/workload_csv.h"
#include "io/text_file.h"

namespace medley::io {
namespace {

Cluster read_cluster_spec(ByteSource& source) {
    constexpr std::int64_t kMost = 100'000;
    CsvTable table(source);
    const std::size_t switches = table.require("num_switch");
    const std::size_t nodes = table.require("num_node_p_switch");
    const std::size_t gpus = table.require("num_gpu_p_node");
    if (!table.next()) { refuse_value("line 2", "", "one row"); }
    const auto count = [&](std::size_t column) {
        const std::int64_t value = read_count(table, column, kMost).value_or(0);
        if (value == 0) { table.refuse(column, "a whole number of at least 1"); }
        return static_cast<int>(value);
    };
    if (count(switches) > kMost / count(nodes)) { table.refuse(switches, "at most 100000 nodes in all"); }
    Cluster cluster{.name = "tiresias", .gpu_types = {GpuType{.name = Name("GPU")}}, .nodes = {}, .network = {}};
    cluster.nodes.push_back({.name = "node", .count = count(switches) * count(nodes), .gpu = GpuTypeId(0), .gpus = count(gpus)});
    return cluster;
}

class TiresiasImporter final : public Importer {
 public:
    std::string_view name() const override { return "tiresias"; }
    std::string_view description() const override {
        return "Tiresias 2019: job_id,num_gpu,submit_time,...,model_name,duration, with cluster_spec beside it";
    }
    Import import(const ImportSource& source, const ImportOptions& options) const override {
        ByteSource bytes = source.open();
        return naming_file(bytes.name(), [&] {
            WorkloadCsv rows(bytes, options, 1);
            rows.table().require("model_name");
            ImportReport& report = rows.jobs().report();
            report.duration_meaning = "running alone on the requested GPUs";
            report.time_rule = "seconds after the start; no zone";
            while (rows.next()) { rows.jobs().add(rows.record()); }
            auto spec = source.find("cluster_spec");
            if (!spec) { return rows.jobs().finish(); }
            report.files.push_back(spec->name());
            return rows.jobs().finish(naming_file(spec->name(), [&] { return read_cluster_spec(*spec); }));
        });
    }
};

}  // namespace

const Importer& tiresias_importer() {
    static const TiresiasImporter importer;
    return importer;
}

}  // namespace medley::io
