#include "io/report/results_reader.h"
#include "tests/fuzz/fuzz_target.h"

using namespace medley;

// What is accepted names folders inside the comparison's own.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::only_errors_escape([&] {
        for (const io::ComparedFolder& run : io::parse_comparison(std::string(fuzz::as_text(data, size)), "input").runs) {
            MEDLEY_ASSERT(!run.folder.empty() && run.folder != ".." && run.folder.find('/') == std::string::npos);
        }
    });
    return 0;
}
