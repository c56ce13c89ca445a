/// One fuzz target for each importer: MEDLEY_IMPORTER names it.

#include <map>
#include <string>

#include "io/availability_file.h"
#include "io/importers/importer.h"
#include "io/trace_file.h"
#include "tests/fuzz/fuzz_target.h"

using namespace medley;

namespace {

// An input that begins with "=== NAME" is a folder: each such line begins a file.
io::ImportSource source_of(std::string_view input) {
    constexpr std::string_view kMark = "=== ";
    if (!input.starts_with(kMark)) { return io::ImportSource::of_text("input", std::string(input)); }
    std::map<std::string, std::string, std::less<>> files;
    while (!input.empty()) {
        const std::size_t name_end = std::min(input.find('\n'), input.size());
        const std::string name(input.substr(std::min(kMark.size(), name_end), name_end - std::min(kMark.size(), name_end)));
        input.remove_prefix(std::min(name_end + 1, input.size()));
        const std::size_t next = input.find("\n=== ");
        const std::size_t length = next == std::string_view::npos ? input.size() : next + 1;
        files[name] = input.substr(0, length);
        input.remove_prefix(length);
    }
    return io::ImportSource::of_texts("input", std::move(files));
}

io::ImportOptions options_of(std::string_view input) {
    io::ImportOptions options{.seed = 1, .models = {{Name("a"), 32}, {Name("b"), 0}}, .reference_gpu_type = Name("V100")};
    const std::size_t choice = input.size();
    options.zero_gpus = choice % 2 == 0 ? io::ZeroGpus::kDrop : io::ZeroGpus::kOneGpu;
    options.zero_duration = choice % 3 == 0 ? io::ZeroDuration::kDrop : io::ZeroDuration::kOneSecond;
    options.unfinished = choice % 5 < 2 ? io::Unfinished::kDrop : io::Unfinished::kUntilEnd;
    options.retries = static_cast<io::Retries>(choice % 7 % 3);
    return options;
}

}  // namespace

// No row disappears without a reason, what comes out is valid, and capacity never falls below nothing.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const io::Importer& importer = io::find_importer(MEDLEY_IMPORTER);
    const std::string_view input = fuzz::as_text(data, size);
    fuzz::only_errors_escape([&] {
        const io::Import imported = importer.import(source_of(input), options_of(input));
        std::size_t accounted = imported.trace.jobs.size();
        for (const auto& [reason, rows] : imported.report.dropped) { accounted += rows; }
        MEDLEY_ASSERT(accounted == imported.report.rows || importer.kind() == io::SourceKind::kCapacity);
        bool readable = true;
        try {
            const std::string text = io::format_trace(imported.trace);
            readable = io::format_trace(io::parse_trace(text, "again")) == text;
        } catch (const Error&) { readable = false; }
        MEDLEY_ASSERT(readable);
        if (!imported.cluster) { return; }
        std::vector<int> capacity = imported.cluster->capacity();
        for (const io::CapacityStep& step :
             io::parse_availability(io::format_availability(imported.capacity), "input", *imported.cluster)) {
            capacity[step.type.index()] += step.delta;
            MEDLEY_ASSERT(capacity[step.type.index()] >= 0);
        }
    });
    return 0;
}
