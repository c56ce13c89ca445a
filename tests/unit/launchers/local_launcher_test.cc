#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "executor/launchers/launcher.h"
#include "tests/support/temporary_folder.h"

namespace medley::executor {
namespace {

using test::contents;
using test::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

/// A program that behaves as a worker as far as a launcher can see.
std::string script(const TemporaryFolder& folder, const std::string& body) {
    const std::string file = (folder / "program").string();
    std::ofstream(file) << "#!/bin/bash\n" << body << "\n";
    ::chmod(file.c_str(), 0700);
    return file;
}

constexpr const char* kStays = "kill -STOP $$";

using Ended = std::vector<std::pair<std::uint32_t, std::string>>;

Ended reap_one(Launcher& launcher) {
    for (;;) {
        const Ended ended = launcher.reap();
        if (!ended.empty()) { return ended; }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

std::string log_of(const TemporaryFolder& folder, int worker) {
    return contents(folder / ("logs/worker-" + std::to_string(worker) + ".log"));
}

/// What the launched program wrote, once it has ended.
std::string output_of(const std::string& body, const std::string& device = "cpu") {
    const TemporaryFolder folder;
    const auto launcher = make_local_launcher(script(folder, body));
    launcher->launch({.worker = 3, .device = device, .directory = folder.path().string()});
    reap_one(*launcher);
    return log_of(folder, 3);
}

std::int64_t only_worker(const TemporaryFolder& folder) {
    for (;;) {
        const auto found = local_workers(folder.path().string());
        if (!found.empty()) { return found.front().second; }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

bool runs(std::int64_t process) { return ::kill(static_cast<pid_t>(process), 0) == 0; }

TEST(LocalLauncher, StartsTheProgramAsAWorkerOfTheRun) {
    const TemporaryFolder folder;
    const std::string program = script(folder, "echo \"$@\"");
    const auto launcher = make_local_launcher(program);
    launcher->launch({.worker = 3, .device = "cpu", .directory = folder.path().string()});
    reap_one(*launcher);
    EXPECT_EQ(log_of(folder, 3), "worker --run " + folder.path().string() + " --number 3\n");
}

TEST(LocalLauncher, BothOutputsGoToTheWorkersLogBehindWhatStandsThere) {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder / "logs");
    std::ofstream(folder / "logs/worker-0.log") << "before\n";
    const auto launcher = make_local_launcher(script(folder, "echo out; echo error >&2"));
    launcher->launch({.worker = 0, .device = "cpu", .directory = folder.path().string()});
    reap_one(*launcher);
    EXPECT_EQ(log_of(folder, 0), "before\nout\nerror\n");
}

TEST(LocalLauncher, NoDescriptorOfOursIsInherited) {
    const int ours = ::open("/dev/null", O_RDONLY);  // without close-on-exec, as a careless library leaves it
    ASSERT_GE(ours, 0);
    const std::string seen = output_of("ls /proc/$$/fd");
    ::close(ours);
    // Bash keeps its script open at a number of its own, 255.
    EXPECT_EQ(seen, "0\n1\n2\n255\n");
}

TEST(LocalLauncher, AWorkerReadsNothingAndLeadsItsOwnSession) {
    EXPECT_EQ(output_of("readlink /proc/$$/fd/0; [ $(cut -d' ' -f6 /proc/$$/stat) = $$ ] && echo leader"), "/dev/null\nleader\n");
}

TEST(LocalLauncher, AWorkerSeesItsGpuAloneAndUsesOneThread) {
    ::unsetenv("CUDA_VISIBLE_DEVICES");
    EXPECT_EQ(output_of("echo $CUDA_VISIBLE_DEVICES $OMP_NUM_THREADS", "cuda:1"), "1 1\n");
    EXPECT_EQ(output_of("echo [$CUDA_VISIBLE_DEVICES]", "cpu"), "[]\n");
}

TEST(LocalLauncher, IgnoredSignalsDoNotStayIgnored) {
    std::signal(SIGTERM, SIG_IGN);
    const std::string seen = output_of("echo starts; kill -TERM $$; echo survives");
    std::signal(SIGTERM, SIG_DFL);
    EXPECT_EQ(seen, "starts\n");
}

TEST(LocalLauncher, SaysHowProcessesEnded) {
    const TemporaryFolder folder;
    const auto launcher = make_local_launcher(script(folder, "[ $5 = 1 ] && exit 7; kill -9 $$"));
    launcher->launch({.worker = 1, .device = "cpu", .directory = folder.path().string()});
    EXPECT_THAT(reap_one(*launcher), ElementsAre(Pair(1U, "exit status 7")));
    launcher->launch({.worker = 2, .device = "cpu", .directory = folder.path().string()});
    EXPECT_THAT(reap_one(*launcher), ElementsAre(Pair(2U, "signal 9")));
    EXPECT_THAT(launcher->reap(), IsEmpty());
}

TEST(LocalLauncher, KillsTheWorkerMeantAlsoWhenItIsStopped) {
    const TemporaryFolder folder;
    const auto launcher = make_local_launcher(script(folder, kStays));
    launcher->launch({.worker = 1, .device = "cpu", .directory = folder.path().string()});
    launcher->kill(2);
    EXPECT_THAT(launcher->reap(), IsEmpty());
    launcher->kill(1);
    EXPECT_THAT(reap_one(*launcher), ElementsAre(Pair(1U, "signal 9")));
}

TEST(LocalLauncher, AProgramThatIsNotThereIsAnErrorThatNamesIt) {
    const TemporaryFolder folder;
    const auto launcher = make_local_launcher((folder / "nothing").string());
    try {
        launcher->launch({.worker = 1, .device = "cpu", .directory = folder.path().string()});
        FAIL();
    } catch (const Error& error) { EXPECT_THAT(error.what(), HasSubstr("nothing: cannot be started")); }
}

TEST(LocalLauncher, TakesOverAWorkerOfAnEarlierCoordinator) {
    const TemporaryFolder folder;
    const std::string directory = folder.path().string();
    const auto earlier = make_local_launcher(script(folder, kStays));
    earlier->launch({.worker = 4, .device = "cpu", .directory = directory});
    const std::int64_t process = only_worker(folder);
    const auto later = make_local_launcher("unused");
    later->adopt(4, process, directory);
    EXPECT_THAT(later->reap(), IsEmpty());
    later->kill(4);
    EXPECT_THAT(reap_one(*later), ElementsAre(Pair(4U, "gone")));
    EXPECT_THAT(reap_one(*earlier), ElementsAre(Pair(4U, "signal 9")));
}

// Process numbers are given out again: whoever has the number now is left alone, and the worker counts as gone.
TEST(LocalLauncher, AnotherProcessUnderTheNumberIsNotTakenForTheWorker) {
    const TemporaryFolder folder;
    const auto bystander = make_local_launcher(script(folder, kStays));
    bystander->launch({.worker = 4, .device = "cpu", .directory = folder.path().string()});
    const std::int64_t process = only_worker(folder);
    const auto launcher = make_local_launcher("unused");
    launcher->adopt(5, process, folder.path().string());
    launcher->adopt(4, process, "/another/run");
    launcher->kill(5);
    launcher->kill(4);
    EXPECT_THAT(launcher->reap(), ElementsAre(Pair(5U, "gone"), Pair(4U, "gone")));
    EXPECT_TRUE(runs(process));
    bystander->kill(4);
    reap_one(*bystander);
}

TEST(LocalLauncher, AWorkerThatIsNotThereAnyMoreIsGone) {
    const auto launcher = make_local_launcher("unused");
    launcher->adopt(6, 0, "/run");
    EXPECT_THAT(launcher->reap(), ElementsAre(Pair(6U, "gone")));
}

TEST(LocalLauncher, ProcessesOutliveTheLauncher) {
    const TemporaryFolder folder;
    make_local_launcher(script(folder, kStays))->launch({.worker = 0, .device = "cpu", .directory = folder.path().string()});
    const std::int64_t process = only_worker(folder);
    EXPECT_TRUE(runs(process));
    ::kill(static_cast<pid_t>(process), SIGKILL);
    ::waitpid(static_cast<pid_t>(process), nullptr, 0);
}

TEST(VisibleDevices, AreTheOneOfThePlanAmongThoseWeSee) {
    EXPECT_EQ(visible_devices("cuda:2", nullptr), "2");
    EXPECT_EQ(visible_devices("cuda:1", "4,6,7"), "6");
    EXPECT_EQ(visible_devices("cuda:2", "4,6,7"), "7");
    EXPECT_EQ(visible_devices("cuda:3", "4,6,7"), "");
    EXPECT_EQ(visible_devices("cuda:0", ""), "");
    EXPECT_EQ(visible_devices("cpu", "4,6"), "");
    EXPECT_EQ(visible_devices("emulated", nullptr), "");
}

}  // namespace
}  // namespace medley::executor
