#include "io/importers/importer.h"
#include "tests/fuzz/fuzz_target.h"

using namespace medley;

// No row disappears without a reason, whatever is done with attempts and with what still runs.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const io::Importer& importer = io::find_importer("slurm");
    for (const io::Retries retries : {io::Retries::kSum, io::Retries::kSpan, io::Retries::kSeparate}) {
        io::ImportOptions options;
        options.retries = retries;
        options.unfinished = io::Unfinished::kUntilEnd;
        fuzz::only_errors_escape([&] {
            const io::Import imported =
                importer.import(io::ImportSource::of_text("input", std::string(fuzz::as_text(data, size))), options);
            std::size_t accounted = imported.trace.jobs.size();
            for (const auto& [reason, rows] : imported.report.dropped) { accounted += rows; }
            MEDLEY_ASSERT(accounted == imported.report.rows);
        });
    }
    return 0;
}
