#include "io/profile_file.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/error.h"
#include "io/document.h"
#include "io/text_file.h"

namespace medley::io {
namespace {

constexpr std::int64_t kMostSamples = 1'000'000'000'000;
constexpr std::int64_t kMostGpus = 100'000'000;
constexpr double kBytesPerGb = 1e9;
constexpr double kSecondsPerMicrosecond = 1e-6;

// A rate is what people measure, a time is what the cost model adds up: exactly one of them is stated.
Seconds read_seconds(const DocumentNode& node, Samples batch) {
    const DocumentNode* seconds = node.find("seconds");
    const DocumentNode* rate = node.find("samples_per_s");
    if ((seconds == nullptr) == (rate == nullptr)) { node.refuse("either seconds or samples_per_s"); }
    if (seconds != nullptr) { return Seconds{seconds->positive_number()}; }
    const Seconds time{static_cast<double>(batch.value) / rate->positive_number()};
    if (!std::isfinite(time.value)) { rate->refuse("a rate that gives a finite time"); }
    return time;
}

ProfilePoint read_point(const DocumentNode& node) {
    node.allow_keys({"batch", "seconds", "samples_per_s", "memory_bytes"});
    ProfilePoint point{.batch = Samples{node.at("batch").whole(1, kMostSamples)}};
    point.seconds = read_seconds(node, point.batch);
    if (const DocumentNode* memory = node.find("memory_bytes")) { point.memory = Bytes{memory->positive_number()}; }
    return point;
}

ScalingPoint read_scaling_point(const DocumentNode& node) {
    node.allow_keys({"gpus", "batch", "samples_per_s"});
    ScalingPoint point{.gpus = static_cast<int>(node.at("gpus").whole(1, kMostGpus)),
                       .samples_per_s = node.at("samples_per_s").positive_number()};
    if (const DocumentNode* batch = node.find("batch")) { point.batch = Samples{batch->whole(1, kMostSamples)}; }
    return point;
}

std::vector<ProfilePoint> read_points(const DocumentNode& node) {
    std::vector<ProfilePoint> points;
    for (const DocumentNode& point : node.list_items()) { points.push_back(read_point(point)); }
    std::stable_sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.batch < b.batch; });
    const auto twice = std::adjacent_find(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.batch == b.batch; });
    if (twice != points.end()) { refuse_value(node.place(), fmt::format("batch {} twice", twice->batch.value), "each batch size once"); }
    return points;
}

std::vector<ScalingPoint> read_scaling_points(const DocumentNode& node) {
    std::vector<ScalingPoint> points;
    for (const DocumentNode& point : node.list_items()) { points.push_back(read_scaling_point(point)); }
    std::stable_sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.gpus < b.gpus; });
    return points;
}

void read_gpus(const DocumentNode& node, Profile& profile) {
    for (const DocumentNode& gpu : node.map_entries()) { profile.gpus[Name(gpu.key())].points = read_points(gpu); }
}

void read_scaling(const DocumentNode& node, Profile& profile) {
    for (const DocumentNode& entry : node.map_entries()) {
        if (entry.key() == "exponent") {
            profile.scaling_exponent = entry.number();
        } else {
            profile.gpus[Name(entry.key())].scaling = read_scaling_points(entry);
        }
    }
}

void read_updates(const DocumentNode& node, Profile& profile) {
    for (const DocumentNode& entry : node.map_entries()) { profile.gpus[Name(entry.key())].update = Seconds{entry.positive_number()}; }
}

Link read_link(const DocumentNode& node) {
    node.allow_keys({"gb_per_s", "latency_us"});
    Link link{.bandwidth = BytesPerSecond{node.at("gb_per_s").positive_number() * kBytesPerGb}, .latency = Seconds{0}};
    if (const DocumentNode* latency = node.find("latency_us")) { link.latency = Seconds{latency->number() * kSecondsPerMicrosecond}; }
    return link;
}

double optional_number(const DocumentNode& node, std::string_view key) {
    const DocumentNode* value = node.find(key);
    return value != nullptr ? value->number() : 0;
}

