#include "cli/pictures.h"

#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "io/report/perfetto.h"
#include "io/report/results_reader.h"
#include "io/text_file.h"

namespace medley::cli {
namespace {

namespace fs = std::filesystem;

std::string value_of(const std::vector<io::RunLabel>& labels, std::string_view name) {
    for (const io::RunLabel& label : labels) {
        if (label.name == name) { return label.value; }
    }
    return "";
}

/// "wfs on lab", "gpt-small".
std::string title_of(const std::vector<io::RunLabel>& labels, const std::string& cluster) {
    const std::string job = value_of(labels, "job");
    if (!job.empty()) { return job; }
    return value_of(labels, "policy") + (cluster.empty() ? "" : " on " + cluster);
}

/// The name that a person would give the directory: its last part.
std::string name_of(const std::string& directory) {
    const fs::path path = fs::path(directory).lexically_normal();
    return (path.has_filename() ? path : path.parent_path()).filename().string();
}

/// Collects runs, their timelines as long as there is room for them.
class Collector {
 public:
    void add(const fs::path& directory, const std::vector<io::RunLabel>& labels) {
        const std::unique_ptr<io::RunRecord> run = io::read_run(directory);
        jobs_ += run->metrics.job_count();
        if (document_.runs.empty()) { first_title_ = title_of(run->contents.labels, run->spans.header().cluster); }
        document_.runs.push_back(io::encode_run(*run, labels, document_.runs.empty() || jobs_ <= kMostReportedJobs));
    }
    void add_comparison(const fs::path& directory) {
        const fs::path file = directory / "comparison.json";
        const io::ComparisonContents contents = io::parse_comparison(io::read_text_file(file), file.string());
        document_.ranked_by = contents.ranked_by;
        for (const io::ComparedFolder& run : contents.runs) { add(directory / run.folder, run.labels); }
    }
    io::ReportDocument finish() && {
        const std::size_t runs = document_.runs.size();
        document_.title = runs == 1 ? first_title_ : fmt::format("Comparison of {} runs", runs);
        return std::move(document_);
    }

 private:
    io::ReportDocument document_;
    std::string first_title_;
    std::size_t jobs_ = 0;
};

}  // namespace

void add_picture_options(CLI::App& app, PictureOptions& options, CLI::Option* directory) {
    CLI::Option* report = app.add_flag("--report", options.report, "Also write report.html, the results in pictures");
    CLI::Option* perfetto = app.add_flag("--perfetto", options.perfetto, "Also write trace.perfetto.json, for ui.perfetto.dev");
    if (directory == nullptr) { return; }
    report->needs(directory);
    perfetto->needs(directory);
}

void require_pictures(const PictureOptions& options) {
    if (options.report) { io::require_report_page(); }
}

void Pictures::write(io::ResultsDirectory& results, const Metrics& metrics, const std::string& summary) const {
    if (options_.perfetto) {
        io::OutputFile& file = results.add_file("trace.perfetto.json");
        io::write_perfetto(file, spans_, metrics);
        file.finish();
    }
    if (!options_.report) { return; }
    const io::SummaryContents contents = io::parse_summary(summary, "summary.json");
    io::ReportDocument document{.title = title_of(contents.labels, spans_.header().cluster), .ranked_by = "", .runs = {}};
    document.runs.push_back(io::encode_run(io::ReportedRun{
        .labels = contents.labels, .summary = summary, .executed = contents.executed, .metrics = &metrics, .spans = &spans_}));
    io::OutputFile& file = results.add_file("report.html");
    io::write_report(file, document);
    file.finish();
}

io::ReportDocument document_of(const std::vector<std::string>& directories) {
    Collector collector;
    for (const std::string& directory : directories) {
        if (io::is_comparison(directory)) {
            collector.add_comparison(directory);
        } else if (directories.size() == 1) {
            collector.add(directory, {});
        } else {
            collector.add(directory, {{.name = "results", .value = name_of(directory)}});
        }
    }
    return std::move(collector).finish();
}

void write_report_of(const std::vector<std::string>& directories, const std::string& file) {
    io::OutputFile output(file);
    io::write_report(output, document_of(directories));
    output.commit();
}

}  // namespace medley::cli
