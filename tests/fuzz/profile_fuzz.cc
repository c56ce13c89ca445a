#include "io/profile_file.h"
#include "tests/fuzz/fuzz_target.h"

using namespace medley;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::only_errors_escape([&] { MEDLEY_ASSERT(!io::parse_profile(fuzz::as_text(data, size), "input").model.empty()); });
    return 0;
}
