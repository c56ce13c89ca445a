#include "sched/job_accounts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"

namespace medley {
namespace {

constexpr std::uint32_t kNoHolding = ~std::uint32_t{0};
constexpr double kNanosecondsPerHour = 3600e9;

std::vector<int> nominal_gpus(const HeaderRecord& header) {
    std::vector<int> gpus;
    for (const HeaderRecord::Type& type : header.gpu_types) { gpus.push_back(type.gpus); }
    return gpus;
}

int count_of(const Grants& grants, GpuTypeId type) {
    const auto found = std::find_if(grants.begin(), grants.end(), [&](const Grant& grant) { return grant.type == type; });
    return found == grants.end() ? 0 : found->gpus;
}

// What stays of `kept` inside `held`.
void limit(Grants& kept, const Grants& held) {
    for (Grant& grant : kept) { grant.gpus = std::min(grant.gpus, count_of(held, grant.type)); }
}

// Not llround: GPU time outgrows 64 bits.
GpuTime share(GpuTime time, double fraction) { return static_cast<GpuTime>(std::floor(static_cast<double>(time) * fraction + 0.5)); }

// A pool job starts with a whole type at least.
int least_gang(const SubmitRecord& record, const LedgerKeeper& keeper, std::size_t types) {
    if (record.min_gpus > 0) { return record.min_gpus; }
    if (record.gpus != kWholePool) { return record.gpus; }
    int least = std::numeric_limits<int>::max();
    for (std::size_t type = 0; type < types; ++type) {
        const int pool = keeper.nominal(GpuTypeId(type));
        if (((record.allowed >> type) & 1U) != 0 && pool > 0) { least = std::min(least, pool); }
    }
    return least;
}

}  // namespace

const char* to_string(JobOutcome outcome) {
    switch (outcome) {
        case JobOutcome::kWaiting: return "waiting";
        case JobOutcome::kRunning: return "running";
        case JobOutcome::kCompleted: return "completed";
        case JobOutcome::kCancelled: return "cancelled";
        case JobOutcome::kRejected: return "rejected";
    }
    return "unknown";
}

JobAccounts::JobAccounts(const HeaderRecord& header) : keeper_(nominal_gpus(header)), types_(header.gpu_types) {
    counted_.gpu_time.resize(types_.size(), 0);
}

std::string_view JobAccounts::id(std::size_t job) const {
    const std::size_t start = job == 0 ? 0 : id_ends_[job - 1];
    return std::string_view(ids_).substr(start, id_ends_[job] - start);
}

void JobAccounts::advance(SimTime now) {
    if (now_ == kNever) { now_ = now; }
    MEDLEY_ASSERT(now >= now_);
    keeper_.advance(now);
    present_integral_ += GpuTime{present_} * (now - now_).value;
    now_ = now;
}

// ---- A job's life -------------------------------------------------------------------------------------------------------------

void JobAccounts::on(const SubmitRecord& record) {
    MEDLEY_ASSERT(record.job.index() == jobs_.size());
    ids_ += record.id;
    id_ends_.push_back(ids_.size());
    jobs_.push_back({.present_integral = present_integral_,
                     .model = record.model,
                     .submit = record.time,
                     .alone_s = record.alone.value,
                     .isolated_s = record.isolated.value,
                     .nominal_gpus = record.nominal_gpus,
                     .deadline_s = record.deadline ? record.deadline->value : 0,
                     .queue_at_submission = static_cast<float>(queue_gpus_),
                     .needs = keeper_.waiting().class_of(record.allowed, least_gang(record, keeper_, types_.size())),
                     .held_back = record.held_back});
    ++present_;
    if (!record.held_back) { start_waiting(jobs_.back(), +1); }
}

void JobAccounts::on(const ReleaseRecord& record) {
    JobAccount& job = account(record.job);
    if (job.held_back) { start_waiting(job, +1); }
    job.held_back = false;
}

void JobAccounts::on(const RejectRecord& record) {
    stop_waiting(account(record.job));
    leave(record.job, JobOutcome::kRejected);
}

void JobAccounts::on(const LaunchRecord& record) {
    JobAccount& job = account(record.job);
    stop_waiting(job);
    job.state = JobOutcome::kRunning;
    job.first_start = std::min(job.first_start, record.time);
    Holding& holding = add_holding(record.job);
    holding.held = record.grants;
    holding.bin = LedgerBin::kStartup;
    enter_ledger(holding, +1);
}

void JobAccounts::on(const ResizeRecord& record) {
    ++account(record.job).resizes;
    Holding& holding = this->holding(record.job);
    settle(holding);
    enter_ledger(holding, -1);
    if (!holding.resizing) { holding.kept = holding.held; }
    limit(holding.kept, record.grants);
    holding.resizing = true;
    holding.held = record.grants;
    enter_ledger(holding, +1);
}

void JobAccounts::on(const RunRecord& record) {
    Holding& holding = this->holding(record.job);
    settle(holding);
    enter_ledger(holding, -1);
    if (!holding.has_run) { holding.work_at_launch = record.work_done; }
    holding.has_run = true;
    holding.bin = LedgerBin::kUseful;
    holding.communication_fraction = record.communication_fraction;
    holding.resizing = holding.resizing && record.resizing;
    enter_ledger(holding, +1);
}

void JobAccounts::on(const CheckpointRecord& record) {
    Holding& holding = this->holding(record.job);
    settle(holding);
    enter_ledger(holding, -1);
    holding.bin = LedgerBin::kCheckpoint;
    holding.resizing = false;
    enter_ledger(holding, +1);
}

void JobAccounts::on(const StopRecord& record) {
    JobAccount& job = account(record.job);
    ++job.preemptions;
    counted_.migrations += counts(record.job) && record.reason == StopReason::kMigrating;
    counted_.evictions += counts(record.job) && record.reason == StopReason::kCapacityLost;
    Holding& holding = this->holding(record.job);
    settle(holding);
    lose(holding, record);
    drop_holding(record.job);
    job.state = JobOutcome::kWaiting;
    start_waiting(job, +1);
}

void JobAccounts::on(const FinishRecord& record) {
    JobAccount& job = account(record.job);
    if (job.holding == kNoHolding) {
        stop_waiting(job);
    } else {
        settle(holding(record.job));
        drop_holding(record.job);
    }
    leave(record.job, record.cancelled ? JobOutcome::kCancelled : JobOutcome::kCompleted);
}

void JobAccounts::on(const CapacityRecord& record) { keeper_.set_present(record.type, record.gpus); }

void JobAccounts::on(const EndRecord&) {
    for (JobAccount& job : jobs_) {
        if (job.end != kNever) { continue; }
        if (job.holding != kNoHolding) { settle(holdings_[job.holding]); }
        job.present_integral = present_integral_ - job.present_integral;
    }
}

void JobAccounts::leave(JobId id, JobOutcome outcome) {
    JobAccount& job = account(id);
    job.state = outcome;
    job.end = now_;
    job.present_integral = present_integral_ - job.present_integral;
    --present_;
}

void JobAccounts::stop_waiting(JobAccount& job) {
    if (!job.held_back) { start_waiting(job, -1); }
    job.held_back = false;
}

void JobAccounts::start_waiting(const JobAccount& job, int sign) {
    waiting_ += sign;
    queue_gpus_ += sign * job.nominal_gpus;
    if (waiting_ == 0) { queue_gpus_ = 0; }  // sums of doubles leave crumbs
    if (sign > 0) {
        keeper_.waiting().add(job.needs);
    } else {
        keeper_.waiting().remove(job.needs);
    }
}

// ---- What jobs hold -----------------------------------------------------------------------------------------------------------

JobAccount& JobAccounts::account(JobId job) {
    MEDLEY_ASSERT(job.index() < jobs_.size());
    return jobs_[job.index()];
}

JobAccounts::Holding& JobAccounts::holding(JobId job) {
    const std::uint32_t place = account(job).holding;
    MEDLEY_ASSERT(place != kNoHolding);
    return holdings_[place];
}

JobAccounts::Holding& JobAccounts::add_holding(JobId job) {
    MEDLEY_ASSERT(account(job).holding == kNoHolding);
    if (free_holdings_.empty()) {
        free_holdings_.push_back(static_cast<std::uint32_t>(holdings_.size()));
        holdings_.emplace_back();
    }
    const std::uint32_t place = free_holdings_.back();
    free_holdings_.pop_back();
    account(job).holding = place;
    Holding& holding = holdings_[place];
    holding.job = job;
    holding.since = now_;
    return holding;
}

// The vectors keep their memory for the next job that takes this place.
void JobAccounts::drop_holding(JobId job) {
    Holding& holding = this->holding(job);
    enter_ledger(holding, -1);
    holding.communication_fraction = 0;
    holding.resizing = false;
    holding.has_run = false;
    holding.worked = 0;
    holding.worked_spans.clear();
    holding.waited = 0;
    free_holdings_.push_back(account(job).holding);
    account(job).holding = kNoHolding;
}

int JobAccounts::working_gpus(const Holding& holding, const Grant& grant) {
    return holding.resizing ? count_of(holding.kept, grant.type) : grant.gpus;
}

void JobAccounts::enter_ledger(Holding& holding, int sign) {
    holding.working_gpus = 0;
    for (const Grant& grant : holding.held) {
        const int working = working_gpus(holding, grant);
        holding.working_gpus += working;
        keeper_.hold(holding.bin, grant.type, sign * working);
        if (grant.gpus > working) { keeper_.hold(LedgerBin::kResize, grant.type, sign * (grant.gpus - working)); }
    }
}

void JobAccounts::settle(Holding& holding) {
    const SimTime since = holding.since;
    const std::int64_t span = (now_ - since).value;
    holding.since = now_;
    if (span == 0) { return; }
    bill(account(holding.job), holding, span);
    if (holding.bin != LedgerBin::kUseful) { return; }
    const GpuTime worked = GpuTime{holding.working_gpus} * span;
    const GpuTime waited = share(worked, holding.communication_fraction);
    holding.worked += worked;
    holding.waited += waited;
    keeper_.move(LedgerBin::kUseful, LedgerBin::kCommunication, waited);
    if (series_ != nullptr) { follow_work(holding, since); }
}

void JobAccounts::follow_work(Holding& holding, SimTime since) {
    for (const Grant& grant : holding.held) {
        const double working = working_gpus(holding, grant);
        const double waiting = working * holding.communication_fraction;
        const LedgerSeries::Span span{.type = grant.type, .from = since, .to = now_};
        series_->move(span, LedgerBin::kUseful, LedgerBin::kCommunication, waiting);
        holding.worked_spans.push_back({.span = span, .useful_gpus = working - waiting, .waiting_gpus = waiting});
    }
}

void JobAccounts::bill(JobAccount& job, const Holding& holding, std::int64_t span) {
    const bool counted = counts(holding.job);
    job.held += SimTime{span};
    for (const Grant& grant : holding.held) {
        const GpuTime time = GpuTime{grant.gpus} * span;
        const HeaderRecord::Type& type = types_[grant.type.index()];
        job.gpu_time += time;
        if (counted) { counted_.gpu_time[grant.type.index()] += time; }
        if (type.price_usd_per_hour) {
            job.cost_usd += static_cast<double>(time) / kNanosecondsPerHour * *type.price_usd_per_hour;
        } else {
            job.without_price = true;
        }
    }
}

// Lost work is a share of what the job did since its launch; its time goes over in the same proportion.
void JobAccounts::lose(const Holding& holding, const StopRecord& record) {
    const double done = record.work_done + record.work_lost - holding.work_at_launch;
    if (record.work_lost <= 0 || done <= 0) { return; }
    const double fraction = std::min(1.0, record.work_lost / done);
    keeper_.move(LedgerBin::kUseful, LedgerBin::kLostWork, share(holding.worked - holding.waited, fraction));
    keeper_.move(LedgerBin::kCommunication, LedgerBin::kLostWork, share(holding.waited, fraction));
    lose_over_time(holding, fraction);
}

void JobAccounts::lose_over_time(const Holding& holding, double fraction) {
    for (const WorkedSpan& worked : holding.worked_spans) {
        series_->move(worked.span, LedgerBin::kUseful, LedgerBin::kLostWork, worked.useful_gpus * fraction);
        series_->move(worked.span, LedgerBin::kCommunication, LedgerBin::kLostWork, worked.waiting_gpus * fraction);
    }
}

}  // namespace medley
