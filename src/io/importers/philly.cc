#include "io/importers/philly.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <simdjson.h>

#include "core/error.h"
#include "io/csv_table.h"
#include "io/importers/job_collector.h"
#include "io/importers/record_fields.h"
#include "io/json_stream.h"
#include "io/text_file.h"

namespace medley::io {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr const char* kPacific = "PST8PDT,M3.2.0,M11.1.0";
static_assert(TextWindow::kPadding >= simdjson::SIMDJSON_PADDING);

struct Attempt {
    std::optional<SimTime> start, end;
    int gpus = 0;

    bool whole() const { return start && end; }
    Seconds duration() const { return to_seconds(*end - *start); }
};

struct PhillyJob {
    std::string id, status, tenant, user;
    std::optional<SimTime> submit;
    std::vector<Attempt> attempts;
};

/// The highest GPU seen of each machine, counted from 1.
using GpusSeen = std::map<std::string, int, std::less<>>;

class PhillyReader {
 public:
    PhillyReader(ByteSource& source, const ImportOptions& options)
        : json_(source),
          retries_(options.retries),
          zone_(options.time_zone.empty() ? kPacific : options.time_zone),
          jobs_(options, SourceClock::k1970, zone_) {
        fill_report(source.name());
    }

    void read_jobs() {
        json_.expect('[');
        while (json_.more(']')) { read_record(); }
        json_.expect_end();
    }

    const GpusSeen& gpus_seen() const { return gpus_seen_; }
    JobCollector& jobs() { return jobs_; }

 private:
    void fill_report(const std::string& file) {
        ImportReport& report = jobs_.report();
        report.files.push_back(file);
        report.time_rule = fmt::format("wall clock without zone, read as {}", zone_.text());
        switch (retries_) {
            case Retries::kSum:
                report.duration_meaning = "the sum of the attempts that have a start and an end, without the gaps between";
                break;
            case Retries::kSpan: report.duration_meaning = "first start to last end, gaps between attempts included"; break;
            case Retries::kSeparate: report.duration_meaning = "start to end of one attempt"; break;
        }
    }

    void read_record() {
        json_.peek();
        const std::size_t line = json_.line();
        const std::string_view text = json_.value();
        try {
            parse(text);
        } catch (const simdjson::simdjson_error& error) {
            refuse_value(fmt::format("line {}", line), std::string(text.substr(0, 40)), fmt::format("a job record ({})", error.what()));
        }
        add();
    }

    // Views and documents end with this function: everything is copied into `job_`.
    void parse(std::string_view text) {
        job_ = {};
        ondemand::document document = parser_.iterate(text.data(), text.size(), text.size() + TextWindow::kPadding);
        for (auto field : document.get_object()) {
            const std::string_view key = field.unescaped_key();
            if (key == "jobid") {
                job_.id = read_text(field.value());
            } else if (key == "status") {
                job_.status = read_text(field.value());
            } else if (key == "vc") {
                job_.tenant = read_text(field.value());
            } else if (key == "user") {
                job_.user = read_text(field.value());
            } else if (key == "submitted_time") {
                job_.submit = read_time(field.value());
            } else if (key == "attempts") {
                read_attempts(field.value());
            }
        }
    }

    static std::string_view read_text(ondemand::value value) {
        if (value.is_null()) { return {}; }
        const std::string_view text = value.get_string();
        return is_missing(text) ? std::string_view() : text;
    }

    std::optional<SimTime> read_time(ondemand::value value) {
        const std::string_view text = read_text(value);
        if (text.empty()) { return std::nullopt; }
        const auto time = parse_civil_time(text);
        if (!time) { refuse_value(fmt::format("line {}", json_.line()), std::string(text), "a time such as 2017-10-07 01:12:09"); }
        return zone_.to_utc(*time);
    }

    void read_attempts(ondemand::value value) {
        for (ondemand::object attempt : value.get_array()) {
            Attempt read;
            for (auto field : attempt) {
                const std::string_view key = field.unescaped_key();
                if (key == "start_time") {
                    read.start = read_time(field.value());
                } else if (key == "end_time") {
                    read.end = read_time(field.value());
                } else if (key == "detail") {
                    read.gpus = read_detail(field.value());
                }
            }
            job_.attempts.push_back(read);
        }
    }

