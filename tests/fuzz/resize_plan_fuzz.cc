#include "io/resize_plan_file.h"
#include "tests/fuzz/fuzz_target.h"

using namespace medley;

// Whatever is accepted is written and read again unchanged.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::only_errors_escape([&] {
        const std::string written = io::format_resize_plan(io::parse_resize_plan(fuzz::as_text(data, size), "input"));
        MEDLEY_ASSERT(io::format_resize_plan(io::parse_resize_plan(written, "written")) == written);
    });
    return 0;
}
