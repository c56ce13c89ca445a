#include "cli/progress.h"

#include <algorithm>
#include <cstdio>

#include <unistd.h>

#include <fmt/format.h>

#include "cli/table.h"

namespace medley::cli {
namespace {

constexpr std::chrono::milliseconds kFirstDraw{500};
constexpr std::chrono::milliseconds kBetweenDraws{100};
constexpr const char* kWipeLine = "\r\033[K";

}  // namespace

Progress::Progress(const Console& console, std::string what)
    : enabled_(!console.quiet && ::isatty(STDERR_FILENO) == 1),
      what_(std::move(what)),
      start_(Clock::now()),
      next_draw_(start_ + kFirstDraw) {}

Progress::~Progress() {
    if (drawn_) { std::fputs(kWipeLine, stderr); }
}

void Progress::update(std::size_t done, std::size_t total) {
    const Clock::time_point now = Clock::now();
    if (!enabled_ || now < next_draw_) { return; }
    next_draw_ = now + kBetweenDraws;
    drawn_ = true;
    const double elapsed_s = std::chrono::duration<double>(now - start_).count();
    std::fprintf(stderr, "%s%s", kWipeLine, progress_line(done, total, elapsed_s, what_).c_str());
    std::fflush(stderr);
}

std::string progress_line(std::size_t done, std::size_t total, double elapsed_s, const std::string& what) {
    constexpr std::size_t kWidth = 30;
    const double share = total == 0 ? 1 : static_cast<double>(done) / static_cast<double>(total);
    const auto filled = static_cast<std::size_t>(share * kWidth);
    std::string line = fmt::format("[{}{}]  {:3.0f} %  {} of {} {}", std::string(filled, '#'), std::string(kWidth - filled, '.'),
                                   100 * share, done, total, what);
    if (done == 0 || elapsed_s <= 0) { return line; }
    const double rate = static_cast<double>(done) / elapsed_s;
    return line + fmt::format(", {} {}/s, {:.0f} s left", show_number(rate), what, static_cast<double>(total - done) / rate);
}

}  // namespace medley::cli
