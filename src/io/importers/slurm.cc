#include "io/importers/slurm.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "core/error.h"
#include "io/importers/slurm_record.h"
#include "io/text_file.h"

namespace medley::io {
namespace {

using slurm::AccountingRecord;
using slurm::AccountingTable;
using slurm::Column;

/// sacct rounds to seconds, and splits an array's tasks off a moment after its submission: so much later is not held back.
constexpr SimTime kSplitting{2'000'000'000};

class SlurmReader {
 public:
    SlurmReader(ByteSource& source, const ImportOptions& options)
        : options_(options),
          zone_(options.time_zone.empty() ? ZoneRule() : ZoneRule(options.time_zone)),
          hosts_(options.cluster),
          table_(source),
          reader_(table_, zone_, hosts_),
          jobs_(options, SourceClock::k1970, zone_) {
        describe(source.name());
    }

    Import read() {
        for (AccountingTable::Row row = table_.next(); row != AccountingTable::Row::kEnd; row = table_.next()) { take(row); }
        finish_record();
        for (std::size_t index = 0; index < records_.size(); ++index) { settle(index); }
        note_missing_gpus();
        return jobs_.finish();
    }

 private:
    void describe(const std::string& file) {
        ImportReport& report = jobs_.report();
        report.files.push_back(file);
        report.time_rule = fmt::format("times without a zone stand in {}; seconds since 1970 as they are", zone_.text());
        const bool elapsed = table_.has(Column::kElapsed) || table_.has(Column::kElapsedRaw);
        const std::string one = elapsed ? "Elapsed: start to end, suspensions left out" : "start to end";
        switch (options_.retries) {
            case Retries::kSum: report.duration_meaning = one + ", summed over the attempts of a job"; break;
            case Retries::kSpan: report.duration_meaning = "first start to last end of a job"; break;
            case Retries::kSeparate: report.duration_meaning = one + ", of one attempt"; break;
        }
        if (!table_.has(Column::kSubmit)) {
            report.notes.emplace_back(table_.has(Column::kStart) ? "no column Submit: jobs are submitted when they start"
                                                                 : "no columns Submit and Start: every job is submitted at second 0");
        }
    }

    void take(AccountingTable::Row row) {
        if (row == AccountingTable::Row::kTooFew) { return jobs_.drop("fewer cells than the header names"); }
        if (row == AccountingTable::Row::kTooMany) { return jobs_.drop("more cells than the header names (a bar in a text)"); }
        const std::string_view id = table_.cell(Column::kJobId);
        if (id.find('.') == std::string_view::npos) {
            finish_record();
            current_ = reader_.read();
        } else if (current_ && slurm::job_of(id) == current_->recorded.job.id) {
            reader_.complete(*current_);
        }
    }

    /// The job whose rows are over joins its earlier attempts, if there are any.
    void finish_record() {
        if (!current_) { return; }
        AccountingRecord record = std::move(*current_);
        current_.reset();
        if (record.recorded.job.id.empty()) { return jobs_.drop("no job_id"); }
        if (record.never_started) { return jobs_.drop("never started"); }
        any_gpus_ = any_gpus_ || record.gpus_stated;
        const auto [place, is_new] = last_.emplace(record.recorded.job.id, records_.size());
        if (!is_new) {
            before_.resize(records_.size() + 1, kNone);
            before_[records_.size()] = place->second;
            place->second = records_.size();
        }
        records_.push_back(std::move(record));
    }

    /// Adds the job of which this is the last attempt; of an earlier one nothing, it comes with its job.
    void settle(std::size_t index) {
        AccountingRecord& record = records_[index];
        if (last_.at(record.recorded.job.id) != index) { return; }
        std::vector<std::size_t> attempts = {index};
        while (before(attempts.back()) != kNone) { attempts.push_back(before(attempts.back())); }
        if (attempts.size() == 1) { return add(std::move(record)); }
        std::stable_sort(attempts.begin(), attempts.end(),
                         [&](std::size_t a, std::size_t b) { return records_[a].start < records_[b].start; });
        options_.retries == Retries::kSeparate ? add_separately(attempts) : add_together(attempts);
    }

    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    std::size_t before(std::size_t index) const { return index < before_.size() ? before_[index] : kNone; }

    void add_separately(const std::vector<std::size_t>& attempts) {
        std::optional<SimTime> ended;
        for (std::size_t index = 0; index < attempts.size(); ++index) {
            AccountingRecord& record = records_[attempts[index]];
            record.recorded.job.id += fmt::format(".{}", index + 1);
            if (ended) { record.recorded.job.submit = record.eligible.emplace(*ended); }
            ended = record.end;
            add(std::move(record));
        }
    }

    void add_together(const std::vector<std::size_t>& attempts) {
        AccountingRecord& whole = records_[attempts.back()];
        const AccountingRecord& first = records_[attempts.front()];
        Seconds sum;
        for (const std::size_t index : attempts) {
            const Seconds one = records_[index].recorded.job.duration;
            sum = sum.value < 0 || one.value < 0 ? Seconds{-1} : sum + one;
            if (index != attempts.back()) { jobs_.drop("an earlier attempt: part of its job"); }
        }
        const std::optional<SimTime> end = whole.recorded.running_since ? whole.recorded.running_since : whole.end;
        if (options_.retries == Retries::kSpan) { sum = first.start && end ? to_seconds(*end - *first.start) : Seconds{-1}; }
        whole.recorded.job.duration = sum;
        whole.recorded.job.submit = std::min(whole.recorded.job.submit, first.recorded.job.submit);
        whole.recorded.extras.recorded_start = first.start;
        whole.eligible = first.eligible;
        add(std::move(whole));
    }

    void add(AccountingRecord&& record) {
        if (!any_gpus_ && !record.nodes.empty()) { take_whole_nodes(record); }
        if (record.het_component) { jobs_.change("component of a heterogeneous job: a job of its own"); }
        if (record.several_types) { jobs_.change("ran on GPUs of several types at once: its type is not stated"); }
        allow_asked_type(record);
        place_submission(record);
        jobs_.add(std::move(record.recorded));
    }

    void take_whole_nodes(AccountingRecord& record) {
        const auto gpus = hosts_.all_of(record.nodes);
        if (!gpus) { return; }
        record.recorded.job.gpus = gpus->gpus;
        record.recorded.job.reference_gpu_type = gpus->type;
        jobs_.change("GPUs not accounted: all of the nodes it ran on");
    }

    /// In the cluster's words where the job ran on what it asked for.
    static void allow_asked_type(AccountingRecord& record) {
        if (record.asked_type.empty() || record.several_types) { return; }
        const Name ran_on = record.recorded.job.reference_gpu_type;
        record.recorded.extras.gpu_types = {ran_on.empty() ? record.asked_type : ran_on};
    }

    void place_submission(AccountingRecord& record) {
        std::vector<std::string>& depends_on = record.recorded.extras.depends_on;
        const auto gone = [&](const std::string& id) { return !last_.contains(id) || options_.retries == Retries::kSeparate; };
        if (std::any_of(depends_on.begin(), depends_on.end(), gone)) { depends_on.clear(); }
        const Job& job = record.recorded.job;
        if (!depends_on.empty() || !record.eligible || job.submit.value < 0 || *record.eligible <= job.submit + kSplitting) { return; }
        record.recorded.job.submit = *record.eligible;
        jobs_.change("held back after submission: submitted when it became eligible");
    }

    void note_missing_gpus() {
        if (any_gpus_ || records_.empty()) { return; }
        jobs_.report().notes.emplace_back(
            hosts_.empty()
                ? "no row names GPUs: Slurm accounts them only with AccountingStorageTRES=gres/gpu; --cluster FILE tells those of the nodes"
                : "no row names GPUs: those of the nodes are taken from the cluster");
    }

    const ImportOptions& options_;
    ZoneRule zone_;
    slurm::HostTypes hosts_;
    AccountingTable table_;
    slurm::RecordReader reader_;
    JobCollector jobs_;
    std::optional<AccountingRecord> current_;
    std::vector<AccountingRecord> records_;
    std::vector<std::size_t> before_;                    // by record: the attempt before it
    std::unordered_map<std::string, std::size_t> last_;  // by JobID: its latest record in the file
    bool any_gpus_ = false;
};

class SlurmImporter final : public Importer {
 public:
    std::string_view name() const override { return "slurm"; }
    std::string_view description() const override { return "Slurm's accounting: sacct --parsable2, any columns"; }
    Import import(const ImportSource& source, const ImportOptions& options) const override {
        ByteSource bytes = source.open();
        return naming_file(bytes.name(), [&] { return SlurmReader(bytes, options).read(); });
    }
};

}  // namespace

const Importer& slurm_importer() {
    static const SlurmImporter importer;
    return importer;
}

}  // namespace medley::io
