#include "io/results/event_log_reader.h"

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "io/results/log_fields.h"
#include "io/text_file.h"

namespace medley::io {
namespace {

constexpr int kFormat = 1;

template <class Enumerator>
Enumerator enumerator(const LogFields& fields, const char* key, std::initializer_list<Enumerator> known) {
    const std::string text = fields.text(key);
    for (const Enumerator candidate : known) {
        if (text == to_string(candidate)) { return candidate; }
    }
    refuse_value(key, text, "a known name");
}

enum class Stage : std::uint8_t { kWaiting, kHolding, kDone };

/// What a record of this kind needs the job to be in; empty for those that may come at any time before it is done.
std::optional<Stage> stage_before(const std::string& kind) {
    if (kind == "launch" || kind == "reject" || kind == "release") { return Stage::kWaiting; }
    if (kind == "resize" || kind == "run" || kind == "checkpoint" || kind == "stop") { return Stage::kHolding; }
    return std::nullopt;
}

Stage stage_after(const std::string& kind, Stage before) {
    if (kind == "launch") { return Stage::kHolding; }
    if (kind == "stop") { return Stage::kWaiting; }
    return kind == "reject" || kind == "finish" ? Stage::kDone : before;
}

const char* to_string(Stage stage) {
    switch (stage) {
        case Stage::kWaiting: return "waits";
        case Stage::kHolding: return "holds GPUs";
        case Stage::kDone: return "is done";
    }
    return "";
}

/// Turns lines into records; knows the jobs and GPU types named so far.
class RecordParser {
 public:
    LogRecord parse(const LogFields& fields);
    bool started() const { return started_; }
    bool ended() const { return ended_; }

 private:
    LogRecord parse_header(const LogFields& fields);
    LogRecord parse_submit(const LogFields& fields);
    LogRecord parse_job_record(const std::string& kind, const LogFields& fields);
    SimTime next_time(const LogFields& fields);
    JobId job(const LogFields& fields) const;
    void follow(JobId id, const std::string& kind);
    GpuTypeId type(const std::string& name) const;
    Grants grants(const LogFields& fields) const;
    GpuTypeMask allowed(const LogFields& fields) const;

