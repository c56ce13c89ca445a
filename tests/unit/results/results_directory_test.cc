#include "io/results/results_directory.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "sched/tee_sink.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/results/small_log.h"

namespace medley::io {
namespace {

using test::contents;
using test::small_log;
using test::TemporaryFolder;

void play(ResultsDirectory& results, Metrics& metrics) {
    TeeSink sink({&metrics, &results.events()});
    for (const LogRecord& record : small_log()) { sink.record(record); }
}

TEST(ResultsDirectory, HoldsAllFourFilesOnceCommitted) {
    const TemporaryFolder folder;
    Metrics metrics;
    ResultsDirectory results(folder / "out" / "run");
    play(results, metrics);
    results.finish(metrics, "{}\n");
    EXPECT_FALSE(std::filesystem::exists(folder / "out" / "run" / "events.jsonl")) << "nothing is visible before the commit";
    results.commit();
    for (const char* name : {"events.jsonl", "jobs.csv", "utilization.csv", "summary.json"}) {
        EXPECT_FALSE(contents(folder / "out" / "run" / name).empty()) << name;
    }
}

TEST(ResultsDirectory, VanishesWithItsFolderWhenTheRunFails) {
    const TemporaryFolder folder;
    {
        Metrics metrics;
        ResultsDirectory results(folder / "out");
        play(results, metrics);
        results.finish(metrics, "{}\n");
    }
    EXPECT_EQ(folder.entries(), 0U);
}

TEST(ResultsDirectory, LeavesOlderResultsAloneWhenTheRunFails) {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "out");
    write_text_file(folder / "out" / "events.jsonl", "old");
    { const ResultsDirectory results(folder / "out"); }
    EXPECT_EQ(contents(folder / "out" / "events.jsonl"), "old");
}

TEST(ResultsDirectory, RefusesAFileInItsPlace) {
    const TemporaryFolder folder;
    write_text_file(folder / "out", "");
    EXPECT_THROW(ResultsDirectory(folder / "out"), Error);
}

}  // namespace
}  // namespace medley::io
