/// What every importer promises, tried with a small source of its format.

#include <map>

#include <gmock/gmock.h>

#include "io/importers/importer.h"
#include "io/trace_file.h"
#include "tests/unit/core/refusal.h"
#include "tests/unit/io/temporary_folder.h"

namespace medley::io {
namespace {

// Of each format: good rows, out of order, and one that cannot be used.
const std::map<std::string, std::string, std::less<>> kExamples = {
    {"itp", "job_id,submission_time,duration,num_gpu\nb,700,1200,8\na,30,601,1\nidle,40,900,0\nc,700,5000,2\n"},
    {"slurm",
     "JobID|AllocTRES|Submit|Start|End|State\n12|cpu=8,gres/gpu:a100=2,gres/gpu=2|1000|1010|1610|COMPLETED\n"
     "12.batch|cpu=8,gres/gpu=2|1010|1010|1610|COMPLETED\n9|gres/gpu=4|900|950|1950|CANCELLED by 7\n13|cpu=8|1000|1010|1020|COMPLETED\n"},
};

const ImportOptions kOptions = {.seed = 4, .models = {{Name("resnet50"), 256}, {Name("bert"), 0}}, .reference_gpu_type = Name("V100")};

class EveryImporter : public testing::TestWithParam<const Importer*> {
 protected:
    Import import(const ImportOptions& options) const { return GetParam()->import(source_, options); }

    TemporaryFolder folder_;
    std::filesystem::path source_ = folder_.add("source", kExamples.at(std::string(GetParam()->name())));
};

TEST_P(EveryImporter, DescribesItselfInOneLineAndIsFoundByName) {
    EXPECT_FALSE(GetParam()->description().empty());
    EXPECT_EQ(GetParam()->description().find('\n'), std::string_view::npos);
    EXPECT_EQ(&find_importer(GetParam()->name()), GetParam());
}

TEST_P(EveryImporter, AccountsForEveryRow) {
    const Import imported = import({});
    std::size_t rows = imported.trace.jobs.size();
    for (const auto& [reason, count] : imported.report.dropped) {
        EXPECT_FALSE(reason.empty());
        rows += count;
    }
    for (const auto& [reason, count] : imported.report.added) { rows -= count; }
    EXPECT_EQ(rows, imported.report.rows);
    EXPECT_FALSE(imported.trace.jobs.empty());
    EXPECT_FALSE(imported.report.dropped.empty());
    EXPECT_FALSE(imported.report.duration_meaning.empty());
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

TEST_P(EveryImporter, TheSameSeedGivesTheSameBytes) {
    EXPECT_EQ(format_trace(import(kOptions).trace), format_trace(import(kOptions).trace));
}

TEST_P(EveryImporter, RefusesAnotherFormatByFileAndLine) {
    const auto other = folder_.add("other", "this,is,no,source\n1,2,3,4\n");
    EXPECT_THAT(refusal([&] { GetParam()->import(other, {}); }), testing::StartsWith(other.string() + ": line 1: "));
    EXPECT_THAT(refusal([&] { GetParam()->import(folder_.path() / "missing", {}); }), testing::HasSubstr("cannot be opened"));
}

INSTANTIATE_TEST_SUITE_P(Importers, EveryImporter, testing::ValuesIn(importers()),
                         [](const auto& row) { return std::string(row.param->name()); });

}  // namespace
}  // namespace medley::io
