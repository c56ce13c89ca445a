#include "io/results/public_trace_formats.h"

#include <array>
#include <iterator>

#include <fmt/format.h>

#include "core/error.h"
#include "io/csv_writing.h"
#include "io/scalar.h"

namespace medley::io {
namespace {

constexpr std::array<std::string_view, 4> kPlainColumns = {"job_id", "submit_s", "gpus", "duration_s"};
constexpr std::array<std::string_view, 13> kSwfColumns = {
    "job_id", "submit_s", "gpus",      "duration_s", "walltime_s",       "state",         "user",
    "tenant", "qos",      "partition", "depends_on", "recorded_start_s", "recorded_end_s"};

[[noreturn]] void refuse_job(const Job& job, std::string_view column, std::string found, std::string expected) {
    refuse_value(fmt::format("job {}, {}", job.id, column), std::move(found), std::move(expected));
}

void require_plain_work(const Job& job) {
    if (job.steps > 0) { refuse_job(job, "steps", fmt::format("{}", job.steps), "a duration: this format knows no steps"); }
    if (job.whole_pool()) { refuse_job(job, "gpus", "pool", "a number"); }
}

// The shortest text that reads back as the same double.
std::string seconds_of(Seconds seconds) { return fmt::format("{}", seconds.value); }

std::string write_rows(const Trace& trace, std::string_view header) {
    std::string text(header);
    for (const Job& job : trace.jobs) {
        require_plain_work(job);
        append_csv_cell(job.id, text);
        fmt::format_to(std::back_inserter(text), ",{},{},{}\n", seconds_text(job.submit), seconds_of(job.duration), job.gpus);
    }
    return text;
}

std::string write_itp(const Trace& trace) { return write_rows(trace, "job_id,submission_time,duration,num_gpu\n"); }

std::string write_arrival_service(const Trace& trace) { return write_rows(trace, "job_id,arrival_s,service_sec,gpu_count\n"); }

/// A field of SWF: one word, or -1 for what is not stated.
std::string_view word(const Job& job, std::string_view column, const std::string& text) {
    if (text.empty()) { return "-1"; }
    const bool one_word = text.find_first_of(" \t\r\n;") == std::string::npos && text != "-1";
    if (!one_word) { refuse_job(job, column, text, "one word"); }
    return text;
}

std::string_view status_of(const Job& job, const JobExtras& extras) {
    const std::string& state = extras.recorded_state.text();
    if (state == "FAILED") { return "0"; }
    if (state == "COMPLETED") { return "1"; }
    if (state == "CANCELLED") { return "5"; }
    if (state.empty()) { return "-1"; }
    if (state == "0" || state == "1" || state == "2" || state == "3" || state == "4" || state == "5") {
        refuse_job(job, "state", state, "a state that is no number of the format's");
    }
    return word(job, "state", state);
}

std::string write_swf_job(const Job& job) {
    static const JobExtras nothing;
    require_plain_work(job);
    const JobExtras& extras = job.extras ? *job.extras : nothing;
    if (extras.depends_on.size() > 1) { refuse_job(job, "depends_on", fmt::format("{} jobs", extras.depends_on.size()), "at most one"); }
    const std::string wait = extras.recorded_start ? seconds_text(*extras.recorded_start - job.submit) : "-1";
    const std::string limit = job.walltime ? seconds_of(*job.walltime) : "-1";
    const std::string before = extras.depends_on.empty() ? std::string() : extras.depends_on.front();
    return fmt::format("{} {} {} {} {} -1 -1 {} {} -1 {} {} {} -1 {} {} {} -1\n", word(job, "job_id", job.id), seconds_text(job.submit),
                       wait, seconds_of(job.duration), job.gpus, job.gpus, limit, status_of(job, extras),
                       word(job, "user", extras.user.text()), word(job, "tenant", extras.tenant.text()),
                       word(job, "qos", extras.qos.text()), word(job, "partition", extras.partition.text()),
                       word(job, "depends_on", before));
}

std::string write_swf(const Trace& trace) {
    std::string text = "; Version: 2.2\n; Note: a processor is a GPU\n";
    fmt::format_to(std::back_inserter(text), "; MaxJobs: {}\n; UnixStartTime: 0\n;\n", trace.jobs.size());
    for (const Job& job : trace.jobs) { text += write_swf_job(job); }
    return text;
}

constexpr PublicTraceFormat kFormats[] = {
    {.name = "itp", .columns = kPlainColumns, .write = write_itp},
    {.name = "arrival-service", .columns = kPlainColumns, .write = write_arrival_service},
    {.name = "swf", .columns = kSwfColumns, .write = write_swf},
};

}  // namespace

std::span<const PublicTraceFormat> public_trace_formats() { return kFormats; }

}  // namespace medley::io
