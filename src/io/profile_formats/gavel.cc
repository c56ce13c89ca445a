#include "io/profile_formats/gavel.h"

#include <optional>

#include "core/error.h"
#include "io/document.h"
#include "io/profile_formats/profile_collection.h"
#include "io/scalar.h"
#include "io/text_file.h"

namespace medley::io {
namespace {

constexpr std::int64_t kMostGpus = 100'000;
constexpr std::int64_t kMostSamples = 1'000'000'000;
constexpr std::string_view kUnconsolidated = "_unconsolidated";

struct GavelJob {
    std::string model;
    std::int64_t batch = 0;  ///< 0 = not stated
    int gpus = 1;
};

/// The whole number between `before` and `after` at the end of a text, which is cut off there.
std::optional<std::int64_t> take_number(std::string_view& text, std::string_view before, std::string_view after, std::int64_t most) {
    const std::size_t start = text.rfind(before);
    if (start == std::string_view::npos || !text.ends_with(after)) { return std::nullopt; }
    const std::size_t first = start + before.size();
    if (first + after.size() > text.size()) { return std::nullopt; }
    const auto number = to_whole(text.substr(first, text.size() - first - after.size()));
    if (!number || *number < 1 || *number > most) { return std::nullopt; }
    text = text.substr(0, start);
    return number;
}

GavelJob parse_job_key(const DocumentNode& node) {
    std::string_view text = node.key();
    const auto gpus = take_number(text, "', ", ")", kMostGpus);
    if (!gpus || !text.starts_with("('") || text.size() < 3) {
        refuse_value(node.place(), node.key(), "a job type and its number of GPUs, as in ('LM (batch size 5)', 1)");
    }
    text.remove_prefix(2);
    const auto batch = take_number(text, " (batch size ", ")", kMostSamples);
    if (text.empty()) { refuse_value(node.place(), node.key(), "a job type with a name"); }
    return {.model = std::string(text), .batch = batch.value_or(0), .gpus = static_cast<int>(*gpus)};
}

void add_alone(const DocumentNode& node, const GavelJob& job, const std::string& gpu_type, ProfileCollection& collection) {
    const double steps_per_s = node.number();
    if (steps_per_s < 0) { node.refuse("a rate of at least 0"); }
    if (steps_per_s == 0) { return collection.drop("a rate of 0: the job does not run on this type"); }
    const std::int64_t batch = std::max<std::int64_t>(job.batch, 1);
    if (job.batch == 0) { collection.change("no batch size stated: one sample a step"); }
    const MeasuredOn on{.model = job.model, .gpu_type = gpu_type};
    const double samples_per_s = steps_per_s * static_cast<double>(batch);
    if (job.gpus > 1) { return collection.add_rate(on, job.gpus, batch * job.gpus, samples_per_s); }
    collection.add_point(on, batch, 1 / steps_per_s);
    collection.add_rate_beside(on, 1, batch, samples_per_s);
}

void add_job(const DocumentNode& node, const std::string& gpu_type, bool consolidated, ProfileCollection& collection) {
    const GavelJob job = parse_job_key(node);
    for (const DocumentNode& other : node.map_entries()) {
        if (!consolidated) {
            collection.drop("GPUs on different servers (_unconsolidated)");
        } else if (other.key() == "null") {
            add_alone(other, job, gpu_type, collection);
        } else {
            collection.drop("rates of two jobs that share GPUs");
        }
    }
}

class GavelProfiles final : public ProfileFormat {
 public:
    std::string_view name() const override { return "gavel"; }
    std::string_view description() const override { return "Gavel's throughputs (JSON file, OSDI 2020)"; }
    ProfileImport import(const std::filesystem::path& source, const ProfileImportOptions&) const override {
        return import_gavel_profiles(read_text_file(source), source.string());
    }
};

}  // namespace

ProfileImport import_gavel_profiles(std::string_view text, const std::string& file) {
    return naming_file(file, [&] {
        const DocumentNode root = parse_json(without_byte_order_mark(text));
        ProfileCollection collection;
        for (const DocumentNode& type : root.map_entries()) {
            const bool consolidated = !type.key().ends_with(kUnconsolidated);
            for (const DocumentNode& job : type.map_entries()) { add_job(job, type.key(), consolidated, collection); }
        }
        return collection.finish("whole training steps of one job by itself");
    });
}

const ProfileFormat& gavel_profiles() {
    static const GavelProfiles format;
    return format;
}

}  // namespace medley::io
