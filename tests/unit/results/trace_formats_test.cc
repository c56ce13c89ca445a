#include "io/results/trace_formats.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/trace_file.h"

namespace medley::io {
namespace {

constexpr const char* kTrace =
    "job_id,submit_s,gpus,model,batch_size,steps,duration_s,gpu_types,deadline_s,color\n"
    "b,2.5,pool,resnet50,64,100,,V100|K80,90,red\n"
    "a,1,4,,,,60,,,\n";

TEST(TraceFormats, CsvIsOurOwnFormatWithRowsInOrder) {
    const std::string text = format_trace_as("csv", parse_trace(kTrace, "t"));
    EXPECT_EQ(format_trace_as("csv", parse_trace(text, "t")), text);
    EXPECT_LT(text.find("\na,"), text.find("\nb,"));
}

TEST(TraceFormats, JsonLinesHoldWhatEachJobStates) {
    const std::string text = format_trace_as("jsonl", parse_trace(kTrace, "t"));
    const std::size_t second = text.find('\n') + 1;
    EXPECT_EQ(nlohmann::json::parse(text.substr(0, second)),
              (nlohmann::json{{"job_id", "a"}, {"submit_s", 1}, {"gpus", 4}, {"duration_s", 60}, {"priority", 1}, {"weight", 1}}));
    const nlohmann::json job = nlohmann::json::parse(text.substr(second));
    EXPECT_EQ(job["gpus"], "pool");
    EXPECT_EQ(job["steps"], 100);
    EXPECT_EQ(job["gpu_types"], (nlohmann::json{"V100", "K80"}));
    EXPECT_EQ(job["deadline_s"], 90);
    EXPECT_EQ(job["color"], "red") << "unknown columns are kept";
    EXPECT_FALSE(job.contains("duration_s"));
}

}  // namespace
}  // namespace medley::io
