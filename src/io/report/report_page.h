#pragma once
/// `medley report`: the page, with runs inside, as one HTML file that needs nothing else.

#include <string>
#include <string_view>
#include <vector>

#include "io/report/report_run.h"
#include "io/results/output_file.h"

namespace medley::io {

/// The page as built from src/report, with two places to fill; empty in a build without Node.js and npm.
std::string_view report_page();

/// Throws medley::Error saying what is missing if this program was built without the page.
void require_report_page();

struct ReportDocument {
    std::string title;
    std::string ranked_by;  ///< figure of a comparison that ranks; empty = none
    std::vector<EncodedRun> runs;
};

/// Whatever names and texts the runs hold, they stay data: nothing of them is read as HTML or script. Throws medley::Error when the file
/// cannot be written, or as `require_report_page`; its owner commits the file.
void write_report(OutputFile& file, const ReportDocument& document);

/// The same with a page given, for tests.
std::string fill_report_page(std::string_view page, const ReportDocument& document);

}  // namespace medley::io
