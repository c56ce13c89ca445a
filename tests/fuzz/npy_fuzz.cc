#include "executor/data/npy.h"
#include "tests/fuzz/fuzz_target.h"

using namespace medley;

// Whatever is accepted has elements that can be read, and a header that means the same when written anew.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = fuzz::as_text(data, size);
    fuzz::only_errors_escape([&] {
        try {
            const executor::NpyHeader header = executor::parse_npy(bytes);
            const char* elements = bytes.data() + header.data_offset;
            for (std::int64_t index = 0; index < header.elements; ++index) { executor::npy_real(header.type, elements, index); }
            const std::string again =
                executor::format_npy_header(header.type, header.shape) + std::string(bytes.substr(header.data_offset));
            MEDLEY_ASSERT(executor::parse_npy(again).shape == header.shape);
        } catch (const Error& error) { throw error.in_file("input"); }
    });
    return 0;
}
