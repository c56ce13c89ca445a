#include "io/importers/importer.h"

#include <gmock/gmock.h>

#include "tests/unit/core/refusal.h"
#include "tests/unit/io/temporary_folder.h"

namespace medley::io {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

const std::string kHeader = "job_id,submission_time,duration,num_gpu\n";

Import import_text(const std::string& text, const ImportOptions& options = {}) {
    return find_importer("itp").import(ImportSource::of_text("itp.csv", text), options);
}

Import import_rows(const std::string& rows, const ImportOptions& options = {}) { return import_text(kHeader + rows, options); }

std::string many_rows(int count) {
    std::string rows;
    for (int row = 0; row < count; ++row) { rows += "job" + std::to_string(row) + ",0,600,1\n"; }
    return rows;
}

const ImportOptions kThreeModels = {
    .seed = 5, .models = {{Name("a"), 32}, {Name("b"), 0}, {Name("c"), 64}}, .reference_gpu_type = Name("V100")};

TEST(Importers, AreFoundByName) {
    EXPECT_EQ(find_importer("itp").name(), "itp");
    EXPECT_THAT(refusal([] { find_importer("itq"); }), testing::StartsWith("format: found 'itq', expected itp (known: slurm, swf,"));
}

TEST(ItpImporter, KeepsWhatWasRecorded) {
    const TemporaryFolder folder;
    const Import imported = find_importer("itp").import(folder.add("itp.csv", kHeader + "b,20,1532,1\na,10,2429,64\n"), {});
    ASSERT_EQ(imported.trace.jobs.size(), 2);
    const Job& job = imported.trace.jobs[0];
    EXPECT_EQ(job.id, "a");
    EXPECT_EQ(job.submit, SimTime{10'000'000'000});
    EXPECT_EQ(job.gpus, 64);
    EXPECT_EQ(job.duration, Seconds{2429});
    EXPECT_TRUE(job.model.empty());
    EXPECT_TRUE(job.reference_gpu_type.empty());
    EXPECT_EQ(imported.report.rows, 2);
    EXPECT_THAT(imported.report.dropped, IsEmpty());
    EXPECT_THAT(imported.report.changed, IsEmpty());
    EXPECT_FALSE(imported.report.duration_meaning.empty());
}

TEST(ItpImporter, ReportsWhatItDrops) {
    const Import imported = import_rows("a,1,600,0\nb,2,0,1\nc,3,600,1\nc,4,700,1\n,5,600,1\nd,None,600,1\ne,6,nan,1\n");
    EXPECT_EQ(imported.report.rows, 7);
    EXPECT_EQ(imported.trace.jobs.size(), 1);
    EXPECT_THAT(imported.report.dropped, ElementsAre(Pair("job_id seen before", 1), Pair("no GPUs", 1), Pair("no duration", 1),
                                                     Pair("no job_id", 1), Pair("no submission time", 1), Pair("run time not known", 1)));
}

TEST(ItpImporter, RefusesOtherFiles) {
    EXPECT_EQ(refusal([] { import_rows("a,1,600,0.5\n"); }),
              "itp.csv: line 2, column num_gpu: found '0.5', expected a whole number from 0 to 100000000");
    EXPECT_EQ(refusal([] { import_rows("a,-1,600,1\n"); }),
              "itp.csv: line 2, column submission_time: found '-1', expected a number of seconds of at least 0");
    EXPECT_EQ(refusal([] { import_rows("a,1,soon,1\n"); }),
              "itp.csv: line 2, column duration: found 'soon', expected a number of seconds of at least 0");
    EXPECT_EQ(refusal([] { import_text("job_id,submit_s,gpus,duration_s\n"); }),
              "itp.csv: line 1: found 'job_id, submit_s, gpus, duration_s', expected a column submission_time");
    EXPECT_EQ(refusal([] { import_text("job_id,submission_time,duration,num_gpu,model_name\n"); }),
              "itp.csv: line 1: found 'model_name', expected one of job_id, submission_time, duration, num_gpu");
}

TEST(ModelAssignment, GivesEachModelItsShare) {
    std::map<Name, int> jobs;
    for (const Job& job : import_rows(many_rows(3000), kThreeModels).trace.jobs) {
        ++jobs[job.model];
        EXPECT_EQ(job.reference_gpu_type, Name("V100"));
        EXPECT_EQ(job.batch_size, job.model == Name("a") ? 32 : job.model == Name("c") ? 64 : 0);
        EXPECT_EQ(job.duration, Seconds{600});
    }
    ASSERT_EQ(jobs.size(), 3);
    for (const auto& [model, count] : jobs) {
        EXPECT_NEAR(count, 1000, 5 * 26) << model.text();
    }  // five standard deviations of a third of 3000
}

TEST(ModelAssignment, DependsOnSeedAndIdAlone) {
    const auto models_of = [](const Import& imported) {
        std::map<std::string, Name> models;
        for (const Job& job : imported.trace.jobs) { models[job.id] = job.model; }
        return models;
    };
    const auto all = models_of(import_rows(many_rows(100), kThreeModels));
    const auto fewer = models_of(import_rows("job7,5,900,2\njob3,9,600,1\n", kThreeModels));
    EXPECT_EQ(fewer.at("job7"), all.at("job7"));
    EXPECT_EQ(fewer.at("job3"), all.at("job3"));
    ImportOptions other = kThreeModels;
    other.seed = 6;
    EXPECT_NE(models_of(import_rows(many_rows(100), other)), all);
}

TEST(ModelChoices, AreReadFromText) {
    const auto choices = parse_model_choices("resnet50=256,bert-base-sst2");
    ASSERT_EQ(choices.size(), 2);
    EXPECT_EQ(choices[0].model.text(), "resnet50");
    EXPECT_EQ(choices[0].batch_size, 256);
    EXPECT_EQ(choices[1].model.text(), "bert-base-sst2");
    EXPECT_EQ(choices[1].batch_size, 0);
    for (const char* text : {"", "a,", "=5", "a=", "a=0", "a=-1", "a=1e18", "a=x"}) {
        EXPECT_NE(refusal([&] { parse_model_choices(text); }), "") << text;
    }
}

}  // namespace
}  // namespace medley::io
