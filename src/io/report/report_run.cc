#include "io/report/report_run.h"

#include <algorithm>
#include <cmath>

#include "io/report/column_pack.h"
#include "io/report/job_columns.h"
#include "io/results/json_writer.h"
#include "io/results/summary_json.h"

namespace medley::io {
namespace {

/// Every tenth of a percent, both ends included.
constexpr std::size_t kQuantiles = 1001;

/// By linear interpolation between the nearest ranks, as the summary's percentiles.
std::vector<double> quantiles(std::vector<double> values) {
    std::vector<double> result;
    if (values.empty()) { return result; }
    std::sort(values.begin(), values.end());
    const auto last = static_cast<double>(values.size() - 1);
    for (std::size_t index = 0; index < kQuantiles; ++index) {
        const double rank = last * static_cast<double>(index) / (kQuantiles - 1);
        const auto below = static_cast<std::size_t>(rank);
        const std::size_t above = std::min(below + 1, values.size() - 1);
        result.push_back(values[below] + (values[above] - values[below]) * (rank - std::floor(rank)));
    }
    return result;
}

void add_distributions(ColumnPack& pack, const JobDistributions& of) {
    pack.add("quantile.jct_s", quantiles(of.jct_s));
    pack.add("quantile.queueing_s", quantiles(of.queueing_s));
    pack.add("quantile.waiting_s", quantiles(of.waiting_s));
    pack.add("quantile.slowdown", quantiles(of.bounded_slowdown));
    pack.add("quantile.rho", quantiles(of.ftf_rho));
}

void add_utilization(ColumnPack& pack, const Metrics& metrics) {
    std::vector<double> start, end;
    std::vector<float> present, held, running, waiting;
    for (const UtilizationBin& bin : metrics.utilization()) {
        start.push_back(to_seconds(bin.start).value);
        end.push_back(to_seconds(bin.end).value);
        present.push_back(static_cast<float>(bin.present_gpus));
        held.push_back(static_cast<float>(bin.held_gpus));
        running.push_back(static_cast<float>(bin.running_jobs));
        waiting.push_back(static_cast<float>(bin.waiting_jobs));
    }
    pack.add("load.start_s", start);
    pack.add("load.end_s", end);
    pack.add("load.present_gpus", present);
    pack.add("load.held_gpus", held);
    pack.add("load.running_jobs", running);
    pack.add("load.waiting_jobs", waiting);
}

void add_ledger(ColumnPack& pack, const LedgerSeries& ledger) {
    std::vector<double> start, end, amounts;
    for (std::size_t stretch = 0; stretch < ledger.stretches(); ++stretch) {
        start.push_back(to_seconds(ledger.start_of(stretch)).value);
        end.push_back(to_seconds(ledger.end_of(stretch)).value);
    }
    for (std::size_t type = 0; type < ledger.types(); ++type) {
        for (std::size_t bin = 0; bin < kLedgerBins; ++bin) {
            for (std::size_t stretch = 0; stretch < ledger.stretches(); ++stretch) {
                amounts.push_back(ledger.gpu_seconds(stretch, GpuTypeId(type), static_cast<LedgerBin>(bin)));
            }
        }
    }
    pack.add("ledger.start_s", start);
    pack.add("ledger.end_s", end);
    pack.add("ledger.gpu_seconds", amounts);
}

void write_types(JsonWriter& json, const JobSpans& spans) {
    json.key("gpu_types").begin_array();
    const std::vector<HeaderRecord::Type>& types = spans.header().gpu_types;
    for (std::size_t type = 0; type < types.size(); ++type) {
        json.begin_object().field("name", types[type].name).field("gpus", types[type].gpus);
        json.field("price_usd_per_hour", types[type].price_usd_per_hour).field("power_w", types[type].power_w);
        json.field("lanes", spans.lanes(GpuTypeId(type))).end_object();
    }
    json.end_array();
}

void write_names(JsonWriter& json, std::string_view key, const std::vector<std::string>& names) {
    json.key(key).begin_array();
    for (const std::string& name : names) { json.value(name); }
    json.end_array();
}

void write_time(JsonWriter& json, const Ticks& ticks, SimTime end) {
    json.field("begin_s", to_seconds(ticks.begin())).field("end_s", to_seconds(end)).field("tick_s", to_seconds(ticks.tick()));
}

std::string details(const ReportedRun& run, ColumnPack& pack, std::size_t most_spans) {
    JsonWriter json(JsonWriter::Style::kOneLine);
    json.begin_object().key("labels").begin_array();
    for (const RunLabel& label : run.labels) { json.begin_object().field("name", label.name).field("value", label.value).end_object(); }
    json.end_array().field("cluster", run.spans->header().cluster);
    write_types(json, *run.spans);
    write_names(json, "ledger_bins", {kLedgerBinNames.begin(), kLedgerBinNames.end()});
    const Ticks ticks(run.spans->begin(), run.spans->end());
    write_time(json, ticks, run.spans->end());
    if (run.with_jobs) {
        write_names(json, "models", add_job_columns(pack, *run.metrics, *run.spans, ticks));
        const LeftOut left_out = add_span_columns(pack, *run.spans, ticks, most_spans);
        json.field("spans_left_out", left_out.spans).field("longest_left_out_s", to_seconds(left_out.longest));
    }
    json.key("columns");
    pack.write_contents(json);
    json.end_object();
    return json.text();
}

std::string computed_summary(const Metrics& metrics) {
    JsonWriter json(JsonWriter::Style::kOneLine);
    write_summary(json, metrics.summary(), {});
    return json.text();
}

}  // namespace

EncodedRun encode_run(const ReportedRun& run, std::size_t most_spans) {
    ColumnPack pack;
    add_distributions(pack, run.metrics->distributions());
    add_utilization(pack, *run.metrics);
    add_ledger(pack, run.metrics->ledger_over_time());
    const std::string rest = details(run, pack, most_spans);
    const std::string summary = run.executed ? computed_summary(*run.metrics) : run.summary;
    const std::string executed = run.executed ? run.summary : "null";
    return {.json = R"({"summary":)" + summary + R"(,"executed":)" + executed + R"(,"details":)" + rest + "}", .columns = pack.packed()};
}

}  // namespace medley::io
