#include "cli/trace_output.h"

#include "cli/options.h"
#include "core/error.h"
#include "io/results/output_file.h"

namespace medley::cli {

bool to_standard_output(const std::string& path) { return path.empty() || path == "-"; }

void check_trace_output(const Console& console, const std::string& path) {
    require_plain_name("--output", path);
    if (console.json && to_standard_output(path)) {
        throw Error(Problem{.place = "--json", .expected = "--output FILE beside it: without one, the trace itself is printed"});
    }
}

void write_trace(const Console& console, const std::string& path, const std::string& text) {
    if (to_standard_output(path)) {
        console.print(text);
    } else {
        io::write_text_file(path, text);
    }
}

}  // namespace medley::cli
