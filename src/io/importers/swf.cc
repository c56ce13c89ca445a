#include "io/importers/swf.h"

#include <optional>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "io/importers/job_collector.h"
#include "io/importers/record_fields.h"
#include "io/importers/single_file_importer.h"
#include "io/line_reader.h"
#include "io/scalar.h"

namespace medley::io {
namespace {

/// The standard's numbers of the fields.
enum Field : std::size_t {
    kJob = 1,
    kSubmit = 2,
    kWait = 3,
    kRun = 4,
    kProcessors = 5,
    kProcessorsAsked = 8,
    kTimeAsked = 9,
    kStatus = 11,
    kUser = 12,
    kGroup = 13,
    kQueue = 15,
    kPartition = 16,
    kPreceding = 17,
    kLast = 18,
    kGpus = 19,
};

constexpr std::string_view kUnknown = "-1";

Name state_name(std::string_view status) {
    if (status == "0") { return Name("FAILED"); }
    if (status == "1") { return Name("COMPLETED"); }
    if (status == "5") { return Name("CANCELLED"); }
    return Name(status == kUnknown ? "" : status);
}

class SwfReader {
 public:
    SwfReader(ByteSource& source, const ImportOptions& options) : lines_(source), options_(options), file_(source.name()) {}

    Import read() {
        while (next_line()) { read_job(); }
        if (!jobs_) { open_collector(); }
        fill_report();
        return jobs_->finish();
    }

 private:
    /// Goes to the next line with fields; notes header lines on the way.
    bool next_line() {
        while (lines_.next()) {
            split();
            if (!fields_.empty() && !fields_[0].starts_with(';')) { return true; }
            read_header();
        }
        return false;
    }

    void split() {
        constexpr std::string_view kBlanks = " \t";
        fields_.clear();
        const std::string_view text = lines_.text();
        for (std::size_t at = text.find_first_not_of(kBlanks); at < text.size(); at = text.find_first_not_of(kBlanks, at)) {
            const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
            fields_.push_back(text.substr(at, end - at));
            at = end;
            if (fields_.size() == kGpus) { return; }  // what may follow is of no standard
        }
    }

    void read_header() {
        const auto value_of = [&](std::string_view key) -> std::string {
            std::string_view text = lines_.text();
            const std::size_t at = text.find(key);
            if (at == std::string_view::npos) { return {}; }
            text.remove_prefix(at + key.size());
            while (text.starts_with(' ')) { text.remove_prefix(1); }
            while (text.ends_with(' ')) { text.remove_suffix(1); }
            return std::string(text);
        };
        if (std::string start = value_of("UnixStartTime:"); !start.empty()) { start_ = std::move(start); }
        if (std::string zone = value_of("TimeZoneString:"); !zone.empty()) { zone_ = std::move(zone); }
    }

    std::string_view field(Field number) const { return fields_[number - 1]; }
    bool known(Field number) const { return fields_.size() >= number && field(number) != kUnknown; }

    [[noreturn]] void refuse(Field number, std::string_view expected) const {
        refuse_value(fmt::format("line {}, field {}", lines_.line(), static_cast<std::size_t>(number)), std::string(field(number)),
                     std::string(expected));
    }

    // Public files hold other negative times than -1.
    std::optional<SimTime> moment(Field number) {
        if (!known(number)) { return std::nullopt; }
        const auto time = to_time(field(number));
        if (!time) { refuse(number, "a number of seconds, or -1"); }
        if (time->value >= 0) { return time; }
        jobs_->change("a negative time other than -1: not known");
        return std::nullopt;
    }

    std::optional<std::int64_t> count(Field number) const {
        if (!known(number)) { return std::nullopt; }
        const auto value = to_whole(field(number));
        if (!value || *value < 0 || *value > kMostRecordedGpus) { refuse(number, "a whole number, or -1"); }
        return value;
    }

    Name label(Field number) const { return Name(known(number) ? field(number) : std::string_view()); }

