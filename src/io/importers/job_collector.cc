#include "io/importers/job_collector.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <unordered_set>

#include <fmt/format.h>

#include "core/error.h"
#include "io/scalar.h"

namespace medley::io {
namespace {

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result) {
        if (c >= 'A' && c <= 'Z') { c = static_cast<char>(c - 'A' + 'a'); }
    }
    return result;
}

SimTime parse_origin(const std::string& text, const ZoneRule& zone) {
    const auto time = parse_civil_time(text);
    if (!time) { refuse_value("origin", text, "a time such as 2020-03-18 04:01:39"); }
    return zone.to_utc(*time);
}

void count(RowCounts& counts, std::string_view reason, std::size_t records) {
    const auto found = counts.find(reason);
    if (found != counts.end()) {
        found->second += records;
    } else {
        counts.emplace(reason, records);
    }
}

// The extras were made here and are shared with nobody yet.
JobExtras& own(const Job& job) { return *std::const_pointer_cast<JobExtras>(job.extras); }

/// Can a trace hold it?
bool representable(SimTime time) { return time.value >= 0 && to_seconds(time).value <= kLongestSeconds; }

int widest_pool(const Cluster& cluster, const Job& job) {
    const std::vector<int> capacity = cluster.capacity();
    int widest = 0;
    for (std::size_t type = 0; type < capacity.size(); ++type) {
        const auto& allowed = job.allowed_types();
        const Name& name = cluster.gpu_types[type].name;
        if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), name) == allowed.end()) { continue; }
        widest = std::max(widest, capacity[type]);
    }
    return widest;
}

}  // namespace

/// Ids seen so far, as positions in the trace: eight bytes an id, open addressing, so that millions of jobs cost one probe each.
class JobCollector::Ids {
 public:
    /// False if the id of the job at `position` (the last) was there before.
    bool insert(const std::vector<Job>& jobs, std::size_t position) {
        if (2 * (position + 1) > slots_.size()) { grow(jobs, position); }
        const std::string& id = jobs[position].id;
        const std::uint64_t hash = std::hash<std::string_view>{}(id);
        for (std::size_t slot = hash & (slots_.size() - 1);; slot = (slot + 1) & (slots_.size() - 1)) {
            Slot& entry = slots_[slot];
            if (entry.position == kFree) {
                entry = {.tag = tag(hash), .position = static_cast<std::uint32_t>(position)};
                return true;
            }
            if (entry.tag == tag(hash) && jobs[entry.position].id == id) { return false; }
        }
    }

 private:
    static constexpr std::uint32_t kFree = std::numeric_limits<std::uint32_t>::max();
    struct Slot {
        std::uint32_t tag = 0;
        std::uint32_t position = kFree;
    };

    static std::uint32_t tag(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32U); }

    void grow(const std::vector<Job>& jobs, std::size_t used) {
        MEDLEY_ASSERT(used < kFree);
        slots_.assign(std::max<std::size_t>(1024, 4 * slots_.size()), Slot{});
        for (std::size_t position = 0; position < used; ++position) { insert(jobs, position); }
    }

    std::vector<Slot> slots_;
};

JobCollector::JobCollector(const ImportOptions& options, SourceClock clock, const ZoneRule& zone)
    : options_(options), clock_(clock), assignment_(options), ids_(std::make_unique<Ids>()) {
    for (const std::string& state : options.states) { wanted_states_.push_back(lower(state)); }
    state_seen_.resize(wanted_states_.size());
    if (options.origin.empty()) { return; }
    if (clock == SourceClock::kTraceStart) { refuse_value("origin", options.origin, "none: this source's times are no dates"); }
    origin_ = parse_origin(options.origin, zone);
}

JobCollector::~JobCollector() = default;

void JobCollector::drop(std::string_view reason) {
    ++import_.report.rows;
    count(import_.report.dropped, reason, 1);
}

void JobCollector::change(std::string_view reason, std::size_t records) { count(import_.report.changed, reason, records); }

