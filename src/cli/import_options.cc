#include "cli/import_options.h"

#include <algorithm>
#include <span>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/options.h"
#include "core/error.h"
#include "io/civil_time.h"
#include "io/cluster_file.h"

namespace medley::cli {
namespace {

struct Row {
    const char* option;
    const char* type_name;
    const char* help;
    /// Sets it from a text that is not empty. Throws medley::Error; its place is replaced by the option's name.
    void (*apply)(const std::string& text, io::ImportOptions& options);
};

template <class Value>
Value choose(const std::string& text, std::initializer_list<std::pair<const char*, Value>> choices) {
    std::string known;
    for (const auto& [name, value] : choices) {
        if (text == name) { return value; }
        known += (known.empty() ? "" : " or ") + std::string(name);
    }
    refuse_value("", text, known);
}

constexpr Row kRows[] = {
    {"--models", "LIST", "Give jobs without a model one of these, evenly at random: NAME[=BATCH],...",
     [](const std::string& text, io::ImportOptions& options) { options.models = io::parse_model_choices(text); }},
    {"--reference-gpu-type", "TYPE", "The GPU type that durations were measured on, where the source does not say",
     [](const std::string& text, io::ImportOptions& options) { options.reference_gpu_type = Name(text); }},
    {"--states", "LIST", "Keep jobs recorded in one of these states alone (default all)",
     [](const std::string& text, io::ImportOptions& options) { options.states = parse_list("--states", text, ','); }},
    {"--zero-gpus", "drop|one", "Jobs without GPUs: drop (default), or count one",
     [](const std::string& text, io::ImportOptions& options) {
         options.zero_gpus = choose<io::ZeroGpus>(text, {{"drop", io::ZeroGpus::kDrop}, {"one", io::ZeroGpus::kOneGpu}});
     }},
    {"--zero-duration", "drop|one", "Jobs that ran for no time: drop (default), or count one second",
     [](const std::string& text, io::ImportOptions& options) {
         options.zero_duration = choose<io::ZeroDuration>(text, {{"drop", io::ZeroDuration::kDrop}, {"one", io::ZeroDuration::kOneSecond}});
     }},
    {"--too-wide", "keep|drop|clamp", "Gangs larger than any pool of the cluster: keep (default), drop or clamp",
     [](const std::string& text, io::ImportOptions& options) {
         options.too_wide =
             choose<io::TooWide>(text, {{"keep", io::TooWide::kKeep}, {"drop", io::TooWide::kDrop}, {"clamp", io::TooWide::kClamp}});
     }},
    {"--unfinished", "drop|until-end", "Jobs that still ran when the source ended: drop (default), or count until then",
     [](const std::string& text, io::ImportOptions& options) {
         options.unfinished = choose<io::Unfinished>(text, {{"drop", io::Unfinished::kDrop}, {"until-end", io::Unfinished::kUntilEnd}});
     }},
    {"--retries", "sum|span|separate",
     "Jobs that started more than once: sum of their runs (default), first start to last end, or a job for each",
     [](const std::string& text, io::ImportOptions& options) {
         options.retries =
             choose<io::Retries>(text, {{"sum", io::Retries::kSum}, {"span", io::Retries::kSpan}, {"separate", io::Retries::kSeparate}});
     }},
    {"--time-zone", "ZONE", "Zone of times without one: UTC, +08:00 or a POSIX rule (default: the format's own)",
     [](const std::string& text, io::ImportOptions& options) { options.time_zone = io::ZoneRule(text).text(); }},
    {"--origin", "TIME", "The time that becomes second 0: 'YYYY-MM-DD HH:MM:SS' (default: the first submission kept)",
     [](const std::string& text, io::ImportOptions& options) { options.origin = text; }},
};

}  // namespace

void add_import_options(CLI::App& app, ImportChoices& choices) {
    for (const Row& row : kRows) {
        const auto keep = [&choices, option = row.option](const std::string& text) { choices[option] = text; };
        app.add_option_function<std::string>(row.option, keep, row.help)->type_name(row.type_name);
    }
    const auto keep = [&choices](const std::string& text) { choices["--cluster"] = text; };
    app.add_option_function<std::string>("--cluster", keep,
                                         "Cluster file (YAML) whose pools --too-wide goes by, where the source tells none")
        ->type_name("FILE");
}

io::ImportOptions read_import_options(const ImportChoices& choices, std::uint64_t seed) {
    io::ImportOptions options;
    options.seed = seed;
    for (const Row& row : kRows) {
        const auto given = choices.find(row.option);
        if (given == choices.end()) { continue; }
        naming_option(row.option, [&] { row.apply(given->second, options); });
    }
    if (const auto cluster = choices.find("--cluster"); cluster != choices.end()) { options.cluster = io::load_cluster(cluster->second); }
    return options;
}

}  // namespace medley::cli
