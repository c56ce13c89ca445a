#include "io/importers/batsim.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <simdjson.h>

#include "core/error.h"
#include "io/importers/job_collector.h"
#include "io/importers/record_fields.h"
#include "io/importers/single_file_importer.h"
#include "io/json_stream.h"
#include "io/scalar.h"

namespace medley::io {
namespace {

namespace ondemand = simdjson::ondemand;

struct BatsimJob {
    std::string id, profile;
    double submit = -1;
    std::optional<double> walltime;
    std::int64_t resources = 0;
};

struct BatsimProfile {
    std::string type;
    std::optional<double> delay, expected;
    double repeat = 1;
    std::vector<std::string> parts;
};

class BatsimReader {
 public:
    BatsimReader(ByteSource& source, const ImportOptions& options) : json_(source), jobs_(options, SourceClock::kTraceStart) {
        ImportReport& report = jobs_.report();
        report.files.push_back(source.name());
        report.duration_meaning = "the profile's delay, its parts' in sequence, or its expected_execution_time; cut at the walltime";
        report.time_rule = "seconds after the start; no zone";
        report.notes.emplace_back("a resource counts as a GPU");
    }

    Import read() {
        json_.expect('{');
        while (json_.more('}')) { read_member(json_.key()); }
        json_.expect_end();
        for (BatsimJob& job : records_) { add(job); }
        return jobs_.finish(cluster());
    }

 private:
    void read_member(const std::string& key) {
        if (key == "jobs") {
            json_.expect('[');
            while (json_.more(']')) {
                read_object("a job", [this](ondemand::object object) { read_job(object); });
            }
        } else if (key == "profiles") {
            json_.expect('{');
            while (json_.more('}')) {
                const std::string name = json_.key();
                read_object("a profile", [&](ondemand::object object) { profiles_[name] = read_profile(object); });
            }
        } else if (key == "nb_res") {
            resources_ = read_resources();
        } else {
            json_.value();
        }
    }

    std::int64_t read_resources() {
        const auto count = to_whole(json_.value());
        if (!count || *count < 0 || *count > kMostRecordedGpus) {
            refuse_value(fmt::format("line {}, nb_res", json_.line()), "", fmt::format("a whole number from 0 to {}", kMostRecordedGpus));
        }
        return *count;
    }

    template <class Read>
    void read_object(const char* what, const Read& read) {
        json_.peek();
        const std::size_t line = json_.line();
        const std::string_view text = json_.value();
        try {
            ondemand::document document = parser_.iterate(text.data(), text.size(), text.size() + TextWindow::kPadding);
            read(document.get_object());
        } catch (const simdjson::simdjson_error& error) {
            refuse_value(fmt::format("line {}", line), std::string(text.substr(0, 40)), fmt::format("{} ({})", what, error.what()));
        }
    }

    static double seconds(ondemand::value value) {
        const double number = value.get_double();
        if (!(number >= 0) || number > kLongestSeconds) { throw simdjson::simdjson_error(simdjson::NUMBER_OUT_OF_RANGE); }
        return number;
    }

    // A number or a text.
    static std::string read_id(ondemand::value value) {
        if (value.type() == ondemand::json_type::string) { return std::string(std::string_view(value.get_string())); }
        const std::int64_t number = value.get_int64();
        return std::to_string(number);
    }

    void read_job(ondemand::object object) {
        BatsimJob job;
        for (auto field : object) {
            const std::string_view key = field.unescaped_key();
            if (key == "id") {
                job.id = read_id(field.value());
            } else if (key == "subtime") {
                job.submit = seconds(field.value());
            } else if (key == "walltime") {
                const double limit = field.value().get_double();  // -1 = none
                if (limit > 0 && limit <= kLongestSeconds) { job.walltime = limit; }
            } else if (key == "res") {
                job.resources = field.value().get_int64();
            } else if (key == "profile") {
                job.profile = std::string_view(field.value().get_string());
            }
        }
        if (job.resources < 0 || job.resources > kMostRecordedGpus) { throw simdjson::simdjson_error(simdjson::NUMBER_OUT_OF_RANGE); }
        records_.push_back(std::move(job));
    }

