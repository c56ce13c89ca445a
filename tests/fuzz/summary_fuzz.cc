#include "io/report/results_reader.h"
#include "tests/fuzz/fuzz_target.h"

using namespace medley;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::only_errors_escape([&] { io::parse_summary(std::string(fuzz::as_text(data, size)), "input"); });
    return 0;
}
