#include "executor/coordinator/wal.h"
#include "tests/fuzz/fuzz_target.h"

using namespace medley;
using namespace medley::executor;

// What is read is a beginning of the bytes, entry by entry, and reads as itself.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = fuzz::as_text(data, size);
    const WalContents contents = read_wal(bytes);
    std::string again;
    for (const Record& record : contents.records) { again += wal_entry(record); }
    MEDLEY_ASSERT(again == bytes.substr(0, contents.good_bytes));
    MEDLEY_ASSERT((contents.end == WalEnd::kWhole) == (contents.good_bytes == bytes.size()));
    return 0;
}
