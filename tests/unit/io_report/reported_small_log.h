#pragma once
/// The small log as a run to report.

#include <string>

#include "io/report/report_run.h"
#include "io/results/json_writer.h"
#include "io/results/summary_json.h"
#include "tests/unit/results/small_log.h"

namespace medley::test {

struct SmallRun {
    Metrics metrics{{}, LedgerDetail::kOverTime};
    io::JobSpans spans;
    std::string summary;

    SmallRun() {
        for (const LogRecord& record : small_log()) {
            metrics.record(record);
            spans.record(record);
        }
        io::JsonWriter json;
        io::write_summary(json, metrics.summary(), {.total_s = 1.5, .policy_s = 0.5});
        summary = json.text();
    }

    io::ReportedRun reported() const {
        return {.labels = {{.name = "policy", .value = "wfs"}}, .summary = summary, .metrics = &metrics, .spans = &spans};
    }
};

}  // namespace medley::test
