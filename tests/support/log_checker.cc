#include "tests/support/log_checker.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <sstream>
#include <utility>

#include <nlohmann/json.hpp>

namespace medley::test {
namespace {

using Json = nlohmann::json;
using Counts = std::map<std::string, std::int64_t>;

constexpr double kWorkTolerance = 1e-6;
constexpr std::size_t kMostViolations = 20;

enum class Life { kWaiting, kStarting, kRunning, kCheckpointing, kGone };

const char* name(Life life) {
    constexpr const char* kNames[] = {"waiting", "starting", "running", "checkpointing", "gone"};
    return kNames[static_cast<int>(life)];
}

struct JobLog {
    Life life = Life::kWaiting;
    std::int64_t submitted = 0;
    double total_work = 0;
    std::set<std::string> allowed;  ///< empty = any
    std::int64_t least_gang = 1;    ///< 0 = a whole pool
    Counts held, working;
    bool resizing = false;
    bool launched_before = false;
    bool held_back = false;  ///< waits for other jobs, not for GPUs
    std::int64_t since = 0;  ///< last record
    double speed = 0;
    double communication = 0;
    double work = 0;
    double work_at_launch = 0;
    double worked_gpu_s = 0;  ///< since launch, communication included
    double waited_gpu_s = 0;  ///< of this, communication
};

std::int64_t total(const Counts& counts) {
    std::int64_t sum = 0;
    for (const auto& [type, gpus] : counts) { sum += gpus; }
    return sum;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

class Checker {
 public:
    void line(const std::string& text);
    LogReport finish();

 private:
    void violation(const std::string& what) {
        if (report_.violations.size() < kMostViolations) { report_.violations.push_back("line " + std::to_string(number_) + ": " + what); }
    }
    void require(bool holds, const std::string& what) {
        if (!holds) { violation(what); }
    }

    void dispatch(const std::string& kind, const Json& record);
    void header(const Json& record);
    void submit(const Json& record);
    void release(const Json& record);
    void launch(const Json& record);
    void resize(const Json& record);
    void run(const Json& record);
    void checkpoint(const Json& record);
    void stop(const Json& record);
    void finish_job(const Json& record);
    void reject(const Json& record);
    void capacity(const Json& record);

    JobLog* job(const Json& record, const std::set<Life>& expected);
    Counts gpus(const Json& record, const JobLog& job);
    void advance(std::int64_t now);
    void end_moment();
    void settle(JobLog& job);
    void check_work(const JobLog& job, double stated, const std::string& id);
    void hold(const Counts& counts, int sign);
    void wait(const JobLog& job, int sign);
    void leave(JobLog& job, Life next);
    bool conserves() const { return compat_.empty(); }

    LogReport report_;
    std::size_t number_ = 0;
    bool started_ = false;
    bool ended_ = false;
    std::string compat_;
    std::vector<std::string> types_;
    Counts nominal_, present_, held_;
    std::map<std::string, JobLog> jobs_;
    std::map<std::pair<std::set<std::string>, std::int64_t>, std::int64_t> waiting_;  ///< (allowed types, least gang) -> jobs
    std::vector<double> jct_s_;
    std::optional<std::int64_t> now_;
};

void Checker::line(const std::string& text) {
    ++number_;
    const Json record = Json::parse(text, nullptr, false);
    if (record.is_discarded() || !record.is_object() || !record.contains("record")) { return violation("not a record"); }
    const auto kind = record["record"].get<std::string>();
    ++report_.records;
    if (ended_) { return violation("a record after the end"); }
    if (!started_) {
        started_ = true;
        if (kind != "header") { return violation("the log does not begin with a header"); }
        return header(record);
    }
    try {
        advance(record.at("t_ns").get<std::int64_t>());
        dispatch(kind, record);
    } catch (const Json::exception& error) { violation(error.what()); }
}

void Checker::dispatch(const std::string& kind, const Json& record) {
    if (kind == "submit") { return submit(record); }
    if (kind == "release") { return release(record); }
    if (kind == "launch") { return launch(record); }
    if (kind == "resize") { return resize(record); }
    if (kind == "run") { return run(record); }
    if (kind == "checkpoint") { return checkpoint(record); }
    if (kind == "stop") { return stop(record); }
    if (kind == "finish") { return finish_job(record); }
    if (kind == "reject") { return reject(record); }
    if (kind == "capacity") { return capacity(record); }
    if (kind == "end") {
        ended_ = true;
        return end_moment();
    }
    if (kind != "reservation" && kind != "reason") { violation("unknown record " + kind); }
}

void Checker::header(const Json& record) {
    require(record.value("format", 0) == 1, "format is not 1");
    compat_ = record.value("compat", std::string());
    for (const Json& type : record.at("gpu_types")) {
        types_.push_back(type.at("name"));
        nominal_[types_.back()] = type.at("gpus");
    }
    present_ = nominal_;
}

// ---- Time ---------------------------------------------------------------------------------------------------------------------

void Checker::advance(std::int64_t now) {
    if (!now_) { now_ = now; }
    if (now < *now_) { return violation("time runs backwards"); }
    if (now == *now_) { return; }
    end_moment();
    const double seconds = static_cast<double>(now - *now_) / 1e9;
    now_ = now;
    std::set<std::string> wanted;
    for (const auto& [need, jobs] : waiting_) {
        std::int64_t room = 0;
        std::int64_t smallest_pool = 0;
        const auto allowed = need.first.empty() ? std::set<std::string>(types_.begin(), types_.end()) : need.first;
        for (const std::string& type : allowed) {
            room += std::max<std::int64_t>(0, present_[type] - held_[type]);
            if (nominal_[type] > 0 && (smallest_pool == 0 || nominal_[type] < smallest_pool)) { smallest_pool = nominal_[type]; }
        }
        if (jobs > 0 && (need.second == 0 ? smallest_pool : need.second) <= room) { wanted.insert(allowed.begin(), allowed.end()); }
    }
    for (const std::string& type : types_) {
        report_.capacity_gpu_seconds += seconds * static_cast<double>(std::max(nominal_[type], present_[type]));
        report_.ledger_gpu_seconds["down"] += seconds * static_cast<double>(std::max<std::int64_t>(0, nominal_[type] - present_[type]));
        report_.ledger_gpu_seconds[wanted.count(type) ? "fragmented" : "idle"] +=
            seconds * static_cast<double>(present_[type] - held_[type]);
    }
}

void Checker::end_moment() {
    for (const std::string& type : types_) {
        if (held_[type] > present_[type]) {
            violation(std::to_string(held_[type]) + " " + type + " held of " + std::to_string(present_[type]));
        }
    }
}

// Books the job's GPU time and work since its last record.
void Checker::settle(JobLog& job) {
    const double seconds = static_cast<double>(*now_ - job.since) / 1e9;
    job.since = *now_;
    auto& ledger = report_.ledger_gpu_seconds;
    const double held = static_cast<double>(total(job.held)) * seconds;
    const double working = static_cast<double>(total(job.working)) * seconds;
    if (job.life == Life::kStarting) { ledger["startup"] += held; }
    if (job.life == Life::kCheckpointing) { ledger["checkpoint"] += held; }
    if (job.life != Life::kRunning) { return; }
    const double waited = working * job.communication;
    ledger["useful"] += working - waited;
    ledger["communication_wait"] += waited;
    ledger["resize"] += held - working;
    job.worked_gpu_s += working;
    job.waited_gpu_s += waited;
    job.work += job.speed * seconds;
}

void Checker::check_work(const JobLog& job, double stated, const std::string& id) {
    if (!conserves()) { return; }
    const double tolerance = kWorkTolerance * std::max(1.0, job.total_work) + 2e-9 * job.speed;
    require(std::abs(job.work - stated) <= tolerance,
            "job " + id + " states " + std::to_string(stated) + " work done, speed x time gives " + std::to_string(job.work));
}

// ---- Jobs ---------------------------------------------------------------------------------------------------------------------

JobLog* Checker::job(const Json& record, const std::set<Life>& expected) {
    const auto id = record.at("job").get<std::string>();
    const auto found = jobs_.find(id);
    if (found == jobs_.end()) {
        violation("job " + id + " was never submitted");
        return nullptr;
    }
    if (expected.count(found->second.life) == 0) {
        violation("job " + id + " is " + name(found->second.life));
        return nullptr;
    }
    return &found->second;
}

Counts Checker::gpus(const Json& record, const JobLog& job) {
    Counts counts;
    for (const auto& [type, gpus] : record.at("gpus").items()) {
        require(nominal_.count(type) > 0, "unknown type " + type);
        require(gpus.get<std::int64_t>() > 0, "a count of GPUs that is not above 0");
        require(job.allowed.empty() || job.allowed.count(type) > 0, "type " + type + " is not allowed");
        counts[type] = gpus;
    }
    require(!counts.empty(), "no GPUs");
    return counts;
}

void Checker::hold(const Counts& counts, int sign) {
    for (const auto& [type, gpus] : counts) { held_[type] += sign * gpus; }
}

void Checker::wait(const JobLog& job, int sign) {
    if (!job.held_back) { waiting_[{job.allowed, job.least_gang}] += sign; }
}

void Checker::submit(const Json& record) {
    const auto [place, added] = jobs_.try_emplace(record.at("job").get<std::string>());
    if (!added) { return violation("submitted twice"); }
    JobLog& job = place->second;
    job.submitted = *now_;
    job.since = *now_;
    job.total_work = record.at("total_work");
    job.least_gang = record.value("min_gpus", 0);
    if (job.least_gang == 0) { job.least_gang = record.at("requested_gpus"); }
    if (record.contains("allowed")) {
        for (const Json& type : record["allowed"]) { job.allowed.insert(type.get<std::string>()); }
    }
    job.held_back = record.value("held_back", false);
    wait(job, +1);
}

void Checker::release(const Json& record) {
    JobLog* job = this->job(record, {Life::kWaiting});
    if (job == nullptr) { return; }
    require(job->held_back, "released without having been held back");
    job->held_back = false;
    wait(*job, +1);
}

void Checker::launch(const Json& record) {
    JobLog* job = this->job(record, {Life::kWaiting});
    if (job == nullptr) { return; }
    require(!job->held_back, "launched before the jobs it depends on are done");
    require(record.at("restart").get<bool>() == job->launched_before, "restart does not say whether the job ran before");
    wait(*job, -1);
    job->life = Life::kStarting;
    job->launched_before = true;
    job->since = *now_;
    job->held = gpus(record, *job);
    job->working.clear();
    job->work_at_launch = job->work;
    job->worked_gpu_s = 0;
    job->waited_gpu_s = 0;
    hold(job->held, +1);
}

void Checker::resize(const Json& record) {
    JobLog* job = this->job(record, {Life::kRunning});
    if (job == nullptr) { return; }
    settle(*job);
    const Counts next = gpus(record, *job);
    hold(job->held, -1);
    hold(next, +1);
    job->held = next;
    Counts kept;
    for (const auto& [type, gpus] : job->working) {
        const auto found = next.find(type);
        if (found != next.end()) { kept[type] = std::min(gpus, found->second); }
    }
    job->working = kept;
    job->resizing = true;
}

void Checker::run(const Json& record) {
    JobLog* job = this->job(record, {Life::kStarting, Life::kRunning});
    if (job == nullptr) { return; }
    settle(*job);
    check_work(*job, record.at("work_done"), record.at("job"));
    job->life = Life::kRunning;
    const bool interim = record.at("resizing");
    require(!interim || job->resizing, "an interim speed without a resize");
    if (!interim) {
        job->working = job->held;
        job->resizing = false;
    }
    job->speed = record.at("work_per_s");
    job->communication = record.at("communication_fraction");
    job->work = record.at("work_done");
    require(job->speed >= 0, "a negative speed");
    require(job->communication >= 0 && job->communication <= 1, "a share outside 0 to 1");
}

void Checker::checkpoint(const Json& record) {
    JobLog* job = this->job(record, {Life::kRunning});
    if (job == nullptr) { return; }
    settle(*job);
    check_work(*job, record.at("work_done"), record.at("job"));
    job->life = Life::kCheckpointing;
    job->speed = 0;
}

void Checker::stop(const Json& record) {
    JobLog* job = this->job(record, {Life::kStarting, Life::kRunning, Life::kCheckpointing});
    if (job == nullptr) { return; }
    settle(*job);
    const double valid = record.at("work_done");
    const double lost = record.at("work_lost");
    check_work(*job, valid + lost, record.at("job"));
    require(lost >= 0 && valid >= -1e-9, "negative work");
    const double done = valid + lost - job->work_at_launch;
    if (lost > 0 && done > 0) {
        const double share = std::min(1.0, lost / done);
        report_.ledger_gpu_seconds["lost_work"] += share * job->worked_gpu_s;
        report_.ledger_gpu_seconds["useful"] -= share * (job->worked_gpu_s - job->waited_gpu_s);
        report_.ledger_gpu_seconds["communication_wait"] -= share * job->waited_gpu_s;
    }
    leave(*job, Life::kWaiting);
    job->work = valid;
    wait(*job, +1);
}

void Checker::finish_job(const Json& record) {
    const bool cancelled = record.at("cancelled");
    JobLog* job = this->job(
        record, cancelled ? std::set{Life::kWaiting, Life::kStarting, Life::kRunning, Life::kCheckpointing} : std::set{Life::kRunning});
    if (job == nullptr) { return; }
    if (job->life == Life::kWaiting) {
        wait(*job, -1);
    } else {
        settle(*job);
    }
    check_work(*job, record.at("work_done"), record.at("job"));
    if (!cancelled) {
        ++report_.jobs_completed;
        jct_s_.push_back(static_cast<double>(*now_ - job->submitted) / 1e9);
        const double done = record.at("work_done");
        require(!conserves() || std::abs(done - job->total_work) <= kWorkTolerance * std::max(1.0, job->total_work),
                "finished without all its work");
    }
    leave(*job, Life::kGone);
}

void Checker::reject(const Json& record) {
    JobLog* job = this->job(record, {Life::kWaiting});
    if (job == nullptr) { return; }
    wait(*job, -1);
    leave(*job, Life::kGone);
}

void Checker::capacity(const Json& record) {
    const auto type = record.at("gpu_type").get<std::string>();
    require(nominal_.count(type) > 0, "unknown type " + type);
    require(record.at("gpus").get<std::int64_t>() >= 0, "negative capacity");
    present_[type] = record.at("gpus");
}

void Checker::leave(JobLog& job, Life next) {
    hold(job.held, -1);
    job.held.clear();
    job.working.clear();
    job.resizing = false;
    job.life = next;
    job.speed = 0;
    job.communication = 0;
}

LogReport Checker::finish() {
    require(started_, "an empty log");
    require(ended_, "the log does not end with an end record");
    for (auto& [id, job] : jobs_) {
        if (job.life == Life::kGone) { continue; }
        ++report_.jobs_unfinished;
        if (job.life != Life::kWaiting) { settle(job); }
    }
    if (!jct_s_.empty()) {
        double sum = 0;
        for (const double jct : jct_s_) { sum += jct; }
        report_.mean_jct_s = sum / static_cast<double>(jct_s_.size());
        report_.median_jct_s = median(jct_s_);
    }
    double booked = 0;
    for (const auto& [bin, seconds] : report_.ledger_gpu_seconds) { booked += seconds; }
    const double tolerance = 1e-9 * std::max(1.0, report_.capacity_gpu_seconds);
    require(std::abs(booked - report_.capacity_gpu_seconds) <= tolerance, "the ledger does not add up to the capacity");
    return report_;
}

bool near(double a, double b, double scale) { return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b), scale}); }

}  // namespace