    int read_detail(ondemand::value value) {
        int gpus = 0;
        for (ondemand::object server : value.get_array()) {
            std::string_view machine;
            int highest = 0;
            for (auto field : server) {
                const std::string_view key = field.unescaped_key();
                if (key == "ip") {
                    machine = read_text(field.value());
                } else if (key == "gpus") {
                    for (const std::string_view gpu : field.value().get_array()) {
                        ++gpus;
                        highest = std::max(highest, gpu_number(gpu) + 1);
                    }
                }
            }
            see(machine, highest);
        }
        return gpus;
    }

    // "gpu7" is 7; any other name tells nothing.
    static int gpu_number(std::string_view name) {
        constexpr std::string_view kPrefix = "gpu";
        const bool numbered = name.starts_with(kPrefix) && name.size() > kPrefix.size() && name.size() <= kPrefix.size() + 3;
        int number = 0;
        for (const char c : numbered ? name.substr(kPrefix.size()) : std::string_view()) {
            if (c < '0' || c > '9') { return -1; }
            number = number * 10 + (c - '0');
        }
        return numbered ? number : -1;
    }

    void see(std::string_view machine, int gpus) {
        const auto found = gpus_seen_.find(machine);
        if (found != gpus_seen_.end()) {
            found->second = std::max(found->second, gpus);
        } else if (!machine.empty()) {
            gpus_seen_.emplace(machine, gpus);
        }
    }

    void add() {
        drop_reversed_attempts();
        if (job_.attempts.empty()) { return jobs_.drop("never ran"); }
        if (retries_ == Retries::kSeparate) { return add_attempts(); }
        const Attempt& last = job_.attempts.back();
        RecordedJob record = record_of(job_.id);
        if (last.start && !last.end) { record.running_since = last.start; }
        const auto longest = longest_whole_attempt();
        if (longest == nullptr && !record.running_since) { return jobs_.drop("no attempt has a start and an end"); }
        record.job.gpus = longest != nullptr ? longest->gpus : last.gpus;
        note_changing_gpus(record.job.gpus);
        set_times(record);
        jobs_.add(std::move(record));
    }

    RecordedJob record_of(std::string id) const {
        RecordedJob record;
        record.job.id = std::move(id);
        record.job.submit = job_.submit.value_or(SimTime{-1});
        record.extras.recorded_state = Name(job_.status);
        record.extras.tenant = Name(job_.tenant);
        record.extras.user = Name(job_.user);
        return record;
    }

    void drop_reversed_attempts() {
        for (Attempt& attempt : job_.attempts) {
            if (!attempt.whole() || *attempt.end >= *attempt.start) { continue; }
            jobs_.change("an attempt ended before it started: taken to have no end");
            attempt.end.reset();
        }
    }

    const Attempt* longest_whole_attempt() const {
        const Attempt* longest = nullptr;
        for (const Attempt& attempt : job_.attempts) {
            if (attempt.whole() && (longest == nullptr || attempt.duration() > longest->duration())) { longest = &attempt; }
        }
        return longest;
    }

    void note_changing_gpus(int gpus) {
        const auto differs = [&](const Attempt& attempt) { return attempt.whole() && attempt.gpus != gpus; };
        if (std::any_of(job_.attempts.begin(), job_.attempts.end(), differs)) {
            jobs_.change("attempts on different numbers of GPUs: those of the longest");
        }
    }

    void set_times(RecordedJob& record) {
        std::optional<SimTime> first, last;
        Seconds sum;
        bool partial = false;
        for (const Attempt& attempt : job_.attempts) {
            if (attempt.start && (!first || *attempt.start < *first)) { first = attempt.start; }
            if (attempt.end && (!last || *attempt.end > *last)) { last = attempt.end; }
            if (attempt.whole()) { sum += attempt.duration(); }
            partial = partial || (!attempt.whole() && &attempt != &job_.attempts.back());
        }
        record.extras.recorded_start = first;
        if (!record.running_since) { record.extras.recorded_end = last; }
        record.job.duration = sum;
        if (retries_ == Retries::kSpan) {
            record.job.duration = first && last ? to_seconds(*last - *first) : Seconds{-1};
            if (record.running_since) { record.job.duration = to_seconds(*record.running_since - *first); }
        } else if (partial) {
            jobs_.change("attempts without a start or an end: counted as nothing");
        }
    }

