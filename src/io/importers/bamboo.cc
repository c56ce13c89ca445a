#include <fmt/format.h>

#include "core/error.h"
#include "io/csv_table.h"
#include "io/importers/instance_file.h"
#include "io/importers/record_fields.h"
#include "io/importers/single_file_importer.h"
#include "io/importers/spot_capacity.h"

namespace medley::io {
namespace {

Import read_bamboo(ByteSource& source, const ImportOptions&) {
    constexpr double kSecondsPerHour = 3600;
    constexpr std::int64_t kMostInstances = 1'000'000;
    CsvTable table(source, {"time", "instances"});
    const Name group = group_name(source.name());
    CapacityTimeline timeline;
    ImportReport report;
    bool hours = false;
    Seconds last;
    while (table.next()) {
        if (report.rows == 0) { hours = table.cell(0).find('.') != std::string_view::npos; }
        ++report.rows;
        const auto time = read_seconds(table, 0);
        if (!time) { table.refuse(0, "a time"); }
        if (*time < last) { table.refuse(0, "no earlier time than in the line before"); }
        last = *time;
        const auto instances = read_count(table, 1, kMostInstances);
        if (!instances) { table.refuse(1, "a number of instances"); }
        timeline.set(to_sim_time(*time * (hours ? kSecondsPerHour : 1)), group, *instances);
    }
    report.files.push_back(source.name());
    report.time_rule = fmt::format("{} after the start; no zone", hours ? "hours" : "seconds");
    return capacity_import(timeline, {{group, group_by_family(source.name(), "spot")}}, "bamboo", std::move(report));
}

}  // namespace

const Importer& bamboo_importer() {
    static const SingleFileImporter importer("bamboo", "spot capacity of Bamboo 2023: time,instances", read_bamboo, SourceKind::kCapacity);
    return importer;
}

}  // namespace medley::io
