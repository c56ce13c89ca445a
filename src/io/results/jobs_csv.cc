#include "io/results/jobs_csv.h"

#include "io/results/csv_line.h"

namespace medley::io {
namespace {

constexpr const char* kColumns =
    "job_id,model,submit_s,first_start_s,finish_s,jct_s,queueing_s,waiting_s,gpu_seconds,resizes,preemptions,ftf_rho,bounded_slowdown,"
    "cost_usd,state\n";

void append_row(std::string& out, const JobRow& job) {
    CsvLine line(out);
    line.text(job.id).text(job.model.text());
    line.time(job.submit).time(job.first_start).time(job.finish);
    line.number(job.jct_s).number(job.queueing_s).number(job.waiting_s).number(job.gpu_seconds);
    line.whole(job.resizes).whole(job.preemptions);
    line.number(job.ftf_rho).number(job.bounded_slowdown).number(job.cost_usd);
    line.text(to_string(job.state)).end();
}

}  // namespace

void write_jobs_csv(OutputFile& file, const Metrics& metrics) {
    file.write(kColumns);
    for (std::size_t index = 0; index < metrics.job_count(); ++index) {
        append_row(file.buffer(), metrics.row(index));
        file.flush_if_large();
    }
}

}  // namespace medley::io
