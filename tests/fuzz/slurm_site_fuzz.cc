#include "io/cluster_file.h"
#include "io/cluster_writing.h"
#include "io/site_rules_file.h"
#include "io/slurm/cluster_import.h"
#include "io/slurm/rules_import.h"
#include "tests/fuzz/fuzz_target.h"

using namespace medley;

namespace {

const std::string kNodes = "NodeName=a[1-4] CPUTot=64 Gres=gpu:a100:4 State=IDLE Weight=2\nNodeName=b1 Gres=gpu:2 State=MIXED\n";

/// The input is one of Slurm's outputs; the list of nodes is beside it unless it is one itself.
io::slurm::SiteFiles files_of(std::string_view text) {
    std::vector<io::slurm::OutputFile> files = {{"input", std::string(text)}};
    io::slurm::SiteFiles sorted = io::slurm::sort_files(files);
    if (!sorted.nodes && !sorted.sinfo) { sorted.nodes = io::slurm::OutputFile{"input nodes", kNodes}; }
    return sorted;
}

}  // namespace

// What is accepted can be written and read back.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::only_errors_escape([&] {
        const io::slurm::SiteFiles files = files_of(fuzz::as_text(data, size));
        const io::slurm::ImportedCluster cluster = io::slurm::import_cluster(files, {});
        const std::string text = io::format_cluster(cluster.cluster);
        MEDLEY_ASSERT(io::format_cluster(io::parse_cluster(text, "input")) == text);
        const SiteRules rules = io::slurm::import_rules(files, cluster, {.origin = {}, .zone = {}, .type_names = {}}).rules;
        MEDLEY_ASSERT(io::parse_site_rules(io::format_site_rules(rules), "input") == rules);
    });
    return 0;
}
