#include <map>

#include <fmt/format.h>

#include "core/error.h"
#include "io/csv.h"
#include "io/importers/instance_file.h"
#include "io/importers/record_fields.h"
#include "io/importers/single_file_importer.h"
#include "io/importers/spot_capacity.h"
#include "io/scalar.h"

namespace medley::io {
namespace {

class SailorReader {
 public:
    explicit SailorReader(ByteSource& source) : rows_(source) { report_.files.push_back(source.name()); }

    Import read() {
        read_header();
        while (rows_.next()) { read_row(); }
        report_.time_rule = "Unix time";
        if (!timeline_.empty()) { report_.origin = civil_text(timeline_.begin()) + " UTC"; }
        return capacity_import(timeline_, groups_, "sailor", std::move(report_));
    }

 private:
    void read_header() {
        if (!rows_.next()) { refuse_value("line 1", "", "a header line ,Timestamp,TYPE_ZONE,..."); }
        const auto& cells = rows_.cells();
        if (cells.size() < 3 || cells[1] != "Timestamp") {
            refuse_value("line 1", cells.size() < 2 ? "" : std::string(cells[1]), "Timestamp in the second column and a type in the third");
        }
        for (std::size_t index = 2; index < cells.size(); ++index) {
            const std::string_view type = cells[index].substr(0, cells[index].find('_'));
            if (type.empty() || type == cells[index]) {
                refuse_value(fmt::format("line 1, column {}", index + 1), std::string(cells[index]), "TYPE_ZONE");
            }
            columns_.emplace_back(cells[index]);
            if (!groups_.emplace(columns_.back(), CapacityGroup{.type = Name(type)}).second) {
                refuse_value(fmt::format("line 1, column {}", index + 1), std::string(cells[index]), "each column once");
            }
        }
    }

    void read_row() {
        constexpr std::int64_t kMostGpus = 1'000'000;
        const auto& cells = rows_.cells();
        const std::string place = fmt::format("line {}", rows_.line());
        if (cells.size() != columns_.size() + 2) {
            refuse_value(place, fmt::format("{} cells", cells.size()), fmt::format("{}, as in the header", columns_.size() + 2));
        }
        const auto time = to_time(cells[1]);
        if (!time || time->value < last_.value) { refuse_value(place, std::string(cells[1]), "a time that is not before the last"); }
        last_ = *time;
        ++report_.rows;
        for (std::size_t index = 0; index < columns_.size(); ++index) {
            const auto gpus = to_whole(cells[index + 2]);
            if (!gpus || *gpus < 0 || *gpus > kMostGpus) { refuse_value(place, std::string(cells[index + 2]), "a number of GPUs"); }
            timeline_.set(*time, columns_[index], *gpus);
        }
    }

    CsvReader rows_;
    std::vector<Name> columns_;
    std::map<Name, CapacityGroup> groups_;
    CapacityTimeline timeline_;
    ImportReport report_;
    SimTime last_;
};

}  // namespace

const Importer& sailor_importer() {
    static const SingleFileImporter importer(
        "sailor", "capacity of Sailor 2025: Unix time and GPUs of each type and zone",
        [](ByteSource& source, const ImportOptions&) { return SailorReader(source).read(); }, SourceKind::kCapacity);
    return importer;
}

}  // namespace medley::io