    void add_attempts() {
        std::optional<SimTime> submit = job_.submit;
        for (std::size_t index = 0; index < job_.attempts.size(); ++index) {
            const Attempt& attempt = job_.attempts[index];
            RecordedJob record = record_of(fmt::format("{}.{}", job_.id, index + 1));
            record.job.submit = submit.value_or(SimTime{-1});
            record.job.gpus = attempt.gpus;
            record.job.duration = attempt.whole() ? attempt.duration() : Seconds{-1};
            record.extras.recorded_start = attempt.start;
            record.extras.recorded_end = attempt.end;
            if (index + 1 == job_.attempts.size() && attempt.start && !attempt.end) { record.running_since = attempt.start; }
            jobs_.add(std::move(record));
            submit = attempt.end ? attempt.end : attempt.start ? attempt.start : submit;
        }
    }

    JsonStream json_;
    Retries retries_;
    ZoneRule zone_;
    JobCollector jobs_;
    ondemand::parser parser_;
    PhillyJob job_;
    GpusSeen gpus_seen_;
};

/// "m31,8, 24GB": machines of equal memory and size are one group.
Cluster read_machines(ByteSource& source, const GpusSeen& seen, JobCollector& jobs) {
    CsvTable table(source);
    const std::size_t machine = table.require("machineId");
    const std::size_t listed = table.require("number of GPUs");
    const std::size_t memory = table.require("single GPU mem");
    std::map<std::pair<std::string, int>, int> machines;
    std::size_t corrected = 0;
    while (table.next()) {
        constexpr std::int64_t kMostGpus = 1000;
        int gpus = static_cast<int>(read_count(table, listed, kMostGpus).value_or(0));
        if (const auto used = seen.find(table.cell(machine)); used != seen.end() && used->second > gpus) {
            gpus = used->second;
            ++corrected;
        }
        if (gpus > 0) { ++machines[{std::string(table.cell(memory)), gpus}]; }
    }
    if (corrected > 0) {
        jobs.report().notes.push_back(fmt::format("{} machines have more GPUs in use than listed: counted as used", corrected));
    }
    Cluster cluster{.name = "philly", .gpu_types = {}, .nodes = {}, .network = {}};
    for (const auto& [kind, count] : machines) {
        const auto& [type, gpus] = kind;
        if (!cluster.find(type)) { cluster.gpu_types.push_back(GpuType{.name = Name(type)}); }
        cluster.nodes.push_back({.name = fmt::format("{}x{}", type, gpus), .count = count, .gpu = *cluster.find(type), .gpus = gpus});
    }
    return cluster;
}

class PhillyImporter final : public Importer {
 public:
    std::string_view name() const override { return "philly"; }
    std::string_view description() const override {
        return "Microsoft Philly 2017: cluster_job_log (JSON), with cluster_machine_list beside it";
    }

    Import import(const ImportSource& source, const ImportOptions& options) const override {
        ByteSource log = source.is_folder() ? source.require("cluster_job_log") : source.open();
        return naming_file(log.name(), [&] {
            PhillyReader reader(log, options);
            reader.read_jobs();
            return reader.jobs().finish(read_cluster(source, reader));
        });
    }

 private:
    static std::optional<Cluster> read_cluster(const ImportSource& source, PhillyReader& reader) {
        auto list = source.find("cluster_machine_list");
        if (!list) { return std::nullopt; }
        reader.jobs().report().files.push_back(list->name());
        Cluster cluster = naming_file(list->name(), [&] { return read_machines(*list, reader.gpus_seen(), reader.jobs()); });
        return cluster.nodes.empty() ? std::nullopt : std::optional(std::move(cluster));
    }
};

}  // namespace

const Importer& philly_importer() {
    static const PhillyImporter importer;
    return importer;
}

}  // namespace medley::io
