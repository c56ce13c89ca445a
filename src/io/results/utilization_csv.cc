#include "io/results/utilization_csv.h"

#include "io/results/csv_line.h"

namespace medley::io {

void write_utilization_csv(OutputFile& file, const Metrics& metrics) {
    file.write("start_s,end_s,present_gpus,held_gpus,running_jobs,waiting_jobs\n");
    for (const UtilizationBin& bin : metrics.utilization()) {
        CsvLine line(file.buffer());
        line.time(bin.start).time(bin.end).number(bin.present_gpus).number(bin.held_gpus);
        line.number(bin.running_jobs).number(bin.waiting_jobs).end();
    }
}

}  // namespace medley::io
