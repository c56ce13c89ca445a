#include "io/report/perfetto.h"

#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/text_file.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/io_report/reported_small_log.h"

namespace medley::io {
namespace {

using nlohmann::json;

/// The list of events.
json events_of_small_log() {
    const test::TemporaryFolder folder;
    const test::SmallRun small;
    OutputFile file(folder / "trace.perfetto.json");
    write_perfetto(file, small.spans, small.metrics);
    file.commit();
    return json::parse(test::contents(folder / "trace.perfetto.json"))["traceEvents"];
}

// The Trace Event Format: what each phase must have, tracks named, complete events on a track one after another.
TEST(Perfetto, IsWellFormed) {
    std::set<std::pair<int, int>> named;
    std::map<std::pair<int, int>, double> busy_until;
    int spans = 0;
    const json all = events_of_small_log();
    for (const json& event : all) {
        const std::string phase = event["ph"];
        const std::pair<int, int> track(event["pid"].get<int>(), event["tid"].get<int>());
        ASSERT_TRUE(phase == "M" || phase == "X" || phase == "C") << event;
        ASSERT_TRUE(event["name"].is_string() && event["args"].is_object()) << event;
        if (phase == "M") { named.insert(track); }
        if (phase != "X") { continue; }
        EXPECT_TRUE(named.contains(track)) << event;
        EXPECT_GE(event["ts"].get<double>(), busy_until[track]) << event;
        EXPECT_GE(event["dur"].get<double>(), 0);
        ++spans;
        busy_until[track] = event["ts"].get<double>() + event["dur"].get<double>();
    }
    EXPECT_EQ(spans, 7);
}

TEST(Perfetto, SaysWhoWasWhereInMicroseconds) {
    std::vector<json> events;
    const json all = events_of_small_log();
    for (const json& event : all) {
        if (event["ph"] == "X") { events.push_back(event); }
    }
    ASSERT_EQ(events.size(), 7U);
    const json& last = events.back();
    EXPECT_EQ(last["ts"], 8e6);
    EXPECT_EQ(last["dur"], 99e6);
    EXPECT_EQ(last["name"], "a");
    EXPECT_EQ(last["args"], (json{{"job", "a"}, {"model", "resnet50"}, {"gpus", 2}, {"phase", "running"}, {"ends", "finished"}}));
}

TEST(Perfetto, CountsHeldGpusByType) {
    double most = 0;
    const json all = events_of_small_log();
    for (const json& event : all) {
        if (event["ph"] == "C" && event["pid"] == 2) { most = std::max(most, event["args"]["GPUs"].get<double>()); }
    }
    EXPECT_DOUBLE_EQ(most, 3);
}

}  // namespace
}  // namespace medley::io
