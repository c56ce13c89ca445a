#include "io/importers/helios_quota.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"
#include "io/csv_table.h"
#include "io/importers/helios.h"
#include "io/importers/record_fields.h"
#include "io/text_file.h"

namespace medley::io {
namespace {

constexpr const char* kChina = "+08:00";

struct Day {
    SimTime midnight;
    std::vector<std::int64_t> gpus;  // by virtual cluster
};

struct QuotaTable {
    std::vector<std::string> names;
    std::vector<Day> days;
};

QuotaTable read_table(ByteSource& source, const ZoneRule& zone) {
    CsvTable table(source);
    const std::size_t date = table.require("date");
    std::vector<std::size_t> columns;
    QuotaTable quota;
    for (std::size_t column = 0; column < table.columns().size(); ++column) {
        const std::string& name = table.columns()[column];
        if (column == date || name == "total") { continue; }
        columns.push_back(column);
        quota.names.push_back(name);
    }
    if (columns.empty()) { refuse_value("line 1", "date", "a column for each virtual cluster"); }
    while (table.next()) {
        const auto midnight = read_date(table, date, zone);
        if (!midnight) { table.refuse(date, "a date"); }
        if (!quota.days.empty() && *midnight <= quota.days.back().midnight) { table.refuse(date, "a later day in every row"); }
        Day day{.midnight = *midnight, .gpus = {}};
        for (const std::size_t column : columns) { day.gpus.push_back(read_count(table, column).value_or(0)); }
        quota.days.push_back(std::move(day));
    }
    if (quota.days.empty()) { refuse_value("line 1", "", "at least one day"); }
    return quota;
}

// Eight, as everywhere in Helios, unless a quota says otherwise.
int gpus_per_node(const QuotaTable& quota, std::size_t virtual_cluster) {
    constexpr int kGpusPerNode = 8;
    const auto whole = [&](const Day& day) { return day.gpus[virtual_cluster] % kGpusPerNode == 0; };
    return std::all_of(quota.days.begin(), quota.days.end(), whole) ? kGpusPerNode : 1;
}

class HeliosQuotaImporter final : public Importer {
 public:
    std::string_view name() const override { return "helios-quota"; }
    std::string_view description() const override {
        return "SenseTime Helios: GPUs of each virtual cluster by day (cluster_gpu_number.csv)";
    }
    SourceKind kind() const override { return SourceKind::kCapacity; }

    Import import(const ImportSource& source, const ImportOptions& options) const override {
        ByteSource bytes = source.is_folder() ? source.require("cluster_gpu_number") : source.open();
        const ZoneRule zone(options.time_zone.empty() ? kChina : options.time_zone);
        HeliosQuota quota = naming_file(bytes.name(), [&] { return read_helios_quota(bytes, zone); });
        Import import;
        import.cluster = std::move(quota.cluster);
        import.report.rows = quota.days;
        import.report.files.push_back(bytes.name());
        import.report.time_rule = fmt::format("days begin at midnight of {}", zone.text());
        const SimTime begin = quota.rows.empty() ? SimTime{} : quota.rows.front().time;
        import.report.origin = civil_text(begin) + " UTC";
        for (CapacityRow& row : quota.rows) { row.time -= begin; }
        import.capacity = std::move(quota.rows);
        return import;
    }
};

}  // namespace

HeliosQuota read_helios_quota(ByteSource& source, const ZoneRule& zone) {
    const QuotaTable table = read_table(source, zone);
    HeliosQuota quota{.cluster = {.name = "helios", .gpu_types = {GpuType{.name = Name("GPU")}}, .nodes = {}, .network = {}},
                      .rows = {},
                      .days = table.days.size()};
    CapacityTimeline timeline;
    for (std::size_t index = 0; index < table.names.size(); ++index) {
        const int per_node = gpus_per_node(table, index);
        for (const Day& day : table.days) { timeline.set(day.midnight, Name(table.names[index]), day.gpus[index] / per_node); }
        const std::int64_t most = timeline.most().at(Name(table.names[index]));
        if (most == 0) { continue; }
        quota.cluster.nodes.push_back({.name = table.names[index], .count = static_cast<int>(most), .gpu = GpuTypeId(0), .gpus = per_node});
    }
    quota.cluster.validate();
    quota.rows = timeline.rows();
    for (CapacityRow& row : quota.rows) { row.time += timeline.begin(); }
    return quota;
}

const Importer& helios_quota_importer() {
    static const HeliosQuotaImporter importer;
    return importer;
}

}  // namespace medley::io
