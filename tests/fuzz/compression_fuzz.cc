#include "io/compression.h"
#include "tests/fuzz/fuzz_target.h"

using namespace medley;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t kMost = 1 << 20;
    fuzz::only_errors_escape([&] {
        try {
            const std::string text = io::unpack(std::string(fuzz::as_text(data, size)), kMost);
            MEDLEY_ASSERT(text.size() <= kMost || text.size() == size);
        } catch (const Error& error) { throw error.in_file("input"); }
    });
    return 0;
}
