#include <set>
#include <string>

#include <fmt/format.h>

#include "core/error.h"
#include "io/csv.h"
#include "io/importers/instance_file.h"
#include "io/importers/record_fields.h"
#include "io/importers/single_file_importer.h"
#include "io/importers/spot_capacity.h"
#include "io/json_stream.h"
#include "io/scalar.h"

namespace medley::io {
namespace {

constexpr double kMillisecond = 1e-3;

/// Instances by name as they come and go, or their number.
class Instances {
 public:
    explicit Instances(const std::string& file) : group_(group_name(file)) { report_.files.push_back(file); }

    void at(double ms, const std::string& place) {
        if (!(ms >= last_ms_)) { refuse_value(place, fmt::format("{}", ms), "no earlier time than before"); }
        last_ms_ = ms;
        ++report_.rows;
    }
    void add(std::string_view node) {
        if (!up_.emplace(node).second) { ++report_.changed["added while there: ignored"]; }
    }
    void remove(std::string_view node) {
        const auto found = up_.find(node);
        if (found == up_.end()) {
            ++report_.changed["removed while not there: ignored"];
        } else {
            up_.erase(found);
        }
    }
    void set_level() { set_level(static_cast<std::int64_t>(up_.size())); }
    void set_level(std::int64_t level) { timeline_.set(to_sim_time(Seconds{last_ms_ * kMillisecond}), group_, level); }

    Import take() {
        const CapacityGroup group = group_by_family(report_.files.front(), "V100");
        report_.time_rule = "milliseconds after the start; no zone";
        return capacity_import(timeline_, {{group_, group}}, "parcae", std::move(report_));
    }

 private:
    Name group_;
    ImportReport report_;
    CapacityTimeline timeline_;
    std::set<std::string, std::less<>> up_;
    double last_ms_ = 0;
};

double milliseconds(std::string_view text, const std::string& place) {
    const auto ms = to_number(text);
    if (!ms || *ms < 0 || *ms * kMillisecond > kLongestSeconds) { refuse_value(place, std::string(text), "a number of milliseconds"); }
    return *ms;
}

void read_rows(ByteSource& source, Instances& instances) {
    constexpr std::int64_t kMostInstances = 1'000'000;
    CsvReader rows(source);
    std::size_t columns = 0;
    while (rows.next()) {
        const auto& cells = rows.cells();
        const std::string place = fmt::format("line {}", rows.line());
        if (columns == 0) { columns = cells.size(); }
        if (cells.size() != columns || columns < 2 || columns > 3) {
            refuse_value(place, fmt::format("{} cells", cells.size()), "ms,instances or ms,add|remove,node in all lines");
        }
        instances.at(milliseconds(cells[0], place), place);
        if (columns == 2) {
            const auto level = to_whole(cells[1]);
            if (!level || *level < 0 || *level > kMostInstances) { refuse_value(place, std::string(cells[1]), "a number of instances"); }
            instances.set_level(*level);
            continue;
        }
        if (cells[1] != "add" && cells[1] != "remove") { refuse_value(place, std::string(cells[1]), "add or remove"); }
        cells[1] == "add" ? instances.add(cells[2]) : instances.remove(cells[2]);
        instances.set_level();
    }
}

std::string read_string(JsonStream& json) {
    if (json.peek() != '"') { json.refuse("a text in quotes"); }
    const std::string_view text = json.value();
    return std::string(text.substr(1, text.size() - 2));
}

void read_nodes(JsonStream& json, const std::string& event, Instances& instances) {
    json.expect('[');
    while (json.more(']')) {
        const std::string node = read_string(json);
        if (event == "add") { instances.add(node); }
        if (event == "remove") { instances.remove(node); }
    }
}

// [ms, "add", {"nodes": ["a", "b"], ...}]; other events than add and remove change no capacity.
void read_event(JsonStream& json, Instances& instances) {
    const std::string place = fmt::format("line {}", json.line());
    json.expect('[');
    json.more(']');
    instances.at(milliseconds(json.value(), place), place);
    json.expect(',');
    const std::string event = read_string(json);
    json.expect(',');
    json.expect('{');
    while (json.more('}')) {
        if (json.key() == "nodes") {
            read_nodes(json, event, instances);
        } else {
            json.value();
        }
    }
    json.expect(']');
    instances.set_level();
}

Import read_parcae(ByteSource& source, const ImportOptions&) {
    Instances instances(source.name());
    const bool lines_of_json = source.first_byte() == '[';
    if (lines_of_json) {
        JsonStream json(source);
        while (json.peek() != 0) { read_event(json, instances); }
    } else {
        read_rows(source, instances);
    }
    return instances.take();
}

}  // namespace

const Importer& parcae_importer() {
    static const SingleFileImporter importer("parcae",
                                             "spot capacity of Parcae 2024: milliseconds with instances, or with nodes that come and go",
                                             read_parcae, SourceKind::kCapacity);
    return importer;
}

}  // namespace medley::io
