#include "io/profile_formats/gavel.h"
#include "io/profile_formats/jabas.h"
#include "io/profile_formats/sailor.h"
#include "io/profile_formats/sia.h"
#include "io/profile_formats/throughputs.h"
#include "tests/fuzz/fuzz_target.h"

using namespace medley;

namespace {

// No row disappears without a reason, and what is kept is a profile.
void check(const io::ProfileImport& imported) {
    std::size_t accounted = imported.report.kept;
    for (const auto& [reason, rows] : imported.report.dropped) { accounted += rows; }
    MEDLEY_ASSERT(accounted == imported.report.rows);
    for (const Profile& profile : imported.profiles) {
        try {
            profile.validate();
        } catch (const Error& error) { throw error.in_file("input"); }
    }
}

template <class Add>
void try_adding(const Add& add) {
    fuzz::only_errors_escape([&] {
        io::ProfileCollection collection;
        add(collection);
        check(collection.finish("seconds"));
    });
}

}  // namespace

// Each input is tried as every format.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::as_text(data, size);
    const io::MeasuredOn on{.model = "model", .gpu_type = "V100"};
    fuzz::only_errors_escape([&] { check(io::import_gavel_profiles(text, "input")); });
    fuzz::only_errors_escape([&] { check(io::import_throughputs(text, "input", {})); });
    try_adding([&](io::ProfileCollection& collection) { io::add_sia_rows(text, "input", on, collection); });
    try_adding([&](io::ProfileCollection& collection) { io::add_jabas_step(text, "input", collection); });
    try_adding([&](io::ProfileCollection& collection) { io::add_jabas_buckets(text, "input", collection); });
    try_adding([&](io::ProfileCollection& collection) { io::add_sailor_profile(text, "input", on, collection); });
    try_adding([&](io::ProfileCollection& collection) { io::add_sailor_models(text, "input", collection); });
    return 0;
}
