/// What `medley run` and its companions refuse, in one line and before anything is started.

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/run/started_run.h"

namespace medley::test {
namespace {

using testing::HasSubstr;

void expect_refusal(const Arguments& arguments, const std::string& part) {
    const Outcome outcome = medley(arguments);
    EXPECT_TRUE(outcome.is_one_line_refusal()) << outcome.exit_code << outcome.out << outcome.error;
    EXPECT_THAT(outcome.error, HasSubstr(part));
}

TEST(RunInput, WrongOptionsAreNamed) {
    const TemporaryFolder folder;
    expect_refusal({"run"}, "PLAN: found 'nothing'");
    expect_refusal({"run", kRunPlan}, "--job: found 'nothing'");
    expect_refusal(run_command(folder, "r", {"--workers", "7"}), "--workers: found '7 devices', expected at most 6");
    expect_refusal(run_command(folder, "r", {"--workers", "4,1"}), "--workers: found '5 virtual nodes in all', expected 6");
    expect_refusal(run_command(folder, "r", {"--workers", "V100=2"}), "--workers: found 'V100=2'");
    expect_refusal(run_command(folder, "r", {"--device", "tpu"}), "--device: found 'tpu', expected auto or cpu or cuda");
    expect_refusal(run_command(folder, "r", {"--steps", "0"}), "--steps: found '0'");
    expect_refusal(run_command(folder, "r", {"--lease", "1ms"}), "--lease: found '0.001 s', expected at least 3 s");
    expect_refusal(run_command(folder, "r", {"--collective", "nccl"}), "--collective: found 'nccl', expected gloo or host");
    expect_refusal({"run", "--resume", "nowhere", "--workers", "2"}, "--workers: found '2', expected nothing beside --resume");
    expect_refusal({"run", "--resume", "nowhere"}, "--resume: found 'nowhere'");
    EXPECT_FALSE(std::filesystem::exists(folder / "r"));
}

TEST(RunInput, CountsOfWorkersNeedTimesWithoutGpuTypes) {
    const TemporaryFolder folder;
    expect_refusal(run_command(folder, "r", {"--workers", "2"}), "--workers: found 'workers of no GPU type'");
}

TEST(RunInput, WrongFilesAreNamedWithTheirLines) {
    const TemporaryFolder folder;
    const auto run_with_job = [&](const std::string& text) {
        return Arguments{"run", kRunPlan, "--job", write_file(folder, "job.yaml", text), "--out", (folder / "r").string()};
    };
    expect_refusal(run_with_job("model: {type: mlp, hiden: [3]}\n"), "job.yaml: line 1, model.hiden: found 'hiden', expected hidden");
    expect_refusal(run_with_job("model: {type: emulated, profile: resnet5}\n"), "found 'resnet5', expected resnet50");
    expect_refusal(run_with_job("model: {type: emulated}\nsteps: none\n"), "job.yaml: line 2, steps: found 'none'");
    const std::string resizes = write_file(folder, "resizes.yaml", "resizes:\n  - {at_step: 3, to: \"V100=9\"}\n");
    expect_refusal(run_command(folder, "r", {"--resize-plan", resizes}), "line 2, resizes[0].to: found '9 devices', expected at most 6");
    const std::string plan =
        write_file(folder, "plan.yaml", "global_batch: 8\ngroups: [{gpu_type: V100, replicas: 1, tensor: 2, virtual_nodes: [8]}]\n");
    expect_refusal({"run", plan, "--job", kRunJob, "--out", (folder / "r").string()}, "one device for each replica");
    EXPECT_FALSE(std::filesystem::exists(folder / "r"));
}

TEST(RunInput, DataAndModelFilesAreOpenedBeforeAnyWorker) {
    if (medley({"--version"}).out.find("Torch: yes") == std::string::npos) { GTEST_SKIP() << "built without Torch"; }
    const TemporaryFolder folder;
    const std::string plan =
        write_file(folder, "plan.yaml", "global_batch: 8\ngroups: [{gpu_type: cpu, replicas: 1, virtual_nodes: [8]}]\n");
    const auto run_with_job = [&](const std::string& text) {
        return Arguments{"run", plan, "--job", write_file(folder, "job.yaml", text), "--device", "cpu", "--out", (folder / "r").string()};
    };
    write_file(folder, "x.npy", "not an array");
    const std::string mlp = "model: {type: mlp, inputs: 4, hidden: [3], outputs: 2}\n";
    expect_refusal(run_with_job(mlp + "data: {type: arrays, inputs: none.npy, targets: none.npy}\n"), "none.npy: cannot be opened");
    expect_refusal(run_with_job(mlp + "data: {type: arrays, inputs: x.npy, targets: x.npy}\n"), "x.npy");
    expect_refusal(run_with_job(mlp + "data: {type: arrays, inputs: x.npy}\n"), "data.targets: found 'nothing'");
    expect_refusal(run_with_job("model: {type: torchscript, file: none.pt, input_shape: [4]}\n"), "model.file: found");
    EXPECT_FALSE(std::filesystem::exists(folder / "r"));
}

TEST(RunInput, AFolderThatHoldsAnythingIsLeftAlone) {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "r");
    write_file(folder, "r/thesis.txt", "precious");
    expect_refusal(run_command(folder, "r"), "is not empty");
    EXPECT_EQ(contents(folder / "r" / "thesis.txt"), "precious");
    ASSERT_EQ(medley(run_command(folder, "first", {"--steps", "2"})).exit_code, 0);
    const std::string digest = contents(folder / "first" / "summary.json");
    expect_refusal(run_command(folder, "first"), "holds a run already");
    EXPECT_EQ(contents(folder / "first" / "summary.json"), digest);
}

TEST(RunInput, RunsThatDoNotRunCannotBeAsked) {
    const TemporaryFolder folder;
    expect_refusal({"status", "nowhere"}, "JOB: found 'nowhere', expected the folder of a run");
    ASSERT_EQ(medley(run_command(folder, "r", {"--steps", "2"})).exit_code, 0);
    const std::string run = (folder / "r").string();
    for (const Arguments& arguments : {Arguments{"status", run}, Arguments{"cancel", run}, Arguments{"resize", run, "--to", "V100=1"}}) {
        EXPECT_TRUE(medley(arguments).is_one_line_refusal()) << arguments.front();
    }
    const nlohmann::json list = json_of(medley({"list", "--runs", folder.path().string(), "--json"}));
    ASSERT_EQ(list["runs"].size(), 1);
    EXPECT_EQ(list["runs"][0]["running"], false);
}

}  // namespace
}  // namespace medley::test