    bool started_ = false;
    bool ended_ = false;
    SimTime now_{0};
    std::vector<std::string> types_;
    std::unordered_map<std::string, JobId> jobs_;
    std::vector<Stage> stages_;  ///< by job
    std::string submitted_id_;   ///< what the last SubmitRecord's view points to
};

LogRecord RecordParser::parse(const LogFields& fields) {
    const std::string kind = fields.text("record");
    if (ended_) { refuse_value("record", kind, "nothing after the end"); }
    if (started_ == (kind == "header")) { refuse_value("record", kind, "the header first, and once"); }
    now_ = next_time(fields);
    if (kind == "header") { return parse_header(fields); }
    if (kind == "submit") { return parse_submit(fields); }
    if (kind == "capacity") { return CapacityRecord{.time = now_, .type = type(fields.text("gpu_type")), .gpus = fields.count("gpus")}; }
    if (kind != "end") { return parse_job_record(kind, fields); }
    ended_ = true;
    return EndRecord{.time = now_,
                     .events = static_cast<std::uint64_t>(fields.whole("events")),
                     .decisions = static_cast<std::uint64_t>(fields.whole("decisions"))};
}

LogRecord RecordParser::parse_header(const LogFields& fields) {
    if (fields.whole("format") != kFormat) { refuse_value("format", fields.at("format").dump(), std::to_string(kFormat)); }
    started_ = true;
    HeaderRecord header{.policy = fields.text("policy"),
                        .policy_options = {},
                        .information = enumerator(fields, "information_class",
                                                  {InformationClass::kOracle, InformationClass::kDeclared, InformationClass::kLearned}),
                        .seed = static_cast<std::uint64_t>(fields.whole("seed")),
                        .round = Seconds{fields.number("round_s")},
                        .compat = fields.text("compat"),
                        .cluster = fields.text("cluster"),
                        .gpu_types = {}};
    const LogFields options(fields.at("policy_options"));
    for (const auto& [key, value] : fields.at("policy_options").items()) {
        header.policy_options.emplace_back(key, options.text(key.c_str()));
    }
    for (const LogJson& entry : fields.at("gpu_types")) {
        const LogFields type_fields(entry);
        types_.push_back(type_fields.text("name"));
        header.gpu_types.push_back({.name = Name(types_.back()),
                                    .gpus = type_fields.count("gpus"),
                                    .price_usd_per_hour = type_fields.optional_number("price_usd_per_hour"),
                                    .power_w = type_fields.optional_number("power_w")});
    }
    return header;
}

LogRecord RecordParser::parse_submit(const LogFields& fields) {
    submitted_id_ = fields.text("job");
    const JobId id(jobs_.size());
    if (!jobs_.emplace(submitted_id_, id).second) { refuse_value("job", submitted_id_, "each job once"); }
    stages_.push_back(Stage::kWaiting);
    const std::optional<double> deadline = fields.optional_number("deadline_s");
    return SubmitRecord{.time = now_,
                        .job = id,
                        .id = submitted_id_,
                        .model = Name(fields.has("model") ? fields.text("model") : ""),
                        .gpus = fields.count("requested_gpus"),
                        .min_gpus = fields.count("min_gpus"),
                        .allowed = allowed(fields),
                        .priority = fields.number("priority"),
                        .weight = fields.number("weight"),
                        .deadline = deadline ? std::optional(Seconds{*deadline}) : std::nullopt,
                        .total_work = fields.number("total_work"),
                        .alone = Seconds{fields.number("alone_s")},
                        .isolated = Seconds{fields.number("isolated_s")},
                        .nominal_gpus = fields.number("nominal_gpus"),
                        .held_back = fields.has("held_back") && fields.truth("held_back")};
}

LogRecord RecordParser::parse_job_record(const std::string& kind, const LogFields& fields) {
    const JobId id = job(fields);
    follow(id, kind);
    if (kind == "release") { return ReleaseRecord{.time = now_, .job = id}; }
    if (kind == "reject") { return RejectRecord{.time = now_, .job = id, .reason = fields.text("reason")}; }
    if (kind == "launch") { return LaunchRecord{.time = now_, .job = id, .grants = grants(fields), .restart = fields.truth("restart")}; }
    if (kind == "resize") { return ResizeRecord{.time = now_, .job = id, .grants = grants(fields)}; }
    if (kind == "run") {
        return RunRecord{.time = now_,
                         .job = id,
                         .work_per_s = fields.number("work_per_s"),
                         .communication_fraction = fields.number("communication_fraction"),
                         .work_done = fields.number("work_done"),
                         .resizing = fields.truth("resizing")};
    }
    if (kind == "checkpoint") { return CheckpointRecord{.time = now_, .job = id, .work_done = fields.number("work_done")}; }
    if (kind == "stop") {
        return StopRecord{
            .time = now_,
            .job = id,
            .reason = enumerator(fields, "reason", {StopReason::kPreempted, StopReason::kMigrating, StopReason::kCapacityLost}),
            .work_done = fields.number("work_done"),
            .work_lost = fields.number("work_lost")};
    }
    if (kind == "finish") {
        return FinishRecord{.time = now_, .job = id, .work_done = fields.number("work_done"), .cancelled = fields.truth("cancelled")};
    }
    if (kind == "reason") { return ReasonRecord{.time = now_, .job = id, .text = fields.text("text")}; }
    if (kind == "reservation") {
        return ReservationRecord{.time = now_, .job = id, .start = fields.time("start_ns"), .grants = grants(fields)};
    }
    refuse_value("record", kind, "a kind of record of format 1");
}

SimTime RecordParser::next_time(const LogFields& fields) {
    const SimTime time = fields.time("t_ns");
    if (time < now_) { refuse_value("t_ns", std::to_string(time.value), fmt::format("at least the {} of the line before", now_.value)); }
    return time;
}

JobId RecordParser::job(const LogFields& fields) const {
    const std::string id = fields.text("job");
    const auto found = jobs_.find(id);
    if (found == jobs_.end()) { refuse_value("job", id, "a job that was submitted before"); }
    return found->second;
}

void RecordParser::follow(JobId id, const std::string& kind) {
    Stage& stage = stages_[id.index()];
    const std::optional<Stage> needed = stage_before(kind);
    if (stage == Stage::kDone || (needed && stage != *needed)) {
        refuse_value("record", kind, fmt::format("a record that may follow while the job {}", to_string(stage)));
    }
    stage = stage_after(kind, stage);
}

GpuTypeId RecordParser::type(const std::string& name) const {
    for (std::size_t index = 0; index < types_.size(); ++index) {
        if (types_[index] == name) { return GpuTypeId(index); }
    }
    refuse_value("GPU type", name, "a type of the header");
}

Grants RecordParser::grants(const LogFields& fields) const {
    Grants result;
    for (const auto& [name, gpus] : fields.at("gpus").items()) {
        result.push_back({.type = type(name), .gpus = LogFields::count_value("gpus." + name, gpus)});
    }
    return result;
}

GpuTypeMask RecordParser::allowed(const LogFields& fields) const {
    if (!fields.has("allowed")) { return ~GpuTypeMask{0}; }
    GpuTypeMask mask = 0;
    for (const LogJson& name : fields.at("allowed")) {
        if (!name.is_string()) { refuse_value("allowed", name.dump(), "names of GPU types"); }
        mask |= GpuTypeMask{1} << type(name.get<std::string>()).index();
    }
    return mask;
}

LogJson parse_json(std::string_view line) {
    LogJson object = LogJson::parse(line, nullptr, false);
    if (object.is_discarded()) { refuse_value("", std::string(line), "one JSON object a line"); }
    return object;
}

}  // namespace

EventLogReader::EventLogReader(const std::filesystem::path& path) : EventLogReader(read_text_file(path), path.string()) {}

void EventLogReader::read_into(EventSink& sink) {
    RecordParser parser;
    std::size_t line_number = 0;
    try {
        for (std::size_t begin = 0; begin < text_.size();) {
            ++line_number;
            const std::size_t end = std::min(text_.find('\n', begin), text_.size());
            const LogJson object = parse_json(std::string_view(text_).substr(begin, end - begin));
            sink.record(parser.parse(LogFields(object)));
            begin = end + 1;
        }
        if (!parser.ended()) { refuse_value("", "the end of the file", "an end record: the log is cut short"); }
    } catch (const Error& error) {
        Problem problem = error.problem();
        problem.file = file_;
        problem.place = fmt::format("line {}{}{}", line_number, problem.place.empty() ? "" : ", ", problem.place);
        throw Error(std::move(problem));
    }
}

}  // namespace medley::io
