#include "simulator/cluster/compat_virtualflow_logs.h"

#include <gtest/gtest.h>

#include "tests/support/log_checker.h"
#include "tests/support/simulated_run.h"
#include "tests/support/toy_cluster.h"

namespace medley::simulator {
namespace {

using test::at;
const JobId kJob{std::size_t{0}};

TEST(VirtualFlowLogsAccounting, FinishesInsideTheRoundAfterWholeSecondsRoundedUp) {
    VirtualFlowLogsAccounting accounting(at(360));
    accounting.meet(kJob, at(10));
    const auto check = accounting.next_check(kJob, 100, 0.3, at(360));
    EXPECT_TRUE(check.finishes);
    EXPECT_EQ(check.time, at(360 + 334));  // 100 / 0.3 = 333.3 s
}

TEST(VirtualFlowLogsAccounting, CreditsWaitingTimeAsTheLogsDo) {
    VirtualFlowLogsAccounting accounting(at(360));
    accounting.meet(kJob, at(100));
    EXPECT_FALSE(accounting.next_check(kJob, 1000, 0.5, at(360)).finishes);
    EXPECT_EQ(accounting.credit(kJob, 0.5, at(720)), 310);          // 0.5 x (720 - 100), not 0.5 x 360
    EXPECT_EQ(accounting.credit(kJob, 0.37, at(1080)), 310 + 133);  // 0.37 x 360 = 133.2: whole steps
}

/// Gives its only GPU to job 1 in the first round, to job 0 afterwards.
class SecondFirst : public Policy {
 public:
    const PolicyTraits& traits() const override { return traits_; }
    Decision decide(const ClusterView& view) override {
        Decision decision;
        const bool first = view.now() < at(360);
        const JobId on{std::size_t{first ? 1U : 0U}};
        const JobId off{std::size_t{first ? 0U : 1U}};
        if (view.phase(off) != JobPhase::kDone && !view.held(off).empty()) { decision.changes.push_back({.job = off, .target = {}}); }
        if (view.phase(on) != JobPhase::kDone && view.held(on).empty()) {
            decision.changes.push_back({.job = on, .target = Allocation::of(test::type_id(0), 1)});
        }
        return decision;
    }
    PolicyTraits traits_{.name = "second-first"};
};

// Reference 3.4. Job 0 (500 s of work) waits from 0 to 360. At 360 its 500 s do not fit into the round, so at 720 it is credited
// 720 s > 500 and finishes at 720, with 360 s done. Correct accounting finishes it at 860.
TEST(VirtualFlowLogsAccounting, FinishesAJobThatMostlyWaitedAtTheRoundsEnd) {
    Trace trace{.jobs = {test::toy_job("0", 0, 1, 500), test::toy_job("1", 0, 1, 300)}};
    SimulationOptions options;
    options.scheduler.round = Seconds{360};
    SecondFirst policy;
    const auto correct = test::run_simulation(test::toy_cluster({1}), trace, test::ToySpeeds(), policy, options);
    EXPECT_EQ(correct.rows[0].finish, at(860));
    EXPECT_EQ(correct.rows[1].finish, at(300));
    options.accounting = Accounting::kVirtualFlowLogs;
    options.scheduler.compat = "virtualflow-logs";
    const auto as_logged = test::run_simulation(test::toy_cluster({1}), trace, test::ToySpeeds(), policy, options);
    EXPECT_EQ(as_logged.rows[0].finish, at(720));
    EXPECT_EQ(as_logged.rows[1].finish, at(300));
    EXPECT_TRUE(test::check_log_text(as_logged.events).clean());  // apart from conservation, which the header disclaims
}

}  // namespace
}  // namespace medley::simulator
