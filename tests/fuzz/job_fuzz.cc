#include "io/job_file.h"
#include "tests/fuzz/fuzz_target.h"

using namespace medley;

// Whatever is accepted is written and read again unchanged.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::only_errors_escape([&] {
        const io::JobFile job = io::parse_job(fuzz::as_text(data, size), "input");
        const std::string written = io::format_job(job);
        MEDLEY_ASSERT(io::format_job(io::parse_job(written, "written")) == written);
    });
    return 0;
}
