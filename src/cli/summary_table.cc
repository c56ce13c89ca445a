#include "cli/summary_table.h"

#include <fmt/format.h>

#include "cli/table.h"

namespace medley::cli {
namespace {

std::string seconds(const std::optional<double>& value) { return value ? show_duration(Seconds{*value}) : show_duration(std::nullopt); }

std::string policy_text(const Summary& summary) {
    std::string text = summary.policy;
    for (const auto& [key, value] : summary.policy_options) {
        text += fmt::format("{}{}={}", text == summary.policy ? ":" : ",", key, value);
    }
    text += fmt::format(" (knows: {})", to_string(summary.information_class));
    return summary.compat.empty() ? text : text + fmt::format(", counted as {}", summary.compat);
}

std::string jobs_text(const Summary& summary) {
    std::string text = fmt::format("{} of {} completed", summary.jobs_completed, summary.jobs_total);
    const auto add = [&](std::size_t jobs, const char* what) {
        if (jobs > 0) { text += fmt::format(", {} {}", jobs, what); }
    };
    add(summary.jobs_rejected, "rejected");
    add(summary.jobs_cancelled, "cancelled");
    add(summary.jobs_unfinished, "unfinished");
    if (!summary.window.whole()) { text += fmt::format("; figures of jobs {}:{}", summary.window.first, summary.window.last); }
    return summary.saturated ? text + "; the queue still grows" : text;
}

void add_times(KeyValues& lines, const Summary& summary) {
    lines.add("JCT mean", seconds(summary.avg_jct_s));
    lines.add("JCT median", seconds(summary.median_jct_s));
    lines.add("JCT 90 %, 99 %", seconds(summary.p90_jct_s) + ", " + seconds(summary.p99_jct_s));
    lines.add("makespan", seconds(summary.makespan_s));
    lines.add("queueing mean", seconds(summary.avg_queueing_s));
    lines.add("queueing median", seconds(summary.median_queueing_s));
    lines.add("waiting mean", seconds(summary.avg_waiting_s));
    lines.add("slowdown mean", show_number(summary.avg_bounded_slowdown));
}

void add_use(KeyValues& lines, const Summary& summary) {
    lines.add("utilization", summary.utilization ? show_percent(*summary.utilization) : "-");
    lines.add("fairness", fmt::format("rho mean {}, rho max {}, Jain {}", show_number(summary.avg_ftf_rho),
                                      show_number(summary.max_ftf_rho), show_number(summary.jain_fairness)));
    if (summary.deadline_miss_fraction) { lines.add("deadlines missed", show_percent(*summary.deadline_miss_fraction)); }
    std::string hours;
    for (const auto& [type, used] : summary.gpu_hours) {
        hours += fmt::format("{}{} {}", hours.empty() ? "" : ", ", type.text(), show_number(used));
    }
    lines.add("GPU-hours held", hours);
    if (summary.cost_usd) { lines.add("cost", fmt::format("{} USD", show_number(summary.cost_usd))); }
    if (summary.energy_kwh) { lines.add("energy", fmt::format("{} kWh", show_number(summary.energy_kwh))); }
    lines.add("changes", count_of(summary.resizes, "resize") + ", " + count_of(summary.preemptions, "preemption"));
    lines.add("policy asked", count_of(summary.rounds, "time") + ", " + count_of(summary.events, "event"));
}

std::string ledger_text(const Ledger& ledger) {
    Table table({{"GPU time", Align::kLeft}, {"GPU-hours"}, {"share"}});
    const double total = gpu_seconds(ledger.total());
    for (std::size_t bin = 0; bin < kLedgerBins; ++bin) {
        const double used = gpu_seconds(ledger.bins[bin]);
        if (used > 0) { table.add_row({kLedgerBinNames[bin], show_number(used / 3600), show_percent(used / total)}); }
    }
    table.add_row({"total", show_number(total / 3600), show_percent(1)});
    return table.text();
}

}  // namespace

std::string describe(const Summary& summary, const std::string& out) {
    KeyValues lines;
    lines.add("policy", policy_text(summary));
    lines.add("jobs", jobs_text(summary));
    add_times(lines, summary);
    add_use(lines, summary);
    std::string text = lines.text() + "\n" + ledger_text(summary.ledger);
    if (!out.empty()) { text += fmt::format("\nwritten to {}: summary.json, jobs.csv, events.jsonl, utilization.csv\n", out); }
    return text;
}

}  // namespace medley::cli
