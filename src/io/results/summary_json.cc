#include "io/results/summary_json.h"

namespace medley::io {
namespace {

constexpr int kFormat = 1;

void write_identity(JsonWriter& json, const Summary& summary) {
    json.field("format", kFormat).field("policy", summary.policy);
    json.key("policy_options").begin_object();
    for (const auto& [key, value] : summary.policy_options) { json.field(key, value); }
    json.end_object();
    json.field("information_class", to_string(summary.information_class)).field("seed", summary.seed).field("compat", summary.compat);
}

void write_window(JsonWriter& json, const Window& window) {
    json.key("window");
    if (window.whole()) {
        json.null();
        return;
    }
    json.begin_object().field("first", window.first).field("last", window.last).end_object();
}

void write_jobs(JsonWriter& json, const Summary& summary) {
    json.field("jobs_total", summary.jobs_total).field("jobs_completed", summary.jobs_completed);
    json.field("jobs_rejected", summary.jobs_rejected).field("jobs_cancelled", summary.jobs_cancelled);
    json.field("jobs_unfinished", summary.jobs_unfinished);
    write_window(json, summary.window);
    json.field("saturated", summary.saturated);
}

void write_times(JsonWriter& json, const Summary& summary) {
    json.field("avg_jct_s", summary.avg_jct_s).field("median_jct_s", summary.median_jct_s);
    json.field("p90_jct_s", summary.p90_jct_s).field("p99_jct_s", summary.p99_jct_s).field("makespan_s", summary.makespan_s);
    json.field("avg_queueing_s", summary.avg_queueing_s).field("median_queueing_s", summary.median_queueing_s);
    json.field("avg_waiting_s", summary.avg_waiting_s).field("avg_bounded_slowdown", summary.avg_bounded_slowdown);
}

void write_fairness(JsonWriter& json, const Summary& summary) {
    json.field("utilization", summary.utilization).field("avg_ftf_rho", summary.avg_ftf_rho).field("max_ftf_rho", summary.max_ftf_rho);
    json.field("jain_fairness", summary.jain_fairness).field("deadline_miss_fraction", summary.deadline_miss_fraction);
}

void write_gpu_time(JsonWriter& json, const Summary& summary) {
    json.key("gpu_hours").begin_object();
    for (const auto& [type, hours] : summary.gpu_hours) { json.field(type.text(), hours); }
    json.end_object();
    json.field("cost_usd", summary.cost_usd).field("energy_kwh", summary.energy_kwh);
    json.key("ledger_gpu_seconds").begin_object();
    for (std::size_t bin = 0; bin < kLedgerBins; ++bin) { json.field(kLedgerBinNames[bin], gpu_seconds(summary.ledger.bins[bin])); }
    json.field("total", gpu_seconds(summary.ledger.total())).end_object();
}

void write_counts(JsonWriter& json, const Summary& summary) {
    json.field("resizes", summary.resizes).field("preemptions", summary.preemptions);
    json.field("migrations", summary.migrations).field("evictions", summary.evictions);
    json.field("rounds", summary.rounds).field("events", summary.events);
}

}  // namespace

void write_summary(JsonWriter& json, const Summary& summary, const WallTimes& wall) {
    json.begin_object();
    write_identity(json, summary);
    write_jobs(json, summary);
    write_times(json, summary);
    write_fairness(json, summary);
    write_gpu_time(json, summary);
    write_counts(json, summary);
    json.field("wall_s", wall.total_s).field("wall_policy_s", wall.policy_s).end_object();
}

}  // namespace medley::io
