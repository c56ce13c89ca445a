#include "io/trace_file.h"
#include "tests/fuzz/fuzz_target.h"

using namespace medley;

// Whatever is accepted is written and read again unchanged.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::only_errors_escape([&] {
        const Trace trace = io::parse_trace(fuzz::as_text(data, size), "input");
        const std::string written = io::format_trace(trace);
        MEDLEY_ASSERT(io::format_trace(io::parse_trace(written, "written")) == written);
    });
    return 0;
}