LogReport check_log(std::istream& events) {
    Checker checker;
    for (std::string line; std::getline(events, line);) { checker.line(line); }
    return checker.finish();
}

LogReport check_log_text(const std::string& events) {
    std::istringstream stream(events);
    return check_log(stream);
}

std::vector<std::string> compare_with_summary(const LogReport& report, const std::string& summary_json) {
    std::vector<std::string> differences;
    const Json summary = Json::parse(summary_json);
    const auto compare = [&](const std::string& what, double log, const Json& stated, double scale) {
        if (!stated.is_number() || !near(log, stated.get<double>(), scale)) {
            differences.push_back(what + ": the log gives " + std::to_string(log) + ", the summary says " + stated.dump());
        }
    };
    compare("jobs_unfinished", static_cast<double>(report.jobs_unfinished), summary.at("jobs_unfinished"), 1);
    compare("jobs_completed", static_cast<double>(report.jobs_completed), summary.at("jobs_completed"), 1);
    for (const auto& [bin, stated] : summary.at("ledger_gpu_seconds").items()) {
        if (bin == "total") { continue; }
        const auto found = report.ledger_gpu_seconds.find(bin);
        compare("ledger " + bin, found == report.ledger_gpu_seconds.end() ? 0 : found->second, stated, report.capacity_gpu_seconds);
    }
    if (report.jobs_unfinished > 0) { return differences; }  // means then hold lower bounds of the unfinished too
    if (report.mean_jct_s) { compare("avg_jct_s", *report.mean_jct_s, summary.at("avg_jct_s"), 1); }
    if (report.median_jct_s) { compare("median_jct_s", *report.median_jct_s, summary.at("median_jct_s"), 1); }
    return differences;
}

}  // namespace medley::test
