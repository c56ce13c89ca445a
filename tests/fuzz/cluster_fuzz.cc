#include "io/cluster_file.h"
#include "tests/fuzz/fuzz_target.h"

using namespace medley;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::only_errors_escape([&] { MEDLEY_ASSERT(io::parse_cluster(fuzz::as_text(data, size), "input").total_gpus() > 0); });
    fuzz::only_errors_escape([&] { io::parse_gpu_types(fuzz::as_text(data, size), "input"); });
    return 0;
}
