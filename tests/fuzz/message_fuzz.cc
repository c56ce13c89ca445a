#include "executor/protocol/message_codec.h"
#include "tests/fuzz/fuzz_target.h"

using namespace medley;
using namespace medley::executor;

// Whatever is accepted is what a writer writes: one value has one form in bytes.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = fuzz::as_text(data, size);
    if (const auto message = decode_message(bytes)) { MEDLEY_ASSERT(encode_message(*message) == bytes); }
    if (const auto setup = decode_setup(bytes)) { MEDLEY_ASSERT(encode_setup(setup->first, setup->second) == bytes); }
    return 0;
}
