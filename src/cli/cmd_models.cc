#include "cli/cmd_models.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/data_folder.h"
#include "cli/table.h"
#include "core/error.h"
#include "io/profile_file.h"
#include "io/results/json_writer.h"

namespace medley::cli {
namespace {

namespace fs = std::filesystem;

struct ProfileFolder {
    fs::path path;
    std::vector<Profile> profiles;
};

/// The folder and those directly below it, as far as they hold profiles.
std::vector<ProfileFolder> load_folders(const fs::path& root) {
    std::vector<fs::path> paths{root};
    if (fs::is_directory(root)) {
        for (const fs::directory_entry& entry : fs::directory_iterator(root)) {
            if (entry.is_directory()) { paths.push_back(entry.path()); }
        }
    }
    std::sort(paths.begin() + 1, paths.end());
    std::vector<ProfileFolder> folders;
    for (const fs::path& path : paths) {
        std::vector<Profile> profiles = io::load_profiles(path);
        if (!profiles.empty()) { folders.push_back({.path = path, .profiles = std::move(profiles)}); }
    }
    return folders;
}

double fastest(const GpuProfile& gpu) {
    double samples_per_s = 0;
    for (const ProfilePoint& point : gpu.points) {
        samples_per_s = std::max(samples_per_s, static_cast<double>(point.batch.value) / point.seconds.value);
    }
    return samples_per_s;
}

void write_gpu(io::JsonWriter& json, const Name& type, const GpuProfile& gpu) {
    json.begin_object().field("gpu_type", type).key("points").begin_array();
    for (const ProfilePoint& point : gpu.points) {
        json.begin_object().field("batch", point.batch).field("seconds", point.seconds).field("memory_bytes", point.memory).end_object();
    }
    json.end_array().field("scaling_points", gpu.scaling.size()).end_object();
}

void write_model(io::JsonWriter& json, const fs::path& folder, const Profile& profile) {
    json.begin_object().field("model", profile.model).field("folder", folder.string()).field("sample", profile.sample);
    json.field("parameters", profile.parameters > 0 ? std::optional(profile.parameters) : std::nullopt);
    json.field("gradient_bytes", profile.gradient).field("state_bytes", profile.state).field("source", profile.source);
    json.key("gpus").begin_array();
    for (const auto& [type, gpu] : profile.gpus) { write_gpu(json, type, gpu); }
    json.end_array().end_object();
}

void print_json(const Console& console, const std::vector<ProfileFolder>& folders) {
    io::JsonWriter json;
    json.begin_object().field("format", 1).key("models").begin_array();
    for (const ProfileFolder& folder : folders) {
        for (const Profile& profile : folder.profiles) { write_model(json, folder.path, profile); }
    }
    json.end_array().end_object();
    console.print(json.text());
}

std::string describe_gpus(const Profile& profile) {
    std::string text;
    for (const auto& [type, gpu] : profile.gpus) {
        text += fmt::format("{}{} {} ({})", text.empty() ? "" : ", ", type.text(), show_number(fastest(gpu)), gpu.points.size());
    }
    return text;
}

void print_table(const Console& console, const std::vector<ProfileFolder>& folders) {
    Table table({{"model", Align::kLeft},
                 {"folder", Align::kLeft},
                 {"sample", Align::kLeft},
                 {"parameters (million)"},
                 {"best samples/s of one GPU (sizes measured)", Align::kLeft}});
    for (const ProfileFolder& folder : folders) {
        for (const Profile& profile : folder.profiles) {
            const auto millions = profile.parameters > 0 ? std::optional(profile.parameters / 1e6) : std::nullopt;
            table.add_row({profile.model.text(), folder.path.string(), profile.sample, show_number(millions), describe_gpus(profile)});
        }
    }
    console.print(table.text());
}

int run(const Console& console, const std::string& given) {
    const fs::path root = profiles_folder(given);
    const std::vector<ProfileFolder> folders = load_folders(root);
    if (folders.empty()) {
        throw Error(Problem{.file = root.string(), .expected = "profiles (*.yaml with `model:`) in it or one level below"});
    }
    console.json ? print_json(console, folders) : print_table(console, folders);
    return kDone;
}

}  // namespace

Work set_up_models(CLI::App& app, const Console& console) {
    const auto folder = std::make_shared<std::string>();
    app.add_option("--profiles", *folder, "Folder of profiles, or of such folders (default: MEDLEY_PROFILES, else profiles)")
        ->type_name("DIR");
    return [&console, folder] { return run(console, *folder); };
}

}  // namespace medley::cli
