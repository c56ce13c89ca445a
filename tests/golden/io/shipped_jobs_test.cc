/// The jobs and plans of profiles/jobs/, figure by figure where commands and tests rely on them.

#include <filesystem>

#include <gtest/gtest.h>

#include "cost/plan_cost.h"
#include "io/job_file.h"
#include "io/plan_file.h"
#include "io/profile_file.h"
#include "io/resize_plan_file.h"
#include "tests/support/source_folder.h"

namespace medley::io {
namespace {

const std::filesystem::path kJobs = test::source_path("profiles/jobs");

TEST(ShippedJobs, EachIsReadAsWhatItIsNamed) {
    EXPECT_EQ(model_type(load_job(kJobs / "mlp.yaml").job.model), "mlp");
    EXPECT_EQ(model_type(load_job(kJobs / "cnn.yaml").job.model), "cnn");
    EXPECT_EQ(load_job(kJobs / "cnn.yaml").job.optimizer.weight_decay, 5e-4);
    const TrainingJob gpt = load_job(kJobs / "gpt-small.yaml").job;
    EXPECT_EQ(std::get<GptModel>(gpt.model).layers, 4);
    EXPECT_TRUE(std::get<SyntheticData>(gpt.data).ragged);
    EXPECT_EQ(gpt.schedule.kind, ScheduleKind::kCosine);
}

TEST(ShippedJobs, TheEmulatedJobRunsByAShippedProfile) {
    const TrainingJob job = load_job(kJobs / "emulated.yaml").job;
    const auto& model = std::get<EmulatedModel>(job.model);
    const Profile profile = load_profile(kJobs / ".." / (model.profile + ".yaml"));
    const Plan plan = load_plan(kJobs / "mixed-plan.yaml");
    for (const ReplicaGroup& group : plan.groups) {
        EXPECT_GT(compute_seconds(*profile.find(group.gpu_type), group.virtual_nodes).value, 0);
    }
    EXPECT_EQ(plan.global_batch, Samples{1152});
    EXPECT_LT(load_resize_plan(kJobs / "resizes.yaml").back().at_step, job.steps);
}

TEST(ShippedJobs, StandBesideProfilesWithoutBeingTakenForThem) {
    EXPECT_TRUE(load_named_profiles(test::source_path("profiles/clusters")).empty());
    for (const NamedProfile& named : load_named_profiles(kJobs)) { ADD_FAILURE() << named.file << " is no profile"; }
}

}  // namespace
}  // namespace medley::io
