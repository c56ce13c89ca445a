#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "io/importers/instance_file.h"
#include "io/importers/record_fields.h"
#include "io/importers/single_file_importer.h"
#include "io/importers/spot_capacity.h"
#include "io/json_stream.h"
#include "io/scalar.h"

namespace medley::io {
namespace {

struct Samples {
    std::optional<double> gap_s;
    std::vector<std::int64_t> values;
};

std::int64_t read_value(JsonStream& json) {
    constexpr std::int64_t kMostInstances = 1'000'000;
    const std::size_t line = json.line();
    const std::string_view text = json.value();
    const auto value = to_whole(text);
    if (!value || *value < 0 || *value > kMostInstances) {
        refuse_value(fmt::format("line {}, data", line), std::string(text), "a number of instances");
    }
    return *value;
}

double read_gap(JsonStream& json) {
    const std::size_t line = json.line();
    const std::string_view text = json.value();
    const auto gap = to_number(text);
    if (!gap || !(*gap > 0) || *gap > kLongestSeconds) {
        refuse_value(fmt::format("line {}, metadata.gap_seconds", line), std::string(text), "a number of seconds above 0");
    }
    return *gap;
}

Samples read_samples(JsonStream& json) {
    Samples samples;
    json.expect('{');
    while (json.more('}')) {
        const std::string key = json.key();
        if (key == "metadata") {
            json.expect('{');
            while (json.more('}')) {
                if (json.key() == "gap_seconds") {
                    samples.gap_s = read_gap(json);
                } else {
                    json.value();
                }
            }
        } else if (key == "data") {
            json.expect('[');
            while (json.more(']')) { samples.values.push_back(read_value(json)); }
        } else {
            json.value();
        }
    }
    json.expect_end();
    if (!samples.gap_s) { refuse_value("metadata.gap_seconds", "", "a number of seconds above 0"); }
    if (samples.values.empty()) { refuse_value("data", "", "at least one value"); }
    if (*samples.gap_s * static_cast<double>(samples.values.size()) > kLongestSeconds) {
        refuse_value("data", fmt::format("{} values", samples.values.size()), "at most 100 years in all");
    }
    return samples;
}

/// The number before "-node" in a folder of the path.
std::optional<std::int64_t> nodes_of_path(std::string_view path) {
    const std::size_t at = path.find("-node/");
    if (at == std::string_view::npos) { return std::nullopt; }
    const std::string_view before = path.substr(0, at);
    return to_whole(before.substr(before.find_last_of('/') + 1));
}

/// "us-west-2a_k80_8": eight K80 an instance.
CapacityGroup group_of(const Name& name) {
    constexpr std::int64_t kMostGpus = 64;
    const std::string& text = name.text();
    const std::size_t last = text.rfind('_');
    const std::size_t first = last == std::string::npos || last == 0 ? std::string::npos : text.rfind('_', last - 1);
    const auto gpus = last == std::string::npos ? std::nullopt : to_whole(std::string_view(text).substr(last + 1));
    if (first == std::string::npos || first + 1 == last || !gpus || *gpus < 1 || *gpus > kMostGpus) { return {.type = Name("spot")}; }
    std::string type = text.substr(first + 1, last - first - 1);
    for (char& c : type) {
        if (c >= 'a' && c <= 'z') { c = static_cast<char>(c - 'a' + 'A'); }
    }
    return {.type = Name(type), .gpus_per_node = static_cast<int>(*gpus)};
}

Import read_skypilot(ByteSource& source, const ImportOptions&) {
    JsonStream json(source);
    const Samples samples = read_samples(json);
    const auto nodes = nodes_of_path(source.name());
    const std::int64_t highest = *std::max_element(samples.values.begin(), samples.values.end());
    const bool inverted = nodes ? *nodes == 1 : highest <= 1;
    const Name group = group_name(source.name());
    CapacityTimeline timeline;
    for (std::size_t index = 0; index < samples.values.size(); ++index) {
        const std::int64_t value = samples.values[index];
        if (inverted && value > 1) { refuse_value("data", fmt::format("{}", value), "0 (available) or 1, as of one node"); }
        timeline.set(to_sim_time(Seconds{static_cast<double>(index) * *samples.gap_s}), group, inverted ? 1 - value : value);
    }
    ImportReport report;
    report.rows = samples.values.size();
    report.files.push_back(source.name());
    report.time_rule = fmt::format("a value each {} seconds, as the file states; no zone", *samples.gap_s);
    report.notes.emplace_back(inverted ? "of one node: 0 is available, 1 is not" : "values are instances up");
    return capacity_import(timeline, {{group, group_of(group)}}, "skypilot", std::move(report));
}

}  // namespace

const Importer& skypilot_importer() {
    static const SingleFileImporter importer("skypilot", "spot capacity of SkyPilot 2024: gap_seconds and a value for each gap (JSON)",
                                             read_skypilot, SourceKind::kCapacity);
    return importer;
}

}  // namespace medley::io
