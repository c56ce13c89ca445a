#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

// glibc 2.36 forgot that C++ includes this one.
extern "C" {
#include <sys/pidfd.h>
}

#include <fmt/format.h>

#include "core/error.h"
#include "executor/launchers/launcher.h"
#include "executor/launchers/worker_command.h"

namespace medley::executor {
namespace {

constexpr std::string_view kVisibleDevices = "CUDA_VISIBLE_DEVICES=";
constexpr std::string_view kThreads = "OMP_NUM_THREADS=";

/// The environment of a worker: ours, with its GPU and one thread.
std::vector<std::string> worker_environment(const std::string& device) {
    std::vector<std::string> environment;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text(*variable);
        if (!text.starts_with(kVisibleDevices) && !text.starts_with(kThreads)) { environment.emplace_back(text); }
    }
    environment.push_back(std::string(kVisibleDevices) + visible_devices(device, std::getenv("CUDA_VISIBLE_DEVICES")));
    environment.push_back(std::string(kThreads) + "1");
    return environment;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (std::string& text : texts) { result.push_back(text.data()); }
    result.push_back(nullptr);
    return result;
}

/// What a new process gets from us, and what not. RAII around the C interface.
class Inheritance {
 public:
    explicit Inheritance(const std::string& log) {
        posix_spawn_file_actions_init(&actions_);
        posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
        posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO);
        posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
        posix_spawnattr_init(&attributes_);
        sigset_t all;
        sigset_t none;
        sigfillset(&all);
        sigemptyset(&none);
        posix_spawnattr_setsigdefault(&attributes_, &all);
        posix_spawnattr_setsigmask(&attributes_, &none);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    }
    ~Inheritance() {
        posix_spawn_file_actions_destroy(&actions_);
        posix_spawnattr_destroy(&attributes_);
    }
    Inheritance(const Inheritance&) = delete;
    Inheritance& operator=(const Inheritance&) = delete;

    const posix_spawn_file_actions_t* actions() const { return &actions_; }
    const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
    posix_spawn_file_actions_t actions_;
    posix_spawnattr_t attributes_;
};

pid_t spawn(std::vector<std::string> command, std::vector<std::string> environment, const std::string& log) {
    const Inheritance inheritance(log);
    pid_t process = 0;
    const int error = posix_spawn(&process, command[0].c_str(), inheritance.actions(), inheritance.attributes(), pointers(command).data(),
                                  pointers(environment).data());
    if (error != 0) { throw Error(Problem{.file = command[0], .message = fmt::format("cannot be started: {}", std::strerror(error))}); }
    return process;
}

std::string how_ended(int status) {
    return WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status)) : fmt::format("exit status {}", WEXITSTATUS(status));
}

/// Refers to one process for good, also after its number has gone to another.
class ProcessHandle {
 public:
    explicit ProcessHandle(pid_t process) : descriptor_(pidfd_open(process, 0)) {}
    ~ProcessHandle() {
        if (descriptor_ >= 0) { ::close(descriptor_); }
    }
    ProcessHandle(ProcessHandle&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    ProcessHandle& operator=(ProcessHandle&&) = delete;

    /// The descriptor becomes readable when the process ends, also if nobody has waited for it yet.
    bool alive() const {
        pollfd ended{.fd = descriptor_, .events = POLLIN, .revents = 0};
        return descriptor_ >= 0 && ::poll(&ended, 1, 0) == 0;
    }
    void kill() const {
        if (descriptor_ >= 0) { pidfd_send_signal(descriptor_, SIGKILL, nullptr, 0); }
    }

 private:
    int descriptor_;
};

class LocalLauncher : public Launcher {
 public:
    explicit LocalLauncher(std::string program) : program_(std::move(program)) {}

    void launch(const WorkerProcess& process) override {
        const std::string logs = process.directory + "/logs";
        std::filesystem::create_directories(logs);
        const std::string log = fmt::format("{}/worker-{}.log", logs, process.worker);
        children_[process.worker] =
            spawn(worker_command(program_, process.directory, process.worker), worker_environment(process.device), log);
    }

    void kill(std::uint32_t worker) override {
        // A child that has not been waited for keeps its number, so this hits no other process.
        if (const auto child = children_.find(worker); child != children_.end()) { ::kill(child->second, SIGKILL); }
        if (const auto other = adopted_.find(worker); other != adopted_.end()) { other->second.kill(); }
    }

    std::vector<std::pair<std::uint32_t, std::string>> reap() override {
        std::vector<std::pair<std::uint32_t, std::string>> ended = std::move(ended_);
        ended_.clear();
        // One call for the ordinary case, in which none of a hundred children has ended.
        siginfo_t any{};
        const bool some = ::waitid(P_ALL, 0, &any, WEXITED | WNOHANG | WNOWAIT) == 0 && any.si_pid != 0;
        std::erase_if(children_, [&](const auto& child) {
            if (!some) { return false; }
            int status = 0;
            if (::waitpid(child.second, &status, WNOHANG) != child.second) { return false; }
            ended.emplace_back(child.first, how_ended(status));
            return true;
        });
        std::erase_if(adopted_, [&](const auto& other) {
            if (other.second.alive()) { return false; }
            ended.emplace_back(other.first, "gone");
            return true;
        });
        return ended;
    }

    void adopt(std::uint32_t worker, std::int64_t process, const std::string& directory) override {
        if (children_.contains(worker) || adopted_.contains(worker)) { return; }
        // First the handle, then the look at the command: in the other order the number could change hands in between.
        ProcessHandle handle(static_cast<pid_t>(process));
        if (process > 0 && handle.alive() && starts_worker(command_of(process), directory, worker)) {
            adopted_.emplace(worker, std::move(handle));
        } else {
            ended_.emplace_back(worker, "gone");
        }
    }

 private:
    std::string program_;
    std::map<std::uint32_t, pid_t> children_;
    std::map<std::uint32_t, ProcessHandle> adopted_;
    std::vector<std::pair<std::uint32_t, std::string>> ended_;
};

}  // namespace

std::string visible_devices(const std::string& device, const char* now) {
    constexpr std::string_view kPrefix = "cuda:";
    if (!device.starts_with(kPrefix)) { return ""; }
    const std::string index = device.substr(kPrefix.size());
    if (now == nullptr) { return index; }
    std::string_view rest(now);
    for (int skip = std::atoi(index.c_str()); skip > 0; --skip) {
        const std::size_t comma = rest.find(',');
        if (comma == std::string_view::npos) { return ""; }
        rest.remove_prefix(comma + 1);
    }
    return std::string(rest.substr(0, rest.find(',')));
}

std::unique_ptr<Launcher> make_local_launcher(const std::string& program) { return std::make_unique<LocalLauncher>(program); }

}  // namespace medley::executor