void JobCollector::add(RecordedJob&& record) {
    if (const std::string_view reason = reason_to_drop(record); !reason.empty()) { return drop(reason); }
    std::vector<Job>& jobs = import_.trace.jobs;
    jobs.push_back(std::move(record.job));
    if (!ids_->insert(jobs, jobs.size() - 1)) {
        jobs.pop_back();
        return drop("job_id seen before");
    }
    ++import_.report.rows;
    Job& job = jobs.back();
    saw(job.submit);
    if (record.extras.recorded_start) { saw(*record.extras.recorded_start); }
    if (record.extras.recorded_end) { saw(*record.extras.recorded_end); }
    if (record.running_since) {
        saw(*record.running_since);
        running_.emplace_back(jobs.size() - 1, *record.running_since);
    }
    if (record.extras.says_anything()) { job.extras = std::make_shared<JobExtras>(std::move(record.extras)); }
    assignment_.assign(job);
}

std::string_view JobCollector::reason_to_drop(RecordedJob& record) {
    Job& job = record.job;
    if (job.id.empty()) { return "no job_id"; }
    if (!wanted_states_.empty() && !state_wanted(record.extras.recorded_state)) { return "state not asked for"; }
    if (job.submit.value < 0) { return "no submission time"; }
    if (job.duration.value > kLongestSeconds) { return "ran for more than 100 years"; }
    if (origin_ && job.submit < *origin_) { return "submitted before the origin"; }
    if (job.gpus == 0) {
        if (options_.zero_gpus == ZeroGpus::kDrop) { return "no GPUs"; }
        job.gpus = 1;
        change("no GPUs: counted as one");
    }
    if (record.running_since) { return options_.unfinished == Unfinished::kDrop ? "still running at the end of the source" : ""; }
    if (job.steps == 0 && job.duration.value < 0) { return "run time not known"; }
    if (job.steps == 0 && job.duration.value == 0) {
        if (options_.zero_duration == ZeroDuration::kDrop) { return "no duration"; }
        job.duration = Seconds{1};
        change("no duration: counted as one second");
    }
    return "";
}

bool JobCollector::state_wanted(const Name& state) {
    const auto found = std::find(wanted_states_.begin(), wanted_states_.end(), lower(state.text()));
    if (found == wanted_states_.end()) { return false; }
    state_seen_[static_cast<std::size_t>(found - wanted_states_.begin())] = true;
    return true;
}

Import JobCollector::finish(std::optional<Cluster> cluster, std::vector<CapacityRow> capacity) {
    import_.cluster = std::move(cluster);
    end_unfinished();
    judge_widths();
    place_on_time_line(capacity);
    std::stable_sort(capacity.begin(), capacity.end(), [](const CapacityRow& a, const CapacityRow& b) { return a.time < b.time; });
    import_.capacity = std::move(capacity);
    note_unseen_states();
    keep_known_dependencies();
    import_.trace.order_jobs();
    const auto depends = [](const Job& job) { return job.extras && !job.extras->depends_on.empty(); };
    for (const Job& job : import_.trace.jobs) { job.validate(); }  // ids are unique already
    if (std::any_of(import_.trace.jobs.begin(), import_.trace.jobs.end(), depends)) { import_.trace.validate(); }
    return std::move(import_);
}

void JobCollector::end_unfinished() {
    for (const auto& [position, since] : running_) {
        Job& job = import_.trace.jobs[position];
        const Seconds ran = std::max(job.duration, Seconds{0}) + to_seconds(last_seen_ - since);
        job.duration = std::clamp(ran, Seconds{1}, Seconds{kLongestSeconds});
        change("still running at the end of the source: counted until then");
    }
}

