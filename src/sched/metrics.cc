#include "sched/metrics.h"

#include <algorithm>
#include <numeric>
#include <variant>

#include "core/error.h"
#include "sched/job_figures.h"
#include "sched/queue_trend.h"

namespace medley {
namespace {

constexpr double kSecondsPerHour = 3600;
constexpr double kWattHoursPerKilowattHour = 1000;

/// GPU time held and present, up to some moment.
struct UtilizationMark {
    GpuTime held = 0;
    GpuTime present = 0;
};

void count(Summary& summary, const JobAccount& job) {
    ++summary.jobs_total;
    summary.jobs_completed += job.state == JobOutcome::kCompleted;
    summary.jobs_rejected += job.state == JobOutcome::kRejected;
    summary.jobs_cancelled += job.state == JobOutcome::kCancelled;
    summary.jobs_unfinished += job.end == kNever;
    summary.resizes += job.resizes;
    summary.preemptions += job.preemptions;
}

}  // namespace

class Metrics::Impl {
 public:
    Impl(Window window, LedgerDetail detail) : window_(window), detail_(detail) {}

    void record(const LogRecord& record) {
        std::visit([this](const auto& known) { on(known); }, record);
    }
    Summary summary() const;
    std::size_t job_count() const { return accounts().jobs().size(); }
    JobRow row(std::size_t index) const;
    std::vector<UtilizationBin> utilization() const { return series_.bins(); }
    JobDistributions distributions() const { return sample().values(); }
    const LedgerSeries& ledger_over_time() const {
        MEDLEY_ASSERT(ledger_series_.has_value());
        return *ledger_series_;
    }

 private:
    void on(const HeaderRecord& record) {
        header_ = record;
        accounts_.emplace(record);
        accounts_->count(window_.first, window_.last);
        if (detail_ == LedgerDetail::kOverTime) { accounts_->watch(ledger_series_.emplace(record.gpu_types.size())); }
    }
    template <class Record>
    void on(const Record& record) {
        advance(record.time);
        accounts_->on(record);
    }
    void on(const ReservationRecord& record) { advance(record.time); }
    void on(const ReasonRecord& record) { advance(record.time); }
    void on(const SubmitRecord& record) {
        advance(record.time);
        if (record.job.index() == window_.first) { window_start_ = mark(); }
        accounts_->on(record);
    }
    void on(const FinishRecord& record) {
        advance(record.time);
        accounts_->on(record);
        if (window_.holds(record.job.index()) && !record.cancelled) { last_finish_ = mark(); }
    }
    void on(const EndRecord& record) {
        advance(record.time);
        accounts_->on(record);
        end_ = record;
        ended_ = true;
    }

    void advance(SimTime now);
    const JobAccounts& accounts() const {
        MEDLEY_ASSERT(ended_);
        return *accounts_;
    }
    UtilizationMark mark() const { return {.held = accounts_->keeper().held_time(), .present = accounts_->keeper().present_time()}; }
    double cluster_gpus() const;
    JobSample sample() const;
    std::optional<double> utilization_in_window(bool to_the_end) const;
    void take_resources(Summary& summary) const;
    bool saturated() const;
    std::optional<double> makespan_s() const;

