#include "io/profile_formats/sailor.h"

#include "core/error.h"
#include "io/document.h"
#include "io/profile_formats/profile_files.h"
#include "io/scalar.h"
#include "io/text_file.h"

namespace medley::io {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostSamples = 1'000'000'000;
constexpr std::int64_t kMostDegree = 100'000;

std::int64_t whole_key(const DocumentNode& node, std::int64_t most) {
    const auto number = to_whole(node.key());
    if (!number || *number < 1 || *number > most) { refuse_value(node.place(), node.key(), "a whole number of at least 1"); }
    return *number;
}

struct LayerTimes {
    double node_s = 0;
    double update_s = 0;
};

double seconds_in(const DocumentNode& node) {
    const double seconds = node.number();
    if (seconds < 0 || seconds > kLongestSeconds) { node.refuse("a number of seconds of at least 0"); }
    return seconds;
}

LayerTimes sum_of_layers(const DocumentNode& layers) {
    LayerTimes sum;
    for (const DocumentNode& layer : layers.map_entries()) {
        const auto& times = layer.list_items();
        if (times.size() != 3) { layer.refuse("[forward, backward, update] in seconds"); }
        sum.node_s += seconds_in(times[0]) + seconds_in(times[1]);
        sum.update_s += seconds_in(times[2]);
    }
    return sum;
}

fs::path folder_of_models(const fs::path& source) {
    std::error_code ignored;
    return fs::is_directory(source / "profiles", ignored) ? source / "profiles" : source;
}

void add_models_beside(const fs::path& models, ProfileCollection& collection) {
    const fs::path file = models.lexically_normal().parent_path() / "llm_info.json";
    std::error_code ignored;
    if (fs::is_regular_file(file, ignored)) { add_sailor_models(read_text_file(file), file.string(), collection); }
}

class SailorProfiles final : public ProfileFormat {
 public:
    std::string_view name() const override { return "sailor"; }
    std::string_view description() const override { return "Sailor's profiles by layer (folder, SOSP 2025)"; }
    ProfileImport import(const fs::path& source, const ProfileImportOptions&) const override {
        ProfileCollection collection;
        const fs::path models = folder_of_models(source);
        bool found = false;
        for (const fs::path& model : sorted_folders(models)) {
            for (const fs::path& gpu : sorted_folders(model)) {
                const fs::path file = gpu / "profile.json";
                if (!fs::exists(file)) { continue; }
                found = true;
                add_sailor_profile(read_text_file(file), file.string(), {.model = model.filename(), .gpu_type = gpu.filename()},
                                   collection);
            }
        }
        if (!found) { refuse_folder(source, "MODEL/GPU/profile.json in it, or in its folder profiles"); }
        add_models_beside(models, collection);
        return collection.finish("forward and backward summed over layers, without tensor parallelism");
    }
};

}  // namespace

void add_sailor_profile(std::string_view text, const std::string& file, const MeasuredOn& on, ProfileCollection& collection) {
    naming_file(file, [&] {
        const DocumentNode root = parse_json(text);
        for (const DocumentNode& batch : root.map_entries()) {
            const std::int64_t size = whole_key(batch, kMostSamples);
            for (const DocumentNode& degree : batch.map_entries()) {
                const LayerTimes times = sum_of_layers(degree);
                if (whole_key(degree, kMostDegree) > 1) {
                    collection.drop("tensor parallelism: several GPUs for one replica");
                } else if (times.node_s > 0) {
                    collection.add_point(on, size, times.node_s);
                    collection.add_update(on, times.update_s);
                } else {
                    collection.drop("no time in any layer");
                }
            }
        }
    });
}

void add_sailor_models(std::string_view text, const std::string& file, ProfileCollection& collection) {
    naming_file(file, [&] {
        const DocumentNode root = parse_json(text);
        for (const DocumentNode& model : root.map_entries()) {
            const DocumentNode* whole = model.find("1");
            if (whole == nullptr) { continue; }
            Profile& profile = collection.about(model.key());
            profile.sample = "sequence";
            for (const DocumentNode& layer : whole->map_entries()) {
                profile.parameters += layer.at("params_floats").positive_number();
                profile.gradient.value += layer.at("params_bytes").positive_number();
            }
        }
    });
}

const ProfileFormat& sailor_profiles() {
    static const SailorProfiles format;
    return format;
}

}  // namespace medley::io
