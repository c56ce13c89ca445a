#include "io/slurm/hostlist.h"

#include <gmock/gmock.h>

#include "core/rng.h"
#include "tests/unit/core/refusal.h"

namespace medley::io::slurm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(Hostlist, ExpandsRangesKeepingTheirWidth) {
    EXPECT_THAT(expand_hostlist("n[001-003,020]"), ElementsAre("n001", "n002", "n003", "n020"));
    EXPECT_THAT(expand_hostlist("n[8-10]"), ElementsAre("n8", "n9", "n10"));
    EXPECT_THAT(expand_hostlist("n[08-10]"), ElementsAre("n08", "n09", "n10"));
    EXPECT_THAT(expand_hostlist("login,a1,b[2]"), ElementsAre("login", "a1", "b2"));
}

TEST(Hostlist, ExpandsSeveralBracketsTheLastFastest) {
    EXPECT_THAT(expand_hostlist("r[1-2]n[0-1]x"), ElementsAre("r1n0x", "r1n1x", "r2n0x", "r2n1x"));
    EXPECT_THAT(expand_hostlist("cpn-k07-05-[01-02]"), ElementsAre("cpn-k07-05-01", "cpn-k07-05-02"));
}

TEST(Hostlist, NobodyIsNobody) {
    for (const char* text : {"", "(null)", "None assigned"}) {
        EXPECT_THAT(expand_hostlist(text), IsEmpty()) << text;
        EXPECT_EQ(first_host(text), "") << text;
    }
}

TEST(Hostlist, RefusesWhatIsNoList) {
    EXPECT_THAT(refusal([] { expand_hostlist("n[1-3"); }), HasSubstr("a closing bracket"));
    EXPECT_THAT(refusal([] { expand_hostlist("n1-3]"); }), HasSubstr("brackets in pairs"));
    EXPECT_THAT(refusal([] { expand_hostlist("n[[1]]"); }), HasSubstr("brackets in pairs"));
    EXPECT_THAT(refusal([] { expand_hostlist("n[3-1]"); }), HasSubstr("go up"));
    EXPECT_THAT(refusal([] { expand_hostlist("n[a-c]"); }), HasSubstr("numbers in brackets"));
    EXPECT_THAT(refusal([] { expand_hostlist("n[1-2,]"); }), HasSubstr("numbers in brackets"));
    EXPECT_THAT(refusal([] { expand_hostlist("n[0-9999999999]"); }), HasSubstr("numbers in brackets"));
}

TEST(Hostlist, DoesNotGrowWithoutBound) {
    EXPECT_THAT(expand_hostlist("n[1-1000000]"), SizeIs(kMostHosts));
    EXPECT_THAT(refusal([] { expand_hostlist("n[1-1000001]"); }), HasSubstr("at most 1000000 hosts"));
    EXPECT_THAT(refusal([] { expand_hostlist("n[0-999]x[0-999]y[0-999]"); }), HasSubstr("at most"));
    EXPECT_EQ(first_host("n[5-999999999]"), "n5");
}

TEST(Hostlist, FoldsNamesThatDifferInTheirLastNumber) {
    const auto fold = [](const std::vector<std::string>& names) { return fold_hosts(names); };
    EXPECT_EQ(fold({"a1", "a2", "a3", "a7"}), "a[1-3,7]");
    EXPECT_EQ(fold({"n08", "n09", "n10"}), "n[08-10]");
    EXPECT_EQ(fold({"n9", "n10"}), "n[9-10]");
    EXPECT_EQ(fold({"a1"}), "a1");
    EXPECT_EQ(fold({"a1", "b2"}), "a1,b2");
    EXPECT_EQ(fold({"login", "a2"}), "login,a2");
    EXPECT_EQ(fold({}), "");
}

TEST(Hostlist, ExpandingWhatWasFoldedGivesTheSameNames) {
    Rng rng(7);
    for (int round = 0; round < 200; ++round) {
        std::vector<std::string> names;
        std::int64_t number = rng.between(0, 12);
        const bool padded = rng.between(0, 1) == 1;
        for (std::int64_t left = rng.between(1, 12); left > 0; --left) {
            const std::string digits = std::to_string(number);
            names.push_back("node" + (padded ? std::string(4 - digits.size(), '0') : "") + digits);
            number += rng.between(1, 3);
        }
        EXPECT_EQ(expand_hostlist(fold_hosts(names)), names) << fold_hosts(names);
    }
}

}  // namespace
}  // namespace medley::io::slurm