    Window window_;
    LedgerDetail detail_;
    HeaderRecord header_;
    std::optional<LedgerSeries> ledger_series_;
    std::optional<JobAccounts> accounts_;
    UtilizationSeries series_;
    SimTime now_ = kNever;
    UtilizationMark window_start_, last_finish_;
    EndRecord end_;
    bool ended_ = false;
};

void Metrics::Impl::advance(SimTime now) {
    MEDLEY_ASSERT(accounts_.has_value());
    if (now == now_) { return; }
    if (now_ != kNever) {
        series_.add(now_, now,
                    {.present_gpus = static_cast<double>(accounts_->keeper().present()),
                     .held_gpus = static_cast<double>(accounts_->keeper().held()),
                     .running_jobs = static_cast<double>(accounts_->holding_jobs()),
                     .waiting_jobs = static_cast<double>(accounts_->waiting_jobs())});
    }
    accounts_->advance(now);
    now_ = now;
}

Summary Metrics::Impl::summary() const {
    Summary summary;
    summary.policy = header_.policy;
    summary.policy_options = header_.policy_options;
    summary.information_class = header_.information;
    summary.seed = header_.seed;
    summary.compat = header_.compat;
    summary.window = window_;
    const std::vector<JobAccount>& jobs = accounts().jobs();
    for (std::size_t index = window_.first; index < std::min(window_.last, jobs.size()); ++index) { count(summary, jobs[index]); }
    sample().describe(summary);
    summary.makespan_s = makespan_s();
    summary.utilization = utilization_in_window(summary.jobs_unfinished > 0);
    summary.saturated = saturated();
    take_resources(summary);
    summary.ledger = accounts_->keeper().ledger();
    summary.migrations = accounts_->counted().migrations;
    summary.evictions = accounts_->counted().evictions;
    summary.rounds = end_.decisions;
    summary.events = end_.events;
    return summary;
}

JobSample Metrics::Impl::sample() const {
    JobSample sample;
    const std::vector<JobAccount>& jobs = accounts().jobs();
    for (std::size_t index = window_.first; index < std::min(window_.last, jobs.size()); ++index) {
        sample.add(jobs[index], JobFigures(jobs[index], end_.time, cluster_gpus()));
    }
    return sample;
}

double Metrics::Impl::cluster_gpus() const {
    return std::accumulate(header_.gpu_types.begin(), header_.gpu_types.end(), 0.0,
                           [](double sum, const HeaderRecord::Type& type) { return sum + type.gpus; });
}

std::optional<double> Metrics::Impl::utilization_in_window(bool to_the_end) const {
    const UtilizationMark end = to_the_end ? mark() : last_finish_;
    if (end.present <= window_start_.present) { return std::nullopt; }
    return static_cast<double>(end.held - window_start_.held) / static_cast<double>(end.present - window_start_.present);
}

std::optional<double> Metrics::Impl::makespan_s() const {
    const std::vector<JobAccount>& jobs = accounts().jobs();
    std::optional<SimTime> first, last;
    for (std::size_t index = window_.first; index < std::min(window_.last, jobs.size()); ++index) {
        const JobAccount& job = jobs[index];
        if (job.state == JobOutcome::kRejected || job.state == JobOutcome::kCancelled) { continue; }
        first = std::min(first.value_or(job.submit), job.submit);
        if (job.state == JobOutcome::kCompleted) { last = std::max(last.value_or(job.end), job.end); }
    }
    return last ? std::optional(to_seconds(*last - *first).value) : std::nullopt;
}

bool Metrics::Impl::saturated() const {
    std::vector<QueuePoint> points;
    points.reserve(accounts().jobs().size());
    for (const JobAccount& job : accounts().jobs()) { points.push_back({.time = job.submit, .wanted_gpus = job.queue_at_submission}); }
    return queue_grows(points, cluster_gpus());
}

void Metrics::Impl::take_resources(Summary& summary) const {
    double cost = 0;
    double energy = 0;
    bool priced = true;
    bool powered = true;
    for (std::size_t type = 0; type < header_.gpu_types.size(); ++type) {
        const HeaderRecord::Type& known = header_.gpu_types[type];
        const double hours = gpu_seconds(accounts_->counted().gpu_time[type]) / kSecondsPerHour;
        summary.gpu_hours.emplace_back(known.name, hours);
        cost += hours * known.price_usd_per_hour.value_or(0);
        energy += hours * known.power_w.value_or(0) / kWattHoursPerKilowattHour;
        priced = priced && (known.price_usd_per_hour || hours == 0);
        powered = powered && (known.power_w || hours == 0);
    }
    if (priced) { summary.cost_usd = cost; }
    if (powered) { summary.energy_kwh = energy; }
}

JobRow Metrics::Impl::row(std::size_t index) const {
    const JobAccount& job = accounts().jobs()[index];
    const JobFigures figures(job, end_.time, cluster_gpus());
    JobRow row{.id = accounts_->id(index), .model = job.model, .submit = job.submit, .state = job.state};
    row.waiting_s = job.state == JobOutcome::kRejected ? 0 : figures.waiting_s();
    row.gpu_seconds = gpu_seconds(job.gpu_time);
    row.resizes = job.resizes;
    row.preemptions = job.preemptions;
    if (!job.without_price) { row.cost_usd = job.cost_usd; }
    if (job.first_start != kNever) {
        row.first_start = job.first_start;
        row.queueing_s = figures.queueing_s();
    }
    if (job.state != JobOutcome::kCompleted) { return row; }
    row.finish = job.end;
    row.jct_s = figures.jct_s();
    row.ftf_rho = figures.ftf_rho();
    row.bounded_slowdown = figures.bounded_slowdown();
    return row;
}

Metrics::Metrics(Window window, LedgerDetail detail) : impl_(std::make_unique<Impl>(window, detail)) {}
Metrics::~Metrics() = default;
void Metrics::record(const LogRecord& record) { impl_->record(record); }
Summary Metrics::summary() const { return impl_->summary(); }
std::size_t Metrics::job_count() const { return impl_->job_count(); }
JobRow Metrics::row(std::size_t index) const { return impl_->row(index); }
std::vector<UtilizationBin> Metrics::utilization() const { return impl_->utilization(); }
JobDistributions Metrics::distributions() const { return impl_->distributions(); }
const LedgerSeries& Metrics::ledger_over_time() const { return impl_->ledger_over_time(); }

}  // namespace medley