    void read_job() {
        if (fields_.size() < kLast) {
            refuse_value(fmt::format("line {}", lines_.line()), fmt::format("{} fields", fields_.size()), "at least 18");
        }
        if (!jobs_) { open_collector(); }
        const std::string_view status = field(kStatus);
        if (status == "2" || status == "3" || status == "4") {
            return jobs_->drop("part of a checkpointed job that has a line of its own");
        }
        RecordedJob record;
        record.job.id = field(kJob);
        record.job.submit = moment(kSubmit).value_or(SimTime{-1});
        record.job.gpus = read_gpus();
        const auto run = moment(kRun);
        record.job.duration = run ? to_seconds(*run) : Seconds{-1};
        if (const auto asked = moment(kTimeAsked); asked && asked->value > 0) { record.job.walltime = to_seconds(*asked); }
        read_extras(record, run);
        read_preceding(record);
        if (const auto number = to_whole(record.job.id); number && record.extras.recorded_end) {
            ends_.emplace(*number, *record.extras.recorded_end);
        }
        jobs_->add(std::move(record));
    }

    int read_gpus() {
        const bool has_gpus = fields_.size() >= kGpus && to_whole(field(kGpus)).has_value();
        if (has_gpus) { return static_cast<int>(count(kGpus).value_or(0)); }
        auto processors = count(kProcessors);
        if (!processors) {
            processors = count(kProcessorsAsked);
            if (processors) { jobs_->change("processors used are not known: those asked for"); }
        }
        return static_cast<int>(processors.value_or(0));
    }

    void read_extras(RecordedJob& record, const std::optional<SimTime>& run) {
        JobExtras& extras = record.extras;
        extras.recorded_state = state_name(field(kStatus));
        extras.user = label(kUser);
        extras.tenant = label(kGroup);
        extras.qos = label(kQueue);
        extras.partition = label(kPartition);
        const auto wait = moment(kWait);
        if (!wait || record.job.submit.value < 0) { return; }
        extras.recorded_start = record.job.submit + *wait;
        if (run) { extras.recorded_end = *extras.recorded_start + *run; }
    }

    /// A job waits for another only if that one had ended when it was submitted: what files without the field's meaning put there is no
    /// dependency.
    void read_preceding(RecordedJob& record) {
        if (!known(kPreceding)) { return; }
        const auto number = to_whole(field(kPreceding));
        const auto found = number ? ends_.find(*number) : ends_.end();
        if (found == ends_.end() || found->second > record.job.submit) {
            return jobs_->change("the preceding job had not ended when it was submitted: no dependency");
        }
        record.extras.depends_on.emplace_back(field(kPreceding));
    }

    /// The first job tells the clock of a file without header.
    void open_collector() {
        constexpr double kYear2000 = 946'684'800;
        const auto first = fields_.size() < kLast ? std::nullopt : to_number(field(kSubmit));
        unix_time_ = start_.empty() && first.value_or(0) >= kYear2000;
        jobs_.emplace(options_, unix_time_ ? SourceClock::k1970 : SourceClock::kTraceStart);
    }

    void fill_report() {
        ImportReport& report = jobs_->report();
        report.files.push_back(file_);
        report.duration_meaning = "field 4: wall seconds from start to end";
        const std::string zone = zone_.empty() ? "" : fmt::format(", in {}", zone_);
        report.time_rule =
            unix_time_ ? "Unix time (no header states UnixStartTime)"
                       : fmt::format("seconds after the trace's start (UnixStartTime {}{})", start_.empty() ? "not stated" : start_, zone);
        report.notes.emplace_back("a processor counts as a GPU, unless field 19 is a number of GPUs");
    }

    LineReader lines_;
    const ImportOptions& options_;
    std::string file_;
    std::vector<std::string_view> fields_;
    std::string start_, zone_;
    bool unix_time_ = false;
    std::optional<JobCollector> jobs_;
    std::unordered_map<std::int64_t, SimTime> ends_;  // recorded, of the jobs so far
};

}  // namespace

const Importer& swf_importer() {
    static const SingleFileImporter importer(
        "swf", "Standard Workload Format: 18 numbers a line; processors, no GPUs",
        [](ByteSource& source, const ImportOptions& options) { return SwfReader(source, options).read(); });
    return importer;
}

}  // namespace medley::io
