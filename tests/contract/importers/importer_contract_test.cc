/// What every importer promises, tried with a small source of its format, as made up in tests/data/importers.

#include <fstream>
#include <iterator>
#include <map>

#include <gmock/gmock.h>

#include "io/availability_file.h"
#include "io/cluster_file.h"
#include "io/cluster_writing.h"
#include "io/importers/importer.h"
#include "io/trace_file.h"
#include "tests/support/source_folder.h"
#include "tests/unit/core/refusal.h"
#include "tests/unit/io/temporary_folder.h"

namespace medley::io {
namespace {

// Of each format: good rows, some out of order, and some that cannot be used.
const std::map<std::string, std::string, std::less<>> kExamples = {
    {"slurm", "slurm/accounting.psv"},
    {"swf", "swf/jobs.swf"},
    {"philly", "philly"},
    {"philly-flat", "philly-flat/philly.csv"},
    {"helios", "helios"},
    {"helios-quota", "helios-quota"},
    {"arrival-service", "arrival-service/jobs.csv"},
    {"pai2020", "pai2020"},
    {"openb", "openb"},
    {"openb-packing", "openb/openb_pod_list_multigpu.csv"},
    {"alibaba-spot-2026", "alibaba-spot-2026"},
    {"acme", "acme/trace_kalos.csv"},
    {"itp", "itp/cluster.csv"},
    {"chronus", "chronus/jobs.csv"},
    {"muri", "muri/jobs.csv"},
    {"synergy", "synergy/static_3job"},
    {"lucid", "lucid"},
    {"tiresias", "tiresias/jobs.csv"},
    {"batsim", "batsim/workload.json"},
    {"gavel", "gavel/physical.trace"},
    {"sia", "sia/workload.csv"},
    {"bamboo", "bamboo/aws-spot-instances-g4dn-xlarge-invented.csv"},
    {"skypilot", "skypilot/4-node/us-east-9a_k80_1.json"},
    {"parcae", "parcae/p3trace.csv"},
    {"sailor", "sailor/gpu_trace.csv"},
};

const ImportOptions kOptions = {.seed = 4, .models = {{Name("resnet50"), 256}, {Name("bert"), 0}}, .reference_gpu_type = Name("V100")};

std::string contents(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The source in memory, under names as on disk.
std::map<std::string, std::string, std::less<>> files_of(const std::filesystem::path& path) {
    std::map<std::string, std::string, std::less<>> files;
    if (!std::filesystem::is_directory(path)) { return {{path.filename().string(), contents(path)}}; }
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
        files[entry.path().filename().string()] = contents(entry.path());
    }
    return files;
}

class EveryImporter : public testing::TestWithParam<const Importer*> {
 protected:
    Import import(const ImportOptions& options) const { return GetParam()->import(source_, options); }
    bool holds_jobs() const { return GetParam()->kind() == SourceKind::kJobs; }

    TemporaryFolder folder_;
    std::filesystem::path source_ = test::source_folder() / "tests/data/importers" / kExamples.at(std::string(GetParam()->name()));
};

TEST_P(EveryImporter, DescribesItselfInOneLineAndIsFoundByName) {
    EXPECT_FALSE(GetParam()->description().empty());
    EXPECT_EQ(GetParam()->description().find('\n'), std::string_view::npos);
    EXPECT_EQ(&find_importer(GetParam()->name()), GetParam());
}

TEST_P(EveryImporter, AccountsForEveryRow) {
    const Import imported = import({});
    const ImportReport& report = imported.report;
    EXPECT_FALSE(report.files.empty());
    EXPECT_FALSE(report.time_rule.empty());
    EXPECT_GT(report.rows, 0);
    std::size_t rows = imported.trace.jobs.size();
    for (const RowCounts* counts : {&report.dropped, &report.changed}) {
        for (const auto& [reason, count] : *counts) {
            EXPECT_FALSE(reason.empty());
            EXPECT_GT(count, 0);
        }
    }
    for (const auto& [reason, count] : report.dropped) { rows += count; }
    if (!holds_jobs()) { return; }
    EXPECT_EQ(rows, report.rows);
    EXPECT_FALSE(imported.trace.jobs.empty());
    EXPECT_TRUE(!report.dropped.empty() || !report.changed.empty());
    EXPECT_FALSE(report.duration_meaning.empty());
}

TEST_P(EveryImporter, GivesAnOrderedTraceThatCanBeReadBack) {
    const Import imported = import(kOptions);
    EXPECT_EQ(refusal([&] { imported.trace.validate(); }), "");
    Trace ordered = imported.trace;
    ordered.order_jobs();
    const std::string text = format_trace(imported.trace);
    EXPECT_EQ(format_trace(ordered), text);
    EXPECT_EQ(format_trace(parse_trace(text, "imported.csv")), text);
}

TEST_P(EveryImporter, GivesAClusterAndItsCapacityThatCanBeReadBack) {
    const Import imported = import({});
    if (!holds_jobs()) { ASSERT_TRUE(imported.cluster); }
    EXPECT_EQ(imported.capacity.empty(), holds_jobs() && GetParam()->name() != "helios");
    if (!imported.cluster) { return; }
    const std::string text = format_cluster(*imported.cluster, "made up");
    const Cluster cluster = parse_cluster(text, "cluster.yaml");
    EXPECT_EQ(format_cluster(cluster, "made up"), text);
    std::vector<int> capacity = cluster.capacity();
    for (const CapacityStep& step : parse_availability(format_availability(imported.capacity), "capacity.csv", cluster)) {
        capacity[step.type.index()] += step.delta;
        EXPECT_GE(capacity[step.type.index()], 0);
    }
}

TEST_P(EveryImporter, TheSameSeedGivesTheSameBytes) {
    EXPECT_EQ(format_trace(import(kOptions).trace), format_trace(import(kOptions).trace));
}

// Whatever is cut off, the rest is read or refused in one line that names the file; nothing else happens.
TEST_P(EveryImporter, SurvivesTruncationAtEveryByte) {
    const auto files = files_of(source_);
    for (const auto& [name, text] : files) {
        for (std::size_t length = 0; length < text.size(); ++length) {
            auto cut = files;
            cut[name] = text.substr(0, length);
            const ImportSource source = std::filesystem::is_directory(source_) ? ImportSource::of_texts("cut", cut)
                                                                               : ImportSource::of_text("cut/" + name, cut[name]);
            const std::string message = refusal([&] { GetParam()->import(source, {}); });
            EXPECT_TRUE(message.empty() || message.starts_with("cut")) << name << " at " << length << ": " << message;
        }
    }
}

TEST_P(EveryImporter, RefusesAnotherFormatByFileAndLine) {
    const auto other = folder_.add("other", "this,is,no,source\n1,2,3,4\n");
    const std::string message = refusal([&] { GetParam()->import(other, {}); });
    EXPECT_THAT(message, testing::StartsWith(other.string() + ": "));
    EXPECT_THAT(refusal([&] { GetParam()->import(folder_.path() / "missing", {}); }), testing::StartsWith(folder_.path().string()));
}

INSTANTIATE_TEST_SUITE_P(Importers, EveryImporter, testing::ValuesIn(importers()), [](const auto& row) {
    std::string name(row.param->name());
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

}  // namespace
}  // namespace medley::io
