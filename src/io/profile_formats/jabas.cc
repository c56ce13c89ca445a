#include "io/profile_formats/jabas.h"

#include <algorithm>

#include "core/error.h"
#include "io/document.h"
#include "io/profile_formats/profile_files.h"
#include "io/text_file.h"

namespace medley::io {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostSamples = 1'000'000'000;
constexpr std::int64_t kMostWorkers = 100'000;
constexpr double kSecondsPerMillisecond = 1e-3;
constexpr double kBytesPerMib = 1024 * 1024;

std::size_t lines_of(const fs::path& file) {
    const std::string text = read_text_file(file);
    const bool open_end = !text.empty() && text.back() != '\n';
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + (open_end ? 1 : 0);
}

/// False for a file of another kind.
bool add_file(const fs::path& file, ProfileCollection& collection) {
    const std::string name = file.filename();
    if (name.ends_with("_comp_profile.json")) {
        add_jabas_step(read_text_file(file), file.string(), collection);
    } else if (name.ends_with("_bucket_size_profile.json")) {
        add_jabas_buckets(read_text_file(file), file.string(), collection);
    } else if (name == "max_memory_profile_info.json") {
        collection.drop("how many workers fit, without bytes");
    } else if (name.ends_with("_comm_profile_data.txt")) {
        collection.drop("communication times whose meaning the source does not state", lines_of(file));
    } else {
        return false;
    }
    return true;
}

class JabasProfiles final : public ProfileFormat {
 public:
    std::string_view name() const override { return "jabas"; }
    std::string_view description() const override { return "JABAS's profiles of virtual workers (folder, EuroSys 2025)"; }
    ProfileImport import(const fs::path& source, const ProfileImportOptions&) const override {
        ProfileCollection collection;
        bool found = false;
        for (const fs::path& file : sorted_files_below(source)) { found = add_file(file, collection) || found; }
        if (!found) { refuse_folder(source, "..._comp_profile.json files below it"); }
        return collection.finish("forward and backward of one worker, without loading of data");
    }
};

}  // namespace

void add_jabas_step(std::string_view text, const std::string& file, ProfileCollection& collection) {
    naming_file(file, [&] {
        const DocumentNode root = parse_json(text);
        const MeasuredOn on{.model = root.at("model").text(), .gpu_type = root.at("gpu_type").text()};
        const std::int64_t batch = root.at("lbs").whole(1, kMostSamples);
        const double node_ms = root.at("fwd_time").positive_number() + root.at("bwd_time").positive_number();
        const double update_ms = root.at("update_time").positive_number();
        if (root.at("num_models").whole(1, kMostWorkers) > 1) {
            return collection.drop("several concurrent workers: virtual nodes run one after another");
        }
        collection.add_point(on, batch, node_ms * kSecondsPerMillisecond);
        collection.add_update(on, update_ms * kSecondsPerMillisecond);
    });
}

void add_jabas_buckets(std::string_view text, const std::string& file, ProfileCollection& collection) {
    naming_file(file, [&] {
        const DocumentNode root = parse_json(text);
        double mib = 0;
        for (const DocumentNode& bucket : root.at("bucket_size_distribution").list_items()) { mib += bucket.positive_number(); }
        collection.about(root.at("model").text()).gradient = Bytes{mib * kBytesPerMib};
    });
}

const ProfileFormat& jabas_profiles() {
    static const JabasProfiles format;
    return format;
}

}  // namespace medley::io
