#include "tests/e2e/slurm/replay.h"

#include <gtest/gtest.h>

namespace medley::test {
namespace {

Outcome succeed(const Arguments& arguments) {
    Outcome outcome = medley(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << arguments[0] << ' ' << arguments[1] << ": " << outcome.error;
    return outcome;
}

Arguments operator+(Arguments left, const Arguments& right) {
    left.insert(left.end(), right.begin(), right.end());
    return left;
}

}  // namespace

Arguments site_files(const std::string& folder) {
    Arguments files;
    for (const char* name : {"nodes.txt", "config.txt", "partitions.txt", "reservations.txt", "qos.psv", "assoc.psv"}) {
        files.push_back(folder + "/" + name);
    }
    return files;
}

Replay replay(const std::string& recorded, const TemporaryFolder& work, const std::string& within) {
    const std::string cluster = (work / "site.yaml").string();
    const std::string rules = (work / "rules.yaml").string();
    const std::string trace = (work / "trace.csv").string();
    const std::string results = (work / "results").string();
    const Arguments import_cluster =
        Arguments{"cluster", "import", "--format", "slurm", "--node-by-node", "-o", cluster} + site_files(recorded);
    succeed(import_cluster);
    Replay replay;
    replay.import = nlohmann::json::parse(
        succeed({"trace", "import", "--format", "slurm", recorded + "/sacct.psv", "--cluster", cluster, "-o", trace, "--json"}).out);
    succeed(import_cluster + Arguments{"--rules", rules, "--origin", replay.import["origin"].get<std::string>()});
    succeed({"simulate", "--cluster", cluster, "--trace", trace, "--policy", "slurm-multifactor", "--rules", rules, "--out", results});
    const Arguments compare = {"compare", "--simulated", results, "--recorded", trace, "--within", within};
    replay.comparison = nlohmann::json::parse(succeed(compare + Arguments{"--json"}).out);
    replay.table = succeed(compare).out;
    return replay;
}

}  // namespace medley::test
