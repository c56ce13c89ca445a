#include "io/site_rules_file.h"
#include "tests/fuzz/fuzz_target.h"

using namespace medley;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::only_errors_escape([&] {
        const SiteRules rules = io::parse_site_rules(fuzz::as_text(data, size), "input");
        MEDLEY_ASSERT(io::parse_site_rules(io::format_site_rules(rules), "written") == rules);
    });
    return 0;
}
