#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/cmd_profile.h"
#include "cli/options.h"
#include "cli/profile_source.h"
#include "cli/table.h"
#include "core/error.h"
#include "io/profile_writing.h"
#include "io/results/json_writer.h"
#include "io/results/new_directory.h"
#include "io/results/output_file.h"

namespace medley::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
    ProfileSource source;
    std::string output;
};

struct Written {
    std::string model;
    std::string file;
    std::size_t gpu_types = 0;
};

bool names_a_file(const fs::path& output) { return output.extension() == ".yaml" || output.extension() == ".yml"; }

/// The model's name as far as every file system takes it, unique among `taken`.
std::string file_name(const std::string& model, std::set<std::string>& taken) {
    std::string plain;
    for (const char c : model) {
        const bool kept = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '+';
        if (kept || (!plain.empty() && plain.back() != '-')) { plain += kept ? c : '-'; }
    }
    while (plain.ends_with('-')) { plain.pop_back(); }
    if (plain.empty() || plain.front() == '.') { plain.insert(0, "model"); }
    std::string name = plain;
    for (int number = 2; !taken.insert(name).second; ++number) { name = fmt::format("{}-{}", plain, number); }
    return name + ".yaml";
}

std::vector<Written> write_all(const std::vector<Profile>& profiles, const std::string& output) {
    const bool one_file = names_a_file(output);
    if (one_file && profiles.size() > 1) {
        refuse_value("--output", output, fmt::format("a folder: there are {} models", profiles.size()));
    }
    std::optional<io::NewDirectory> folder;
    if (!one_file) { folder.emplace(output); }
    std::vector<std::unique_ptr<io::OutputFile>> files;
    std::vector<Written> written;
    std::set<std::string> taken;
    for (const Profile& profile : profiles) {
        const fs::path path = one_file ? fs::path(output) : fs::path(output) / file_name(profile.model.text(), taken);
        files.push_back(std::make_unique<io::OutputFile>(path));
        files.back()->write(io::format_profile(profile));
        files.back()->finish();
        written.push_back({.model = profile.model.text(), .file = path.string(), .gpu_types = profile.gpus.size()});
    }
    for (const auto& file : files) { file->commit(); }
    if (folder) { folder->keep(); }
    return written;
}

void write_counts(io::JsonWriter& json, const char* name, const std::map<std::string, std::size_t>& counts) {
    json.key(name).begin_object();
    for (const auto& [reason, rows] : counts) { json.field(reason, rows); }
    json.end_object();
}

std::string as_json(const Options& options, const io::ProfileImportReport& report, const std::vector<Written>& written) {
    io::JsonWriter json;
    json.begin_object().field("format", 1).field("source_format", options.source.format).field("input", options.source.path);
    json.field("output", options.output).field("rows", report.rows).field("kept", report.kept);
    write_counts(json, "dropped", report.dropped);
    write_counts(json, "changed", report.changed);
    json.field("seconds_meaning", report.meaning).key("profiles").begin_array();
    for (const Written& each : written) {
        json.begin_object().field("model", each.model).field("file", each.file).field("gpu_types", each.gpu_types).end_object();
    }
    return json.end_array().end_object().text();
}

std::string as_text(const Console& console, const io::ProfileImportReport& report, const std::vector<Written>& written) {
    KeyValues lines;
    lines.add("rows read", fmt::format("{}", report.rows));
    lines.add("rows kept", fmt::format("{}", report.kept));
    for (const auto& [reason, rows] : report.dropped) { lines.add("dropped", fmt::format("{}: {}", rows, reason)); }
    for (const auto& [reason, rows] : report.changed) { lines.add("changed", fmt::format("{}: {}", rows, reason)); }
    lines.add("seconds are", report.meaning);
    lines.add("profiles", fmt::format("{}", written.size()));
    if (console.quiet) { return lines.text(); }
    Table table({{"model", Align::kLeft}, {"GPU types"}, {"file", Align::kLeft}});
    for (const Written& each : written) { table.add_row({each.model, fmt::format("{}", each.gpu_types), each.file}); }
    return table.text() + "\n" + lines.text();
}

int run(const Console& console, const Options& options) {
    require_plain_name("--output", options.output);
    const io::ProfileImport imported = import_from(options.source);
    if (imported.profiles.empty()) {
        throw Error(Problem{.file = options.source.path, .expected = "at least one row that fits a profile", .message = "no row is left"});
    }
    const std::vector<Written> written = write_all(imported.profiles, options.output);
    console.print(console.json ? as_json(options, imported.report, written) : as_text(console, imported.report, written));
    return kDone;
}

std::string format_help() {
    std::string text = "Format of the input:";
    for (const io::ProfileFormat* format : io::profile_formats()) {
        text += fmt::format(" {} ({})", format->name(), format->description());
    }
    return text;
}

}  // namespace

Work set_up_profile_import(CLI::App& app, const Console& console) {
    const auto options = std::make_shared<Options>();
    ProfileSource& source = options->source;
    app.add_option("input", source.path, "File or folder to import")->required()->type_name("IN");
    app.add_option("--format", source.format, format_help())->required()->type_name("NAME");
    app.add_option("-o,--output", options->output, "Folder for one profile a model, or a .yaml file for a single one")
        ->required()
        ->type_name("OUT");
    app.add_option("--precision", source.precision, "Only rows of this precision (throughputs)")->type_name("NAME");
    app.add_option("--publisher", source.publisher, "Only rows of this publisher (throughputs), as in lambdal/deeplearning-benchmark")
        ->type_name("NAME");
    app.add_option("--rename", source.renamed, "Other names for GPU types: k80=K80,v100=V100")->type_name("OLD=NEW,...");
    return [&console, options] { return run(console, *options); };
}

}  // namespace medley::cli
