#include "io/plan_file.h"
#include "tests/fuzz/fuzz_target.h"

using namespace medley;

// Whatever is accepted is written and read again unchanged.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::only_errors_escape([&] {
        const Plan plan = io::parse_plan(fuzz::as_text(data, size), "input");
        const std::string written = io::format_plan(plan);
        MEDLEY_ASSERT(io::format_plan(io::parse_plan(written, "written")) == written);
    });
    return 0;
}
