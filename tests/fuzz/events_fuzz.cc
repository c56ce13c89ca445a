#include "io/results/event_log_reader.h"
#include "sched/metrics.h"
#include "tests/fuzz/fuzz_target.h"

using namespace medley;

// Whatever is accepted can be evaluated.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::only_errors_escape([&] {
        Metrics metrics;
        io::EventLogReader(std::string(fuzz::as_text(data, size)), "input").read_into(metrics);
        metrics.summary();
    });
    return 0;
}
