#include "io/profile_formats/throughputs.h"

#include <map>
#include <set>

#include <fmt/format.h>

#include "core/error.h"
#include "io/csv_table.h"
#include "io/profile_formats/profile_collection.h"
#include "io/scalar.h"
#include "io/text_file.h"

namespace medley::io {
namespace {

constexpr std::int64_t kMostSamples = 1'000'000'000;
constexpr double kFastest = 1e15;
constexpr double kSlowest = 1e-9;

struct Row {
    std::string gpu;
    std::string model;
    std::string precision;
    std::string publisher;
    std::int64_t batch = 0;
    double samples_per_s = 0;
};

std::string publisher_of(std::string_view source) { return std::string(source.substr(0, source.find_first_of("@: "))); }

class ThroughputReader {
 public:
    ThroughputReader(std::string_view text, const ProfileImportOptions& options) : table_(text), options_(options) {
        gpu_ = table_.require("gpu");
        model_ = table_.require("model");
        batch_ = table_.require("local_batch_size");
        precision_ = table_.require("precision");
        rate_ = table_.require("samples_per_sec");
        source_ = table_.require("source");
    }

    ProfileImport read() {
        while (table_.next()) { read_row(); }
        for (const Row& row : rows_) { add(row); }
        return collection_.finish("whole training steps on one GPU");
    }

 private:
    void read_row() {
        Row row{.gpu = text(gpu_), .model = text(model_), .precision = text(precision_), .publisher = publisher_of(text(source_))};
        row.samples_per_s = read_rate();
        if (row.gpu.empty() || row.model.empty()) { return collection_.drop("no GPU or no model named"); }
        if (!options_.precision.empty() && row.precision != options_.precision) { return collection_.drop("of another precision"); }
        if (!options_.publisher.empty() && row.publisher != options_.publisher) { return collection_.drop("of another publisher"); }
        if (table_.cell(batch_).empty()) { return collection_.drop("no batch size stated"); }
        row.batch = read_batch();
        kinds_[row.model].emplace(row.precision, row.publisher);
        rows_.push_back(std::move(row));
    }

    std::string text(std::size_t column) const { return std::string(table_.cell(column)); }
    double read_rate() const {
        const auto rate = to_number(table_.cell(rate_));
        if (!rate || !(*rate >= kSlowest && *rate <= kFastest)) { table_.refuse(rate_, "a number of samples a second above 0"); }
        return *rate;
    }
    std::int64_t read_batch() const {
        const auto batch = to_whole(table_.cell(batch_));
        if (!batch || *batch < 1 || *batch > kMostSamples) { table_.refuse(batch_, "a whole number of at least 1"); }
        return *batch;
    }

    void add(const Row& row) {
        const bool alone = kinds_.at(row.model).size() == 1;
        const std::string model = alone ? row.model : fmt::format("{} ({}, {})", row.model, row.precision, row.publisher);
        collection_.about(model).source = fmt::format("{}, precision {}", row.publisher, row.precision);
        collection_.add_point({.model = model, .gpu_type = row.gpu}, row.batch, static_cast<double>(row.batch) / row.samples_per_s);
    }

    CsvTable table_;
    const ProfileImportOptions& options_;
    std::size_t gpu_ = 0, model_ = 0, batch_ = 0, precision_ = 0, rate_ = 0, source_ = 0;
    std::vector<Row> rows_;
    std::map<std::string, std::set<std::pair<std::string, std::string>>> kinds_;  ///< of each model: precision and publisher
    ProfileCollection collection_;
};

class ThroughputProfiles final : public ProfileFormat {
 public:
    std::string_view name() const override { return "throughputs"; }
    std::string_view description() const override { return "collected rates of single GPUs (CSV file)"; }
    ProfileImport import(const std::filesystem::path& source, const ProfileImportOptions& options) const override {
        return import_throughputs(read_text_file(source), source.string(), options);
    }
};

}  // namespace

ProfileImport import_throughputs(std::string_view text, const std::string& file, const ProfileImportOptions& options) {
    return naming_file(file, [&] { return ThroughputReader(text, options).read(); });
}

const ProfileFormat& throughput_profiles() {
    static const ThroughputProfiles format;
    return format;
}

}  // namespace medley::io
