#include "gavel_data.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

#include "core/error.h"
#include "tests/support/source_folder.h"

namespace medley::test {
namespace {

std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream rest(line);
    for (std::string cell; std::getline(rest, cell, '\t');) { cells.push_back(cell); }
    return cells;
}

std::size_t column(const std::vector<std::string>& header, const std::string& name) {
    const auto found = std::find(header.begin(), header.end(), name);
    MEDLEY_ASSERT(found != header.end());
    return static_cast<std::size_t>(found - header.begin());
}

}  // namespace

std::optional<std::filesystem::path> gavel_data() {
    const char* stated = std::getenv("MEDLEY_SHARED_DATA");
    const std::filesystem::path folder = stated != nullptr ? std::filesystem::path(stated) : test::source_folder() / "../shared/data";
    if (!std::filesystem::exists(folder / "gavel/physical_cluster_singles.tsv")) { return std::nullopt; }
    return folder / "gavel";
}

Trace read_gavel_trace(const std::filesystem::path& file) {
    Trace trace;
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        const std::vector<std::string> cells = cells_of(line);
        Job job;
        job.id = std::to_string(trace.jobs.size());
        job.model = Name(cells.at(0));
        job.steps = std::stoll(cells.at(5));
        job.batch_size = 1;
        job.gpus = std::stoi(cells.at(6));
        job.weight = std::stod(cells.at(7));
        job.submit = to_sim_time(Seconds{std::stod(cells.at(9))});
        trace.jobs.push_back(std::move(job));
    }
    trace.order_jobs();
    return trace;
}

GavelThroughputs::GavelThroughputs(const std::filesystem::path& table, const Cluster& cluster) {
    std::ifstream lines(table);
    std::string line;
    std::getline(lines, line);
    const std::vector<std::string> header = cells_of(line);
    while (std::getline(lines, line)) {
        const std::vector<std::string> cells = cells_of(line);
        for (std::size_t type = 0; type < cluster.gpu_types.size(); ++type) {
            const std::string& cell = cells.at(column(header, cluster.gpu_types[type].name.text()));
            steps_per_s_[{cells.at(0), std::stoi(cells.at(1)), type}] = cell == "NA" ? 0 : std::stod(cell);
        }
    }
}

JobSpeed GavelThroughputs::speed(const Job& job, GpuTypeId type, int gpus) const {
    const auto found = steps_per_s_.find({job.model.text(), gpus, type.index()});
    return {.work_per_s = found == steps_per_s_.end() ? 0 : found->second};
}

}  // namespace medley::test