void JobCollector::judge_widths() {
    if (options_.too_wide == TooWide::kKeep) { return; }
    const std::optional<Cluster>& cluster = options_.cluster ? options_.cluster : import_.cluster;
    if (!cluster) { refuse_value("too_wide", "", "a cluster, which this source does not tell"); }
    const auto too_wide = [&](Job& job) {
        const int widest = widest_pool(*cluster, job);
        if (job.gpus <= widest) { return false; }
        if (options_.too_wide == TooWide::kClamp && widest > 0) {
            job.gpus = widest;
            change("more GPUs than any pool: clamped to the widest");
            return false;
        }
        count(import_.report.dropped, "more GPUs than any pool", 1);
        return true;
    };
    std::vector<Job>& jobs = import_.trace.jobs;
    jobs.erase(std::remove_if(jobs.begin(), jobs.end(), too_wide), jobs.end());
}

void JobCollector::place_on_time_line(std::vector<CapacityRow>& capacity) {
    if (clock_ == SourceClock::k1970) { shift_to_origin(capacity); }
    std::vector<Job>& jobs = import_.trace.jobs;
    const auto too_late = std::remove_if(jobs.begin(), jobs.end(), [](const Job& job) { return !representable(job.submit); });
    if (too_late != jobs.end()) {
        count(import_.report.dropped, "submitted more than 100 years after the origin", static_cast<std::size_t>(jobs.end() - too_late));
        jobs.erase(too_late, jobs.end());
    }
    for (const Job& job : jobs) { keep_recorded_times_that_can_be(job); }
}

void JobCollector::keep_recorded_times_that_can_be(const Job& job) {
    if (!job.extras) { return; }
    for (auto recorded : {&JobExtras::recorded_start, &JobExtras::recorded_end}) {
        const std::optional<SimTime>& time = (*job.extras).*recorded;
        if (!time || representable(*time)) { continue; }
        (own(job).*recorded).reset();
        change("a recorded time before the trace's start, or 100 years after it: left out");
    }
}

void JobCollector::shift_to_origin(std::vector<CapacityRow>& capacity) {
    std::vector<Job>& jobs = import_.trace.jobs;
    if (!origin_) {
        const auto first = std::min_element(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) { return a.submit < b.submit; });
        if (first != jobs.end()) { origin_ = first->submit; }
    }
    if (!origin_ && !capacity.empty()) { origin_ = capacity.front().time; }
    if (!origin_) { return; }
    import_.report.origin = civil_text(*origin_) + " UTC";
    for (Job& job : jobs) { job.submit -= *origin_; }
    for (Job& job : jobs) {
        if (!job.extras || (!job.extras->recorded_start && !job.extras->recorded_end)) { continue; }
        JobExtras& extras = own(job);
        if (extras.recorded_start) { *extras.recorded_start -= *origin_; }
        if (extras.recorded_end) { *extras.recorded_end -= *origin_; }
    }
    // What was there before the trace begins is there when it begins.
    for (CapacityRow& row : capacity) { row.time = std::max(row.time - *origin_, SimTime{0}); }
}

void JobCollector::keep_known_dependencies() {
    std::unordered_set<std::string_view> ids;
    for (const Job& job : import_.trace.jobs) {
        if (!job.extras || job.extras->depends_on.empty()) { continue; }
        if (ids.empty()) {
            for (const Job& each : import_.trace.jobs) { ids.insert(each.id); }
        }
        std::vector<std::string>& wanted = own(job).depends_on;
        const auto gone = std::remove_if(wanted.begin(), wanted.end(), [&](const std::string& id) {
            return !ids.contains(id) || id.find('|') != std::string::npos;  // a trace separates ids so
        });
        if (gone == wanted.end()) { continue; }
        wanted.erase(gone, wanted.end());
        change("depends on jobs that are not in the trace: these are ignored");
    }
}

void JobCollector::note_unseen_states() {
    for (std::size_t index = 0; index < wanted_states_.size(); ++index) {
        if (!state_seen_[index]) {
            import_.report.notes.push_back(fmt::format("no job of the source has the state {}", options_.states[index]));
        }
    }
}

}  // namespace medley::io
