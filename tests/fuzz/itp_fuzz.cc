#include "io/importers/importer.h"
#include "tests/fuzz/fuzz_target.h"

using namespace medley;

// No row disappears without a reason.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const io::ImportOptions options{.seed = 1, .models = {{Name("a"), 32}, {Name("b"), 0}}, .reference_gpu_type = Name("V100")};
    static const io::Importer& importer = io::find_importer("itp");
    fuzz::only_errors_escape([&] {
        const io::Import imported = importer.import(io::ImportSource::of_text("input", std::string(fuzz::as_text(data, size))), options);
        std::size_t accounted = imported.trace.jobs.size();
        for (const auto& [reason, rows] : imported.report.dropped) { accounted += rows; }
        MEDLEY_ASSERT(accounted == imported.report.rows);
    });
    return 0;
}
