#include "sched/job_figures.h"

#include <algorithm>

#include "sched/statistics.h"

namespace medley {

double JobFigures::queueing_s() const { return to_seconds(std::min(job_.first_start, end_) - job_.submit).value; }

double JobFigures::bounded_slowdown() const {
    constexpr double kShortestRun_s = 10;
    return std::max(1.0, jct_s() / std::max(job_.alone_s, kShortestRun_s));
}

double JobFigures::mean_jobs_present() const {
    const double life = static_cast<double>((end_ - job_.submit).value);
    return life > 0 ? static_cast<double>(job_.present_integral) / life : 1;
}

std::optional<double> JobFigures::ftf_rho() const {
    if (job_.isolated_s <= 0) { return std::nullopt; }
    const double shares = std::max(1.0, mean_jobs_present() * job_.nominal_gpus / cluster_gpus_);
    return jct_s() / (job_.isolated_s * shares);
}

void JobSample::add(const JobAccount& job, const JobFigures& figures) {
    if (job.deadline_s > 0 && job.state != JobOutcome::kCancelled) {
        ++with_deadline_;
        missed_ += figures.missed_deadline();
    }
    if (job.state == JobOutcome::kRejected || job.state == JobOutcome::kCancelled) { return; }
    values_.jct_s.push_back(figures.jct_s());
    values_.queueing_s.push_back(figures.queueing_s());
    values_.waiting_s.push_back(figures.waiting_s());
    values_.bounded_slowdown.push_back(figures.bounded_slowdown());
    if (const auto rho = figures.ftf_rho()) { values_.ftf_rho.push_back(*rho); }
}

void JobSample::describe(Summary& summary) {
    summary.avg_jct_s = mean(values_.jct_s);
    summary.median_jct_s = percentile(values_.jct_s, 50);
    summary.p90_jct_s = percentile(values_.jct_s, 90);
    summary.p99_jct_s = percentile(values_.jct_s, 99);
    summary.avg_queueing_s = mean(values_.queueing_s);
    summary.median_queueing_s = percentile(values_.queueing_s, 50);
    summary.avg_waiting_s = mean(values_.waiting_s);
    summary.avg_bounded_slowdown = mean(values_.bounded_slowdown);
    summary.avg_ftf_rho = mean(values_.ftf_rho);
    if (!values_.ftf_rho.empty()) { summary.max_ftf_rho = *std::max_element(values_.ftf_rho.begin(), values_.ftf_rho.end()); }
    std::vector<double> progress;
    for (const double rho : values_.ftf_rho) {
        if (rho > 0) { progress.push_back(1 / rho); }
    }
    summary.jain_fairness = jain_index(progress);
    if (with_deadline_ > 0) { summary.deadline_miss_fraction = static_cast<double>(missed_) / static_cast<double>(with_deadline_); }
}

}  // namespace medley