Profile read_profile(const DocumentNode& root) {
    root.allow_keys({"format", "model", "sample", "parameters", "gradient_bytes", "state_bytes", "source", "gpus", "scaling",
                     "update_seconds", "link"});
    Profile profile{.model = Name(root.at("model").text())};
    if (const DocumentNode* sample = root.find("sample")) { profile.sample = sample->text(); }
    if (const DocumentNode* source = root.find("source")) { profile.source = source->text(); }
    profile.parameters = optional_number(root, "parameters");
    profile.gradient = Bytes{optional_number(root, "gradient_bytes")};
    profile.state = Bytes{optional_number(root, "state_bytes")};
    const DocumentNode* scaling = root.find("scaling");
    const DocumentNode* gpus =
        scaling != nullptr ? root.find("gpus") : &root.at("gpus");  // one that only says how a model scales is of use too
    if (gpus != nullptr) { read_gpus(*gpus, profile); }
    if (scaling != nullptr) { read_scaling(*scaling, profile); }
    if (const DocumentNode* updates = root.find("update_seconds")) { read_updates(*updates, profile); }
    if (const DocumentNode* link = root.find("link")) { profile.link = read_link(*link); }
    profile.validate();
    return profile;
}

// Clusters, catalogues, jobs, plans and resize plans may stand beside profiles.
bool is_another_kind(std::string_view text, const std::string& file) {
    bool another = false;
    read_document(text, file, [&](const DocumentNode& root) {
        const DocumentNode* model = root.find("model");
        const auto has = [&](std::string_view key) { return root.find(key) != nullptr; };
        another = has("groups") || has("assignments") || has("resizes") || (model != nullptr ? model->is_map() : has("gpu_types"));
    });
    return another;
}

bool is_yaml(const std::filesystem::path& path) { return path.extension() == ".yaml" || path.extension() == ".yml"; }

std::vector<std::filesystem::path> yaml_files(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    std::error_code failed;
    for (std::filesystem::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
        std::error_code ignored;
        if (is_yaml(entry->path()) && !entry->is_directory(ignored)) { files.push_back(entry->path()); }
    }
    if (failed) {
        throw Error(Problem{
            .file = folder.string(), .expected = "a folder of profiles", .message = fmt::format("cannot be read ({})", failed.message())});
    }
    std::sort(files.begin(), files.end());
    return files;
}

void refuse_model_twice(const std::vector<NamedProfile>& profiles) {
    const auto equal = [](const auto& a, const auto& b) { return a.profile.model == b.profile.model; };
    const auto twice = std::adjacent_find(profiles.begin(), profiles.end(), equal);
    if (twice == profiles.end()) { return; }
    const NamedProfile& second = *std::next(twice);
    throw Error(Problem{.file = second.file,
                        .place = "model",
                        .found = second.profile.model.text(),
                        .expected = fmt::format("each model once in a folder (it also stands in {})", twice->file)});
}

}  // namespace

Profile load_profile(const std::filesystem::path& path) { return parse_profile(read_text_file(path), path.string()); }

Profile parse_profile(std::string_view text, const std::string& file) {
    Profile profile;
    read_document(text, file, [&](const DocumentNode& root) { profile = read_profile(root); });
    return profile;
}

std::vector<NamedProfile> load_named_profiles(const std::filesystem::path& folder) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(folder, ignored)) { return {{load_profile(folder), folder.string()}}; }
    std::vector<NamedProfile> named;
    for (const auto& path : yaml_files(folder)) {
        const std::string text = read_text_file(path);
        if (!is_another_kind(text, path.string())) { named.push_back({parse_profile(text, path.string()), path.string()}); }
    }
    std::stable_sort(named.begin(), named.end(), [](const auto& a, const auto& b) { return a.profile.model < b.profile.model; });
    refuse_model_twice(named);
    return named;
}

std::vector<Profile> load_profiles(const std::filesystem::path& folder) {
    std::vector<Profile> profiles;
    for (NamedProfile& each : load_named_profiles(folder)) { profiles.push_back(std::move(each.profile)); }
    return profiles;
}

}  // namespace medley::io
