#include "io/availability_file.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "core/error.h"
#include "io/csv_table.h"
#include "io/csv_writing.h"
#include "io/scalar.h"
#include "io/text_file.h"

namespace medley::io {
namespace {

constexpr std::int64_t kMostGpus = 100'000'000;

bool within_limit(std::int64_t gpus) { return gpus >= -kMostGpus && gpus <= kMostGpus; }

/// What one unit of `delta` means: one GPU of a type, or one node of a group.
struct Target {
    GpuTypeId type;
    int gpus = 1;
};
using Targets = std::unordered_map<std::string_view, Target>;

Targets targets_of(const Cluster& cluster) {
    Targets targets;
    for (std::size_t index = 0; index < cluster.gpu_types.size(); ++index) {
        targets.emplace(cluster.gpu_types[index].name.text(), Target{.type = GpuTypeId(index)});
    }
    for (const NodeGroup& group : cluster.nodes) {
        if (!group.name.empty()) { targets.emplace(group.name, Target{.type = group.gpu, .gpus = group.gpus}); }
    }
    return targets;
}

struct Row {
    CapacityStep step;
    std::size_t line;
};

class RowReader {
 public:
    RowReader(std::string_view text, const Cluster& cluster) : table_(text), targets_(targets_of(cluster)) {
        time_ = table_.require("time_s");
        target_ = table_.require("gpu_type_or_node");
        delta_ = table_.require("delta");
    }

    std::vector<Row> read() {
        std::vector<Row> rows;
        while (table_.next()) { rows.push_back({read_step(), table_.line()}); }
        return rows;
    }

 private:
    CapacityStep read_step() {
        const auto time = to_time(table_.cell(time_));
        if (!time || time->value < 0) { table_.refuse(time_, "a time of at least 0"); }
        const Target target = read_target();
        const auto delta = to_whole(table_.cell(delta_));
        if (!delta || !within_limit(*delta) || !within_limit(*delta * target.gpus)) {
            table_.refuse(delta_, fmt::format("a whole number within ±{} GPUs", kMostGpus));
        }
        return CapacityStep{.time = *time, .type = target.type, .delta = static_cast<int>(*delta * target.gpus)};
    }

    Target read_target() const {
        const auto found = targets_.find(table_.cell(target_));
        if (found != targets_.end()) { return found->second; }
        std::vector<std::string_view> names;
        for (const auto& [name, target] : targets_) { names.push_back(name); }
        std::sort(names.begin(), names.end());
        table_.refuse(target_, expected_name(table_.cell(target_), names));
    }

    CsvTable table_;
    Targets targets_;
    std::size_t time_ = 0, target_ = 0, delta_ = 0;
};

bool same_moment(const CapacityStep& a, const CapacityStep& b) { return a.time == b.time && a.type == b.type; }

// Adds up what happens to one type in one moment; a sum of nothing is left out.
std::vector<CapacityStep> added_up(std::vector<Row> rows, const Cluster& cluster) {
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        return a.step.time != b.step.time ? a.step.time < b.step.time : a.step.type < b.step.type;
    });
    std::vector<std::int64_t> capacity;
    for (const int gpus : cluster.capacity()) { capacity.push_back(gpus); }
    std::vector<CapacityStep> steps;
    for (auto row = rows.begin(); row != rows.end();) {
        const auto end = std::find_if(row, rows.end(), [&](const Row& other) { return !same_moment(other.step, row->step); });
        std::int64_t delta = 0;
        for (auto each = row; each != end; ++each) { delta += each->step.delta; }
        std::int64_t& gpus = capacity[row->step.type.index()];
        gpus += delta;
        if (gpus < 0 || gpus > kMostGpus) {
            refuse_value(fmt::format("line {}, column delta", std::prev(end)->line), fmt::format("{} GPUs of the type left", gpus),
                         fmt::format("0 to {}", kMostGpus));
        }
        if (delta != 0) { steps.push_back({.time = row->step.time, .type = row->step.type, .delta = static_cast<int>(delta)}); }
        row = end;
    }
    return steps;
}

}  // namespace

std::vector<CapacityStep> load_availability(const std::filesystem::path& path, const Cluster& cluster) {
    return parse_availability(read_text_file(path), path.string(), cluster);
}

std::string format_availability(const std::vector<CapacityRow>& rows) {
    std::string text = "time_s,gpu_type_or_node,delta\n";
    for (const CapacityRow& row : rows) {
        text += seconds_text(row.time);
        text += ',';
        append_csv_cell(row.target.text(), text);
        text += fmt::format(",{}\n", row.delta);
    }
    return text;
}

std::vector<CapacityStep> parse_availability(std::string_view text, const std::string& file, const Cluster& cluster) {
    return naming_file(file, [&] { return added_up(RowReader(text, cluster).read(), cluster); });
}

}  // namespace medley::io
