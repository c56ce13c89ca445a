#include "io/importers/gavel.h"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "io/csv.h"
#include "io/importers/job_collector.h"
#include "io/importers/record_fields.h"
#include "io/importers/single_file_importer.h"
#include "io/scalar.h"

namespace medley::io {
namespace {

/// Which field, counted from 0, holds what; none where the layout lacks it.
struct Layout {
    std::size_t fields;
    std::size_t steps, scale, arrival;
    std::optional<std::size_t> weight, slo, mode, duration;
};

constexpr Layout kLayouts[] = {
    {.fields = 7, .steps = 4, .scale = 6, .arrival = 5, .weight = {}, .slo = {}, .mode = {}, .duration = {}},
    {.fields = 10, .steps = 5, .scale = 6, .arrival = 9, .weight = 7, .slo = 8, .mode = {}, .duration = {}},
    {.fields = 12, .steps = 5, .scale = 6, .arrival = 11, .weight = 8, .slo = 9, .mode = 7, .duration = 10},
};

struct JobType {
    std::string_view model;
    std::int64_t batch_size = 0;  ///< of one worker; 0 = not stated
};

/// "ResNet-18 (batch size 16)".
JobType parse_type(std::string_view text) {
    constexpr std::string_view kBefore = " (batch size ";
    constexpr std::int64_t kMostSamples = 100'000'000;
    const std::size_t at = text.rfind(kBefore);
    if (at == std::string_view::npos || !text.ends_with(')')) { return {.model = text}; }
    const std::string_view number = text.substr(at + kBefore.size(), text.size() - at - kBefore.size() - 1);
    const auto batch = to_whole(number);
    if (!batch || *batch < 1 || *batch > kMostSamples) { return {.model = text}; }
    return {.model = text.substr(0, at), .batch_size = *batch};
}

class GavelReader {
 public:
    GavelReader(ByteSource& source, const ImportOptions& options)
        : rows_(source, {.separator = '\t', .quotes = false}), jobs_(options, SourceClock::kTraceStart) {
        ImportReport& report = jobs_.report();
        report.files.push_back(source.name());
        report.duration_meaning = "none: work is in steps, whose time comes from profiles";
        report.time_rule = "seconds after the start; no zone";
    }

    Import read() {
        for (std::size_t row = 0; rows_.next(); ++row) { read_row(row); }
        return jobs_.finish();
    }

 private:
    void choose_layout() {
        const std::size_t fields = rows_.cells().size();
        const auto fits = [&](const Layout& layout) { return layout.fields == fields; };
        if (layout_ == nullptr) {
            const auto* found = std::find_if(std::begin(kLayouts), std::end(kLayouts), fits);
            layout_ = found == std::end(kLayouts) ? nullptr : found;
        }
        if (layout_ != nullptr && fits(*layout_)) { return; }
        refuse_value(fmt::format("line {}", rows_.line()), fmt::format("{} fields", fields),
                     layout_ != nullptr ? fmt::format("{}, as in the first line", layout_->fields) : "7, 10 or 12, with tabs between");
    }

    [[noreturn]] void refuse(std::size_t field, std::string_view expected) const {
        refuse_value(fmt::format("line {}, field {}", rows_.line(), field + 1), std::string(rows_.cells()[field]), std::string(expected));
    }

    std::int64_t whole(std::size_t field, std::int64_t most) const {
        const auto value = to_whole(rows_.cells()[field]);
        if (!value || *value < 1 || *value > most) { refuse(field, fmt::format("a whole number from 1 to {}", most)); }
        return *value;
    }

    double number(std::size_t field) const {
        const auto value = to_number(rows_.cells()[field]);
        if (!value) { refuse(field, "a number"); }
        return *value;
    }

    void read_row(std::size_t row) {
        choose_layout();
        constexpr std::int64_t kMostWorkers = 10'000;
        constexpr std::int64_t kMostSteps = 1'000'000'000'000;
        const JobType type = parse_type(rows_.cells()[0]);
        RecordedJob record;
        Job& job = record.job;
        job.id = std::to_string(row);
        job.model = Name(type.model);
        if (job.model.empty()) { refuse(0, "a job type"); }
        job.gpus = static_cast<int>(whole(layout_->scale, kMostWorkers));
        const std::int64_t total = whole(layout_->steps, kMostSteps);
        job.steps = (total + job.gpus - 1) / job.gpus;
        job.batch_size = std::max<std::int64_t>(type.batch_size, 1) * job.gpus;
        if (type.batch_size == 0) { jobs_.change("no batch size in the job type: one sample a step and worker"); }
        if (total % job.gpus != 0) { jobs_.change("total steps are no multiple of the workers: rounded up to whole steps"); }
        const auto arrival = to_time(rows_.cells()[layout_->arrival]);
        if (!arrival || arrival->value < 0) { refuse(layout_->arrival, "a number of seconds of at least 0"); }
        job.submit = *arrival;
        read_options(record);
        jobs_.add(std::move(record));
    }

    void read_options(RecordedJob& record) {
        if (layout_->weight) {
            constexpr double kMostWeight = 1e12;
            const double weight = number(*layout_->weight);
            if (!(weight > 0) || weight > kMostWeight) { refuse(*layout_->weight, "a weight above 0"); }
            record.job.weight = record.job.priority = weight;
        }
        if (layout_->mode) { record.extras.qos = Name(rows_.cells()[*layout_->mode]); }
        if (layout_->duration) { record.extras.unknown_columns.emplace_back(expected_, rows_.cells()[*layout_->duration]); }
        if (layout_->slo && number(*layout_->slo) >= 0) {
            record.extras.unknown_columns.emplace_back(slo_, rows_.cells()[*layout_->slo]);
            jobs_.change("SLO, a multiple of the duration: kept as a column, no deadline without a duration");
        }
    }

    CsvReader rows_;
    JobCollector jobs_;
    const Layout* layout_ = nullptr;
    Name expected_{"expected_duration_s"}, slo_{"slo"};
};

}  // namespace

const Importer& gavel_importer() {
    static const SingleFileImporter importer(
        "gavel", "Gavel 2020 and Shockwave 2023: tab-separated lines of 7, 10 or 12 fields, work in steps",
        [](ByteSource& source, const ImportOptions& options) { return GavelReader(source, options).read(); });
    return importer;
}

}  // namespace medley::io
