#include "tests/support/real_run.h"

#include <algorithm>
#include <csignal>
#include <thread>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "executor/launchers/launcher.h"
#include "executor/session/run_folder.h"

namespace medley::test {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr auto kPatience = std::chrono::seconds(60);

/// What stands behind the time at a line's beginning, if there is one.
std::string_view without_time(std::string_view line) {
    const std::size_t space = line.find(' ');
    const bool timed = space != std::string_view::npos && line.substr(0, space).find_first_not_of("0123456789.") == std::string_view::npos;
    return timed ? line.substr(space + 1) : line;
}

bool port_is_taken(std::uint16_t port) {
    const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool answered = ::connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    ::close(probe);
    return answered;
}

}  // namespace

RealRun::RealRun(std::filesystem::path directory, RealJob job) : directory_(std::move(directory)), job_(job) {}

RealRun::~RealRun() {
    kill_coordinator();
    signal_workers(SIGKILL);
}

void RealRun::launch(const char* how) {
    std::vector<std::string> words{MEDLEY_TEST_RUN, how, directory_.string()};
    for (std::string& word : job_.arguments()) { words.push_back(std::move(word)); }
    std::vector<char*> pointers;
    for (std::string& word : words) { pointers.push_back(word.data()); }
    pointers.push_back(nullptr);
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) { throw Error("no pipe"); }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    const int error = posix_spawn(&coordinator_, MEDLEY_TEST_RUN, &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (output_ >= 0) { ::close(output_); }
    output_ = ends[0];
    partial_.clear();
    forget();
    if (error != 0) { throw Error(std::string("cannot start ") + MEDLEY_TEST_RUN); }
}

bool RealRun::read(milliseconds wait) {
    pollfd ready{.fd = output_, .events = POLLIN, .revents = 0};
    if (::poll(&ready, 1, static_cast<int>(wait.count())) <= 0) { return true; }
    char piece[4096];
    const ssize_t size = ::read(output_, piece, sizeof piece);
    if (size <= 0) { return false; }
    partial_.append(piece, static_cast<std::size_t>(size));
    for (std::size_t end = 0; (end = partial_.find('\n')) != std::string::npos;) {
        lines_.push_back(partial_.substr(0, end));
        partial_.erase(0, end + 1);
    }
    return true;
}

std::optional<std::string> RealRun::find(const std::string& beginning, std::size_t from) const {
    for (std::size_t index = from; index < lines_.size(); ++index) {
        if (without_time(lines_[index]).starts_with(beginning)) { return lines_[index]; }
    }
    return std::nullopt;
}

std::string RealRun::wait_for(const std::string& beginning) {
    const auto end = Clock::now() + kPatience;
    bool more = true;
    for (std::size_t from = seen_;; from = std::min(from, lines_.size())) {
        if (const auto found = find(beginning, from)) { return *found; }
        if (!more || Clock::now() > end) { return ""; }
        from = lines_.size();
        more = read(milliseconds(100));
    }
}

bool RealRun::wait_for_step(std::int64_t step) {
    const auto end = Clock::now() + kPatience;
    while (last_step() < step) {
        if (Clock::now() > end || !read(milliseconds(20))) { return last_step() >= step; }
    }
    return true;
}

std::optional<int> RealRun::exit_status() {
    int status = 0;
    if (coordinator_ == 0 || ::waitpid(coordinator_, &status, WNOHANG) != coordinator_) { return std::nullopt; }
    coordinator_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int RealRun::wait() {
    const auto end = Clock::now() + 2 * kPatience;
    while (Clock::now() < end && read(milliseconds(100))) {}
    while (Clock::now() < end) {
        if (const auto status = exit_status()) { return *status; }
        std::this_thread::sleep_for(milliseconds(2));
    }
    return -1;
}

void RealRun::signal_coordinator(int signal) const {
    if (coordinator_ > 0) { ::kill(coordinator_, signal); }
}

void RealRun::kill_coordinator() {
    if (coordinator_ <= 0) { return; }
    signal_coordinator(SIGKILL);
    while (read(milliseconds(1000))) {}
    ::waitpid(std::exchange(coordinator_, 0), nullptr, 0);
}

std::vector<std::pair<std::uint32_t, std::int64_t>> RealRun::workers() const { return executor::local_workers(directory_.string()); }

void RealRun::signal_worker(std::uint32_t worker, int signal) const {
    for (const auto& [number, process] : workers()) {
        if (number == worker) { ::kill(static_cast<pid_t>(process), signal); }
    }
}

void RealRun::signal_workers(int signal) const {
    for (const auto& worker : workers()) { ::kill(static_cast<pid_t>(worker.second), signal); }
}

const std::vector<std::string>& RealRun::lines() {
    while (output_ >= 0 && read(milliseconds(0))) {
        pollfd ready{.fd = output_, .events = POLLIN, .revents = 0};
        if (::poll(&ready, 1, 0) <= 0) { break; }
    }
    return lines_;
}

int RealRun::count(const std::string& beginning) {
    const auto& all = lines();
    return static_cast<int>(
        std::count_if(all.begin(), all.end(), [&](const std::string& line) { return without_time(line).starts_with(beginning); }));
}

std::int64_t RealRun::last_step() {
    std::int64_t last = 0;
    for (const std::string& line : lines()) {
        constexpr std::string_view kStepped = "stepped ";
        const std::string_view text = without_time(line);
        if (text.starts_with(kStepped)) { last = std::stoll(std::string(text.substr(kStepped.size()))); }
    }
    return last;
}

std::string RealRun::digest() {
    lines();
    const auto line = find("finished ", 0);
    return line ? line->substr(line->rfind(' ') + 1) : "";
}

std::string RealRun::left_behind() const {
    // The kernel may take a moment to remove a process that has been waited for by nobody.
    const auto end = Clock::now() + std::chrono::seconds(10);
    while (!workers().empty() && Clock::now() < end) { std::this_thread::sleep_for(milliseconds(10)); }
    std::string left;
    for (const auto& [worker, process] : workers()) { left += "worker " + std::to_string(worker) + " runs on; "; }
    try {
        const executor::RunLock lock(directory_);
        if (port_is_taken(executor::read_endpoint(directory_).port)) { left += "the port is still open; "; }
    } catch (const Error& error) { left += error.what(); }
    return left;
}

}  // namespace medley::test
