#include "io/profile_formats/sia.h"

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "io/csv_table.h"
#include "io/profile_formats/profile_files.h"
#include "io/scalar.h"
#include "io/text_file.h"

namespace medley::io {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostSamples = 1'000'000'000;
constexpr std::int64_t kMostReplicas = 100'000;
constexpr const char* kPipelineApplication = "gpt_pmp";

struct Replicas {
    int nodes = 0;
    int replicas = 0;
};

class SiaReader {
 public:
    explicit SiaReader(std::string_view text) : table_(text), placement_(table_.find("placement")) {
        batch_ = table_.require("local_bsz");
        step_ = table_.require("step_time");
        sync_ = table_.require("sync_time");
        if (placement_) { return; }
        nodes_ = table_.require("num_nodes");
        replicas_ = table_.require("num_replicas");
    }

    void read(const MeasuredOn& on, ProfileCollection& collection) {
        while (table_.next()) { read_row(on, collection); }
    }

 private:
    void read_row(const MeasuredOn& on, ProfileCollection& collection) {
        const std::int64_t batch = read_whole(batch_, kMostSamples);
        const double step_s = read_seconds(step_);
        const double sync_s = read_seconds(sync_);
        const Replicas of = read_replicas();
        if (!(sync_s < step_s)) { return collection.drop("sync_time is not below step_time"); }
        const std::int64_t global_batch = batch * of.replicas;
        const double samples_per_s = static_cast<double>(global_batch) / step_s;
        if (of.replicas > 1) { return collection.add_rate(on, of.replicas, global_batch, samples_per_s, of.nodes); }
        collection.add_point(on, batch, step_s - sync_s);
        collection.add_rate_beside(on, 1, batch, samples_per_s);
    }

    std::int64_t read_whole(std::size_t column, std::int64_t most) const {
        const auto number = to_whole(table_.cell(column));
        if (!number || *number < 1 || *number > most) { table_.refuse(column, "a whole number of at least 1"); }
        return *number;
    }
    double read_seconds(std::size_t column) const {
        const auto number = to_number(table_.cell(column));
        if (!number || *number < 0 || *number > kLongestSeconds) { table_.refuse(column, "a number of seconds of at least 0"); }
        return *number;
    }
    /// One digit a node: the replicas on it.
    Replicas read_placement() const {
        Replicas of;
        for (const char digit : table_.cell(*placement_)) {
            if (digit < '1' || digit > '9') { table_.refuse(*placement_, "digits from 1 to 9, the replicas on each node"); }
            ++of.nodes;
            of.replicas += digit - '0';
        }
        if (of.nodes == 0 || of.replicas > kMostReplicas) { table_.refuse(*placement_, "the replicas on each node, as in 44"); }
        return of;
    }
    Replicas read_replicas() const {
        if (placement_) { return read_placement(); }
        return {.nodes = static_cast<int>(read_whole(nodes_, kMostReplicas)),
                .replicas = static_cast<int>(read_whole(replicas_, kMostReplicas))};
    }

    CsvTable table_;
    std::optional<std::size_t> placement_;
    std::size_t batch_ = 0, step_ = 0, sync_ = 0, nodes_ = 0, replicas_ = 0;
};

/// "dgx-ext" of "placements-dgx-ext.csv"; empty if the name has another beginning.
std::string type_in(const std::string& name, std::string_view beginning) {
    constexpr std::string_view kEnding = ".csv";
    if (!name.starts_with(beginning) || !name.ends_with(kEnding) || name.size() <= beginning.size() + kEnding.size()) { return ""; }
    return name.substr(beginning.size(), name.size() - beginning.size() - kEnding.size());
}

bool holds_placements(const fs::path& folder) {
    const std::vector<fs::path> files = sorted_files(folder);
    return std::any_of(files.begin(), files.end(), [](const fs::path& file) { return !type_in(file.filename(), "placements-").empty(); });
}

std::size_t rows_of(const fs::path& file) {
    return naming_file(file.string(), [&] {
        const std::string text = read_text_file(file);
        CsvTable table(text);
        std::size_t rows = 0;
        while (table.next()) { ++rows; }
        return rows;
    });
}

void add_file(const fs::path& file, const std::string& model, ProfileCollection& collection) {
    const std::string name = file.filename();
    if (!type_in(name, "validation-").empty()) {
        return collection.drop("gradient statistics (validation-*.csv), for which profiles have no place", rows_of(file));
    }
    const std::string placements = type_in(name, "placements-");
    const std::string type = placements.empty() ? type_in(name, "scalability-") : placements;
    if (type.empty()) { return; }
    if (model == kPipelineApplication) {
        return collection.drop("pipeline stages (gpt_pmp), not replicas of a whole model", rows_of(file));
    }
    add_sia_rows(read_text_file(file), file.string(), {.model = model, .gpu_type = type}, collection);
}

void add_application(const fs::path& folder, ProfileCollection& collection) {
    const std::string model = folder.filename().empty() ? folder.parent_path().filename() : folder.filename();
    for (const fs::path& file : sorted_files(folder)) { add_file(file, model, collection); }
}

class SiaProfiles final : public ProfileFormat {
 public:
    std::string_view name() const override { return "sia"; }
    std::string_view description() const override { return "Sia's and Pollux's application profiles (folder of applications, SOSP 2023)"; }
    ProfileImport import(const fs::path& source, const ProfileImportOptions&) const override {
        ProfileCollection collection;
        bool found = holds_placements(source);
        if (found) { add_application(source, collection); }
        for (const fs::path& folder : sorted_folders(source)) {
            if (!holds_placements(folder)) { continue; }
            found = true;
            add_application(folder, collection);
        }
        if (!found) { refuse_folder(source, "placements-TYPE.csv in it, or in folders of applications below"); }
        return collection.finish("steps without their synchronisation");
    }
};

}  // namespace

void add_sia_rows(std::string_view text, const std::string& file, const MeasuredOn& on, ProfileCollection& collection) {
    naming_file(file, [&] { SiaReader(text).read(on, collection); });
}

const ProfileFormat& sia_profiles() {
    static const SiaProfiles format;
    return format;
}

}  // namespace medley::io
