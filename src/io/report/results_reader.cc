#include "io/report/results_reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "io/results/event_log_reader.h"
#include "io/text_file.h"
#include "sched/tee_sink.h"

namespace medley::io {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;

[[noreturn]] void refuse(const std::string& file, const std::string& place, const std::string& found, const std::string& expected) {
    throw Error(Problem{.file = file, .place = place, .found = found, .expected = expected, .message = ""});
}

std::string shortened(const Json& value) {
    constexpr std::size_t kMostShown = 60;
    const std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    return text.size() <= kMostShown ? text : text.substr(0, kMostShown) + "...";
}

const Json& at(const Json& object, const std::string& key, const std::string& file, const std::string& place) {
    const auto found = object.find(key);
    if (found == object.end()) { refuse(file, place + key, "nothing", "this field"); }
    return *found;
}

Json parse_document(const std::string& text, const std::string& file) {
    Json document = Json::parse(text, nullptr, false);
    if (!document.is_object()) { refuse(file, "", "something else", "one JSON object"); }
    const Json& format = at(document, "format", file, "");
    if (format != kFormat) { refuse(file, "format", shortened(format), fmt::format("{}", kFormat)); }
    return document;
}

std::string text_at(const Json& object, const std::string& key, const std::string& file, const std::string& place) {
    const Json& value = at(object, key, file, place);
    if (!value.is_string()) { refuse(file, place + key, shortened(value), "a text"); }
    return value.get<std::string>();
}

std::string label_text(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// Plain fields, in their order.
std::vector<RunLabel> labels_of(const Json& run) {
    std::vector<RunLabel> labels;
    for (const auto& [key, value] : run.items()) {
        if (key == "directory" || value.is_structured() || value.is_null()) { continue; }
        labels.push_back({.name = key, .value = label_text(value)});
    }
    return labels;
}

// Paths in the file are the writer's; what counts is the folder beside the file.
std::string folder_of(const Json& run, const std::string& file, const std::string& place) {
    const Json& directory = at(run, "directory", file, place);
    if (!directory.is_string()) { refuse(file, place + "directory", shortened(directory), "the folder of the run's results"); }
    const std::string path = directory.get<std::string>();
    const std::string name = path.substr(path.find_last_of('/') + 1);
    if (name.empty() || name == "." || name == ".." || name.find('\0') != std::string::npos) {
        refuse(file, place + "directory", shortened(directory), "a path that ends in a folder's name");
    }
    return name;
}

std::size_t job_number(const Json& window, const std::string& key, const std::string& file) {
    const Json& value = at(window, key, file, "window.");
    if (!value.is_number_unsigned()) { refuse(file, "window." + key, shortened(value), "a whole number of at least 0"); }
    return value.get<std::size_t>();
}

Window window_of(const Json& summary, const std::string& file) {
    const auto window = summary.find("window");
    if (window == summary.end() || window->is_null()) { return {}; }
    if (!window->is_object()) { refuse(file, "window", shortened(*window), "first and last"); }
    return {.first = job_number(*window, "first", file), .last = job_number(*window, "last", file)};
}

}  // namespace

ComparisonContents parse_comparison(const std::string& text, const std::string& file) {
    const Json document = parse_document(text, file);
    ComparisonContents contents{.ranked_by = text_at(document, "ranked_by", file, ""), .runs = {}};
    const Json& runs = at(document, "runs", file, "");
    if (!runs.is_array() || runs.empty()) { refuse(file, "runs", shortened(runs), "a list of runs"); }
    for (const Json& run : runs) {
        const std::string place = fmt::format("runs[{}].", contents.runs.size());
        if (!run.is_object()) { refuse(file, place.substr(0, place.size() - 1), shortened(run), "an object"); }
        contents.runs.push_back({.labels = labels_of(run), .folder = folder_of(run, file, place)});
    }
    return contents;
}

SummaryContents parse_summary(const std::string& text, const std::string& file) {
    const Json document = parse_document(text, file);
    SummaryContents contents{.window = window_of(document, file), .executed = !document.contains("policy"), .labels = {}};
    for (const char* key : {"policy", "job", "seed"}) {
        const auto value = document.find(key);
        if (value == document.end() || value->is_structured()) { continue; }
        contents.labels.push_back({.name = key, .value = label_text(*value)});
    }
    return contents;
}

bool is_comparison(const std::filesystem::path& directory) { return std::filesystem::exists(directory / "comparison.json"); }

std::unique_ptr<RunRecord> read_run(const std::filesystem::path& directory) {
    const std::filesystem::path file = directory / "summary.json";
    std::string summary = read_text_file(file);
    auto run = std::make_unique<RunRecord>(parse_summary(summary, file.string()));
    run->summary = std::move(summary);
    TeeSink sinks({&run->metrics, &run->spans});
    EventLogReader(directory / "events.jsonl").read_into(sinks);
    return run;
}

EncodedRun encode_run(const RunRecord& run, std::vector<RunLabel> labels, bool with_jobs) {
    return encode_run(ReportedRun{.labels = labels.empty() ? run.contents.labels : std::move(labels),
                                  .summary = run.summary,
                                  .executed = run.contents.executed,
                                  .with_jobs = with_jobs,
                                  .metrics = &run.metrics,
                                  .spans = &run.spans});
}

}  // namespace medley::io
