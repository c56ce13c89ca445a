#include "io/report/report_run.h"
#include "io/results/event_log_reader.h"
#include "sched/metrics.h"
#include "sched/tee_sink.h"
#include "tests/fuzz/fuzz_target.h"

using namespace medley;

// Whatever is accepted can be evaluated, and drawn.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::only_errors_escape([&] {
        Metrics metrics({}, LedgerDetail::kOverTime);
        io::JobSpans spans;
        TeeSink sinks({&metrics, &spans});
        io::EventLogReader(std::string(fuzz::as_text(data, size)), "input").read_into(sinks);
        metrics.summary();
        io::encode_run(io::ReportedRun{.labels = {}, .summary = "{}", .metrics = &metrics, .spans = &spans});
    });
    return 0;
}
