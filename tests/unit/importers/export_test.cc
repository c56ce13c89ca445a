/// What is written back to a public format is read again as it was.

#include <gmock/gmock.h>

#include "io/results/public_trace_formats.h"
#include "io/results/trace_formats.h"
#include "io/trace_file.h"
#include "tests/unit/core/refusal.h"
#include "tests/unit/importers/sample.h"

namespace medley::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(PublicTraceFormats, ImportOfAnExportIsTheIdentity) {
    for (const auto& [format, path] : {std::pair{"swf", "swf/jobs.swf"},
                                       {"swf", "swf/frontier.swf"},
                                       {"itp", "itp/cluster.csv"},
                                       {"arrival-service", "arrival-service/jobs.csv"}}) {
        const Import imported = import_sample(format, path);
        EXPECT_THAT(columns_lost(format, imported.trace), testing::IsEmpty());
        const Import again = import_text(format, format_trace_as(format, imported.trace));
        EXPECT_EQ(format_trace(again.trace), format_trace(imported.trace)) << path;
        EXPECT_TRUE(again.report.dropped.empty() && again.report.changed.empty()) << path;
    }
}

TEST(PublicTraceFormats, SayWhatTheyCannotHold) {
    const Trace trace = parse_trace("job_id,submit_s,gpus,duration_s,model,user\na,0,1,5,bert,me\n", "t.csv");
    EXPECT_THAT(columns_lost("itp", trace), ElementsAre("model", "user"));
    EXPECT_THAT(columns_lost("swf", trace), ElementsAre("model"));
    EXPECT_THAT(columns_lost("csv", trace), testing::IsEmpty());
}

TEST(PublicTraceFormats, RefuseJobsThatTheyCannotHoldAtAll) {
    const auto write = [](const std::string& format, const std::string& text) {
        return refusal([&] { format_trace_as(format, parse_trace(text, "t.csv")); });
    };
    EXPECT_EQ(write("itp", "job_id,submit_s,gpus,model,batch_size,steps\na,0,1,bert,8,5\n"),
              "job a, steps: found '5', expected a duration: this format knows no steps");
    EXPECT_EQ(write("itp", "job_id,submit_s,gpus,duration_s\na,0,pool,5\n"), "job a, gpus: found 'pool', expected a number");
    EXPECT_EQ(write("swf", "job_id,submit_s,gpus,duration_s\na b,0,1,5\n"), "job a b, job_id: found 'a b', expected one word");
    EXPECT_THAT(write("swf", "job_id,submit_s,gpus,duration_s,depends_on\na,0,1,5,\nb,0,1,5,\nc,0,1,5,a|b\n"), HasSubstr("at most one"));
}

}  // namespace
}  // namespace medley::io
