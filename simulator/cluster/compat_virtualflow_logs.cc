#include "simulator/cluster/compat_virtualflow_logs.h"

#include <cmath>

#include "simulator/cluster/event_queue.h"

namespace medley::simulator {

void VirtualFlowLogsAccounting::meet(JobId job, SimTime submit) {
    if (books_.size() <= job.index()) { books_.resize(job.index() + 1); }
    Book& book = books_[job.index()];
    if (book.last == kNever) { book.last = submit; }
}

VirtualFlowLogsAccounting::Check VirtualFlowLogsAccounting::next_check(JobId job, double total_work, double work_per_s, SimTime now) const {
    const SimTime round_end{(now.value / round_.value + 1) * round_.value};
    const double missing = total_work - credited(job);
    const SimTime finish = work_per_s > 0 ? later(now, to_sim_time(Seconds{std::ceil(missing / work_per_s)})) : kNever;
    return finish <= round_end ? Check{.time = finish, .finishes = true} : Check{.time = round_end, .finishes = false};
}

double VirtualFlowLogsAccounting::credit(JobId job, double work_per_s, SimTime now) {
    Book& book = books_[job.index()];
    book.credited += std::floor(work_per_s * to_seconds(now - book.last).value);
    book.last = now;
    return book.credited;
}

}  // namespace medley::simulator
