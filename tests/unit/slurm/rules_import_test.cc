#include "io/slurm/rules_import.h"

#include <gmock/gmock.h>

#include "io/site_rules_file.h"
#include "tests/unit/core/refusal.h"

namespace medley::io::slurm {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const OutputFile kSiteNodes{"nodes", "NodeName=a[1-4] CPUTot=64 Gres=gpu:a100:4 State=IDLE\nNodeName=c1 CPUTot=8 State=IDLE\n"};

ImportedRules import_files(std::vector<OutputFile> files, const RulesChoices& choices = {.origin = {}, .zone = {}, .type_names = {}}) {
    files.push_back(kSiteNodes);
    const SiteFiles sorted = sort_files(std::move(files));
    return import_rules(sorted, import_cluster(sorted, {.type_names = choices.type_names}), choices);
}

ImportedRules import_config(const std::string& settings) {
    return import_files({{"config", "Configuration data as of 1796063991\n" + settings}});
}

TEST(SlurmRules, WithoutFilesAreSlurmsDefaults) {
    SiteRules defaults;
    defaults.priority.cluster_cpus = 4 * 64 + 8;
    EXPECT_EQ(import_files({}).rules, defaults);
}

TEST(SlurmRules, PrioritiesAreThoseOfTheConfiguration) {
    const ImportedRules imported = import_config(
        "PriorityType            = priority/multifactor\nPriorityWeightAge       = 1000\nPriorityWeightFairShare = 2000\n"
        "PriorityWeightTRES      = cpu=5,GRES/gpu=400,gres/gpu:a100=7,mem=3\nPriorityMaxAge          = 00:10:00\n"
        "PriorityDecayHalfLife   = 7-00:00:00\nPriorityCalcPeriod      = 00:05:00\nPriorityFavorSmall      = Yes\n"
        "PriorityUsageResetPeriod = WEEKLY\nPriorityFlags           = NO_FAIR_TREE,SMALL_RELATIVE_TO_TIME\n");
    const PriorityRules& rules = imported.rules.priority;
    EXPECT_TRUE(rules.multifactor);
    EXPECT_EQ(rules.weights.age, 1000);
    EXPECT_EQ(rules.weights.fair_share, 2000);
    EXPECT_THAT(rules.weights.resources, ElementsAre(ResourceWeight{"cpu", 5}, ResourceWeight{"gpu", 400}, ResourceWeight{"gpu:a100", 7}));
    EXPECT_EQ(rules.max_age, Seconds{600});
    EXPECT_EQ(rules.decay_half_life, Seconds{7 * 86400});
    EXPECT_TRUE(rules.favor_small);
    EXPECT_EQ(rules.usage_reset, Seconds{7 * 86400});
    EXPECT_EQ(rules.fair_share, FairShareRule::kClassic);
    EXPECT_THAT(imported.notes, Contains("PriorityWeightTRES: mem=3 is left out"));
    EXPECT_THAT(imported.notes, Contains("PriorityFlags: SMALL_RELATIVE_TO_TIME is left out"));
    EXPECT_FALSE(import_config("PriorityType = priority/basic\n").rules.priority.multifactor);
}

TEST(SlurmRules, SchedulingIsThatOfTheParameters) {
    const ImportedRules imported = import_config(
        "SchedulerParameters = "
        "bf_interval=2,bf_resolution=1,bf_window=60,bf_max_job_test=1000,bf_max_job_user=7,bf_continue,sched_interval=4,"
        "default_queue_depth=50,batch_sched_delay=0,defer\nSchedulerType = sched/backfill\n");
    const SchedulingRules& rules = imported.rules.scheduling;
    EXPECT_EQ(rules.main_interval, Seconds{4});
    EXPECT_EQ(rules.main_depth, 50);
    EXPECT_EQ(rules.batch_delay, Seconds{0.4}) << "the controller's next look";
    EXPECT_FALSE(rules.on_submit);
    EXPECT_EQ(rules.backfill.interval, Seconds{2});
    EXPECT_EQ(rules.backfill.resolution, Seconds{1});
    EXPECT_EQ(rules.backfill.window, Seconds{3600}) << "bf_window is in minutes";
    EXPECT_EQ(rules.backfill.max_jobs, 1000);
    EXPECT_EQ(rules.backfill.max_jobs_per_user, 7);
    EXPECT_FALSE(import_config("SchedulerType = sched/builtin\n").rules.scheduling.backfill.enabled);
}

// BOOT_TIME 983 s, a calculation every 60 s: after the origin at 1000 s the first falls at 1043 s.
TEST(SlurmRules, PhasesCountFromTheBoot) {
    const std::string text =
        "Configuration data as of 1\nBOOT_TIME = 983\nPriorityCalcPeriod = 00:01:00\nSchedulerParameters = bf_interval=30\n";
    const RulesChoices choices{.origin = to_sim_time(Seconds{1000}), .zone = {}, .type_names = {}};
    const SiteRules rules = import_files({{"config", text}}, choices).rules;
    EXPECT_EQ(rules.priority.calc_offset, Seconds{43});
    EXPECT_EQ(rules.scheduling.backfill.offset, Seconds{13});
}

TEST(SlurmRules, PreemptionIsThatOfTheConfiguration) {
    const PreemptionRules rules =
        import_config("PreemptType = preempt/qos\nPreemptMode = GANG,SUSPEND\nPreemptExemptTime = 00:05:00\n").rules.preemption;
    EXPECT_EQ(rules.by, PreemptionCriterion::kQos);
    EXPECT_EQ(rules.mode, PreemptionMode::kSuspend);
    EXPECT_EQ(rules.exempt, Seconds{300});
    EXPECT_EQ(import_config("PreemptType = preempt/none\nPreemptMode = OFF\n").rules.preemption.by, PreemptionCriterion::kNone);
}

TEST(SlurmRules, PartitionsNameGroupsOfTheCluster) {
    const ImportedRules imported =
        import_files({{"p",
                       "PartitionName=all\n   Nodes=a[1-4],c1 Default=YES MaxTime=2-00:00:00 DefaultTime=01:00:00\n"
                       "   PriorityJobFactor=10 PriorityTier=2 State=UP TRESBillingWeights=CPU=0.0,Mem=0.25,GRES/gpu=1.0\n\n"
                       "PartitionName=half Nodes=a[3-4] MaxTime=UNLIMITED DefaultTime=NONE State=DOWN QoS=N/A\n\n"
                       "PartitionName=cpu Nodes=c1\n"}});
    ASSERT_THAT(imported.rules.partitions, SizeIs(2));
    const PartitionRule& all = imported.rules.partitions[0];
    EXPECT_THAT(all.nodes, IsEmpty()) << "everything";
    EXPECT_TRUE(all.is_default);
    EXPECT_EQ(all.max_walltime, Seconds{2 * 86400});
    EXPECT_EQ(all.default_walltime, Seconds{3600});
    EXPECT_EQ(all.priority_factor, 10);
    EXPECT_EQ(all.priority_tier, 2);
    EXPECT_THAT(imported.rules.priority.billing, Contains(ResourceWeight{"gpu", 1}));
    EXPECT_THAT(imported.rules.partitions[1].nodes, ElementsAre("a[3-4]"));
    EXPECT_EQ(imported.rules.partitions[1].max_walltime, std::nullopt);
    EXPECT_THAT(imported.notes, Contains(HasSubstr("state DOWN is taken for UP")));
    EXPECT_THAT(imported.notes, Contains(HasSubstr("partition cpu: it holds no node")));
    EXPECT_THAT(imported.notes, Contains(HasSubstr("Mem=0.25")));
}

TEST(SlurmRules, WithoutBillingWeightsCpusAreBilled) {
    const ImportedRules imported = import_files({{"p", "PartitionName=all Nodes=a[1-4]\n"}});
    EXPECT_THAT(imported.rules.priority.billing, ElementsAre(ResourceWeight{"cpu", 1}));
}

TEST(SlurmRules, ReservationsStandOnTheTracesTimeLine) {
    const OutputFile file{
        "r",
        "ReservationName=upkeep StartTime=1100 EndTime=1160\n   Nodes=a[3-4] Flags=MAINT,SPEC_NODES\n   Users=root Accounts=(null)\n\n"
        "ReservationName=past StartTime=10 EndTime=20 Nodes=a1 Users=ana,ben\n\n"
        "ReservationName=cpu StartTime=2000 EndTime=2010 Nodes=c1 Users=ana\n"};
    const RulesChoices choices{.origin = to_sim_time(Seconds{1000}), .zone = {}, .type_names = {}};
    const ImportedRules imported = import_files({file}, choices);
    ASSERT_THAT(imported.rules.reservations, SizeIs(1));
    const SiteReservation& upkeep = imported.rules.reservations[0];
    EXPECT_EQ(upkeep.start, to_sim_time(Seconds{100}));
    EXPECT_EQ(upkeep.end, to_sim_time(Seconds{160}));
    EXPECT_THAT(upkeep.nodes, ElementsAre("a[3-4]"));
    EXPECT_TRUE(upkeep.maintenance);
    EXPECT_THAT(upkeep.users, ElementsAre(Name("root")));
    EXPECT_THAT(imported.notes, Contains(HasSubstr("reservation past: it ended before the trace begins")));
    EXPECT_THAT(imported.notes, Contains(HasSubstr("reservation cpu: it holds no node")));
    RulesChoices without = choices;
    without.has_origin = false;
    EXPECT_THAT(import_files({file}, without).rules.reservations, IsEmpty());
}

TEST(SlurmRules, QosCarryPrioritiesAndGpuLimits) {
    const ImportedRules imported = import_files(
        {{"q",
          "Name|Priority|GraceTime|Preempt|PreemptExemptTime|PreemptMode|UsageFactor|GrpTRES|GrpJobs|MaxTRES|MaxWall|MaxTRESPU|MaxJobsPU\n"
          "normal|10|00:00:00|||cluster|1.000000||||||\n"
          "high|100|00:01:00|low,gone||requeue|2.000000||5|gres/gpu=16|1-00:00:00|gres/gpu=8,cpu=64|3\n"
          "low|0|00:00:00|||cluster|1.000000|gres/gpu=16|||||\n"}});
    ASSERT_THAT(imported.rules.qos, SizeIs(3));
    const QosRule& high = imported.rules.qos[1];
    EXPECT_EQ(high.priority, 100);
    EXPECT_THAT(high.preempts, ElementsAre(Name("low")));
    EXPECT_EQ(high.mode, PreemptionMode::kRequeue);
    EXPECT_EQ(high.exempt, Seconds{60});
    EXPECT_EQ(high.usage_factor, 2);
    EXPECT_EQ(high.group.jobs, 5);
    EXPECT_EQ(high.max_gpus_per_job, 16);
    EXPECT_EQ(high.max_walltime, Seconds{86400});
    EXPECT_EQ(high.max_gpus_per_user, 8);
    EXPECT_EQ(high.max_jobs_per_user, 3);
    EXPECT_EQ(imported.rules.qos[2].group.gpus, 16);
    EXPECT_THAT(imported.notes, Contains("QOS high: it preempts gone, which is not listed"));
    EXPECT_THAT(imported.notes, Contains("QOS high: the limit cpu=64 is left out"));
}

TEST(SlurmRules, AssociationsAreATreeOfAccounts) {
    const ImportedRules imported = import_files({{"a",
                                                  "Cluster|Account|ParentName|User|Partition|Share|GrpTRES|MaxJobs\n"
                                                  "c|root||||1||\nc|root||root||1||\nc|vision|root|||40|gres/gpu=12|\nc|vision||ana||2||4\n"
                                                  "c|lab|vision|||parent||\nc|lab||eve||1||\nc|lab||eve|short|9||\nd|other|root|||1||\n"}});
    ASSERT_THAT(imported.rules.accounts, SizeIs(3));
    EXPECT_EQ(imported.rules.accounts[0].name, Name("root-users")) << "they count in the fair tree";
    const AccountRule& vision = imported.rules.accounts[1];
    EXPECT_EQ(vision.shares, 40);
    EXPECT_TRUE(vision.parent.empty());
    EXPECT_EQ(vision.group.gpus, 12);
    EXPECT_EQ(vision.users[0].max_jobs, 4);
    EXPECT_EQ(imported.rules.accounts[2].parent, Name("vision"));
    EXPECT_THAT(imported.notes, Contains(HasSubstr("Fairshare=parent")));
    EXPECT_THAT(imported.notes, Contains(HasSubstr("partition short")));
    EXPECT_THAT(imported.notes, Contains(HasSubstr("cluster d")));
}

TEST(SlurmRules, AreReadBackAsTheSameRules) {
    const SiteRules rules = import_files({{"p", "PartitionName=half Nodes=a[3-4] MaxTime=01:00:00\n"},
                                          {"q", "Name|Priority|GrpTRES\nlow|0|gres/gpu=16\n"},
                                          {"a", "Cluster|Account|User|Share\nc|vision||40\nc|vision|ana|2\n"}})
                                .rules;
    EXPECT_EQ(parse_site_rules(format_site_rules(rules), "rules.yaml"), rules);
}

TEST(SlurmRules, RefuseByFileLineAndKey) {
    EXPECT_THAT(refusal([] { import_config("PriorityMaxAge = a while\n"); }), HasSubstr("config: line 2, PriorityMaxAge: found 'a while'"));
    EXPECT_THAT(refusal([] { import_files({{"p", "PartitionName=a Nodes=a1 MaxTime=long\n"}}); }), HasSubstr("p: line 1, MaxTime"));
    EXPECT_THAT(refusal([] { import_files({{"q", "Name|Priority\nhigh|much\n"}}); }), HasSubstr("q: line 2, column Priority"));
    EXPECT_THAT(refusal([] {
                    import_files({{"a", "Cluster|Account|User|MaxJobs\nc|v|ana|some\n"}});
                }),
                HasSubstr("a: line 2, column MaxJobs"));
}

}  // namespace
}  // namespace medley::io::slurm
