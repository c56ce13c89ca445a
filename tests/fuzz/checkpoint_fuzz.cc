#include <algorithm>

#include "executor/storage/sha256.h"
#include "executor/training/checkpoint_format.h"
#include "tests/fuzz/fuzz_target.h"

using namespace medley;

namespace {

void parse(std::string_view bytes) {
    fuzz::only_errors_escape([&] {
        try {
            const executor::StateSnapshot snapshot = executor::parse_checkpoint(bytes, "");
            std::size_t size = executor::checkpoint_head(snapshot).size() + executor::Sha256::kBytes;
            for (const auto& [name, section] : snapshot.sections) { size += section.size(); }
            MEDLEY_ASSERT(size == bytes.size());
        } catch (const Error& error) { throw error.in_file("input"); }
    });
}

}  // namespace

// As it is, and with a checksum that fits, behind which no damage could hide else.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = fuzz::as_text(data, size);
    parse(bytes);
    const std::string body(bytes.substr(0, bytes.size() - std::min(bytes.size(), executor::Sha256::kBytes)));
    executor::Sha256 hash;
    hash.add(body);
    parse(body + hash.finish());
    return 0;
}