    static BatsimProfile read_profile(ondemand::object object) {
        BatsimProfile profile;
        for (auto field : object) {
            const std::string_view key = field.unescaped_key();
            if (key == "type") {
                profile.type = std::string_view(field.value().get_string());
            } else if (key == "delay") {
                profile.delay = seconds(field.value());
            } else if (key == "expected_execution_time") {
                profile.expected = seconds(field.value());
            } else if (key == "repeat" || key == "nb") {
                profile.repeat = seconds(field.value());
            } else if (key == "seq") {
                for (const std::string_view part : field.value().get_array()) { profile.parts.emplace_back(part); }
            }
        }
        return profile;
    }

    /// The run time of a profile; none if only a platform would tell. Circles of sequences end at a depth that no workload has, and shared
    /// parts are worked out once.
    std::optional<double> run_time(const std::string& name, int depth = 0) {
        constexpr int kDeepest = 64;
        if (const auto known = run_times_.find(name); known != run_times_.end()) { return known->second; }
        const auto found = profiles_.find(name);
        if (found == profiles_.end() || depth > kDeepest) { return std::nullopt; }
        const BatsimProfile& profile = found->second;
        std::optional<double> time = profile.expected;
        if (profile.delay && (profile.type == "DelayProfile" || profile.type == "delay")) {
            time = profile.delay;
        } else if (!profile.parts.empty()) {
            std::optional<double> sum = 0;
            for (const std::string& part : profile.parts) {
                const auto each = run_time(part, depth + 1);
                sum = sum && each ? std::optional(*sum + *each) : std::nullopt;
            }
            if (sum) { time = *sum * profile.repeat; }
        }
        if (time && !(*time <= kLongestSeconds)) { time.reset(); }
        run_times_[name] = time;
        return time;
    }

    void add(BatsimJob& job) {
        const auto time = run_time(job.profile);
        if (!time) {
            return jobs_.drop(profiles_.contains(job.profile) ? "run time depends on the platform" : "profile is not in the file");
        }
        RecordedJob record;
        record.job.id = std::move(job.id);
        record.job.submit = job.submit < 0 ? SimTime{-1} : to_sim_time(Seconds{job.submit});
        record.job.gpus = static_cast<int>(job.resources);
        record.job.duration = Seconds{*time};
        if (job.walltime) {
            record.job.walltime = Seconds{*job.walltime};
            if (*job.walltime < *time) {
                record.job.duration = *record.job.walltime;
                jobs_.change("longer than its walltime: cut there, as Batsim kills it");
            }
        }
        jobs_.add(std::move(record));
    }

    std::optional<Cluster> cluster() const {
        if (resources_ == 0) { return std::nullopt; }
        Cluster cluster{.name = "batsim", .gpu_types = {GpuType{.name = Name("GPU")}}, .nodes = {}, .network = {}};
        cluster.nodes.push_back({.name = "resource", .count = static_cast<int>(resources_), .gpu = GpuTypeId(0), .gpus = 1});
        return cluster;
    }

    JsonStream json_;
    JobCollector jobs_;
    ondemand::parser parser_;
    std::int64_t resources_ = 0;
    std::vector<BatsimJob> records_;
    std::map<std::string, BatsimProfile> profiles_;
    std::map<std::string, std::optional<double>> run_times_;
};

}  // namespace

const Importer& batsim_importer() {
    static const SingleFileImporter importer(
        "batsim", "Batsim's JSON workloads: nb_res, jobs and profiles",
        [](ByteSource& source, const ImportOptions& options) { return BatsimReader(source, options).read(); });
    return importer;
}

}  // namespace medley::io
