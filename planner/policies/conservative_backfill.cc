#include "planner/policies/conservative_backfill.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "planner/policies/booking_bounds.h"
#include "planner/policies/declared_time.h"
#include "planner/policies/free_gpus.h"
#include "planner/policies/free_profile.h"
#include "planner/policies/site_pools.h"

namespace medley::planner {
namespace {

constexpr SimTime kLeastOverrun{1'000'000'000};

/// A place in a pool's profile: of a waiting job (its reservation) or of a running one.
struct Booking {
    std::size_t pool = 0;
    int gpus = 0;
    SimTime start = kNever;  ///< kNever = no room in sight
    SimTime end = kNever;
    bool operator==(const Booking&) const = default;
};

class ConservativeBackfill final : public Policy {
 public:
    ConservativeBackfill(PolicyTraits traits, const SiteRules& rules) : traits_(std::move(traits)), rules_(rules) {}
    const PolicyTraits& traits() const override { return traits_; }
    Decision decide(const ClusterView& view) override;

 private:
    struct Waiting {
        Booking booking;
        SimTime announced = kNever;  ///< as last reported
    };

    void set_up(const ClusterView& view);
    void take_news(const ClusterView& view);
    void reconcile(const ClusterView& view, JobId job);
    void enqueue(JobId job);
    void forget(JobId job);
    void extend_overrunning(SimTime now);
    void rebuild(const ClusterView& view);
    void move_forward(const ClusterView& view);

    std::optional<Booking> best_booking(const ClusterView& view, JobId job);
    std::optional<Booking> earlier_booking(const ClusterView& view, JobId job, const Booking& old);
    std::optional<Booking> booking_in(const ClusterView& view, JobId job, std::size_t pool, SimTime before);
    bool eligible(const ClusterView& view, JobId job, std::size_t pool) const;
    void place(const Booking& booking) { profiles_[booking.pool].add(booking.start, booking.end, -booking.gpus); }
    void vacate(const Booking& booking) { profiles_[booking.pool].add(booking.start, booking.end, booking.gpus); }
    void book(const ClusterView& view, JobId job);
    void set_booking(JobId job, const Booking& booking);

    void start_due(const ClusterView& view, Decision& decision);
    void announce(const ClusterView& view, Decision& decision);
    SimTime next_look(SimTime now) const;

    PolicyTraits traits_;
    SiteRules rules_;
    std::vector<SitePool> pools_;
    std::vector<FreeProfile> profiles_;  ///< by pool
    std::vector<BookingBounds> bounds_;  ///< by pool, of the pass under way
    std::set<JobId> order_;              ///< waiting jobs
    std::set<JobId> unbooked_;           ///< those without a booking
    std::unordered_map<JobId, Waiting> waiting_;
    std::unordered_map<JobId, Booking> running_;
    std::set<std::pair<SimTime, JobId>> starts_;  ///< of waiting jobs with a booking
    std::set<std::pair<SimTime, JobId>> ends_;    ///< of running jobs
    std::vector<JobId> changed_;                  ///< started by the last decision; verified at the next
    std::vector<JobId> moved_;                    ///< waiting jobs with a new booking, to be reported
    std::vector<int> capacity_;
    bool room_opened_ = false;
    bool blocked_ = false;  ///< a job is due whose GPUs another has not given back yet
    bool stale_ = false;    ///< the profiles must be built anew
};

Decision ConservativeBackfill::decide(const ClusterView& view) {
    set_up(view);
    for (FreeProfile& profile : profiles_) { profile.advance(view.now()); }
    take_news(view);
    extend_overrunning(view.now());
    if (stale_) {
        rebuild(view);
    } else if (room_opened_) {
        move_forward(view);
    }
    room_opened_ = stale_ = blocked_ = false;
    const std::vector<JobId> unbooked(unbooked_.begin(), unbooked_.end());
    for (const JobId job : unbooked) { book(view, job); }
    Decision decision;
    start_due(view, decision);
    announce(view, decision);
    decision.ask_again = next_look(view.now());
    return decision;
}

SimTime ConservativeBackfill::next_look(SimTime now) const {
    const auto coming = starts_.upper_bound({now, JobId()});
    SimTime next = coming == starts_.end() ? kNever : coming->first;
    if (stale_ || blocked_) { next = std::min(next, now + kLeastOverrun); }
    if (unbooked_.empty()) { return next; }
    for (const SiteReservation& reservation : rules_.reservations) {
        if (reservation.end > now) { next = std::min(next, reservation.end); }
    }
    return next;
}

void ConservativeBackfill::set_up(const ClusterView& view) {
    if (!pools_.empty()) { return; }
    pools_ = site_pools(view.cluster(), rules_);
    profiles_.resize(pools_.size());
    bounds_.resize(pools_.size());
    stale_ = true;
}

void ConservativeBackfill::take_news(const ClusterView& view) {
    if (std::vector<int> capacity = capacities(view); capacity != capacity_) {
        capacity_ = std::move(capacity);
        stale_ = true;
    }
    for (const JobId job : view.departed()) { forget(job); }
    for (const JobId job : view.arrived()) { enqueue(job); }
    for (const JobId job : view.evicted()) { reconcile(view, job); }
    for (const JobId job : changed_) { reconcile(view, job); }
    changed_.clear();
}

// A decision that took effect late may have been dropped, and lost capacity stops jobs.
void ConservativeBackfill::reconcile(const ClusterView& view, JobId job) {
    if (!running_.contains(job) || !view.held(job).empty()) { return; }
    forget(job);
    enqueue(job);
    stale_ = true;
}

void ConservativeBackfill::enqueue(JobId job) {
    order_.insert(job);
    unbooked_.insert(job);
    waiting_.try_emplace(job);
}

void ConservativeBackfill::forget(JobId job) {
    if (const auto waiting = waiting_.find(job); waiting != waiting_.end()) {
        if (waiting->second.booking.start != kNever) {
            vacate(waiting->second.booking);
            starts_.erase({waiting->second.booking.start, job});
            room_opened_ = true;
        }
        order_.erase(job);
        unbooked_.erase(job);
        waiting_.erase(waiting);
    }
    const auto running = running_.find(job);
    if (running == running_.end()) { return; }
    if (running->second.end > profiles_[running->second.pool].begin()) {
        vacate(running->second);
        room_opened_ = true;
    }
    ends_.erase({running->second.end, job});
    running_.erase(running);
}

void ConservativeBackfill::extend_overrunning(SimTime now) {
    while (!ends_.empty() && ends_.begin()->first < now) {
        const auto [end, job] = *ends_.begin();
        ends_.erase(ends_.begin());
        Booking& booking = running_.at(job);
        booking.end = now + std::max(kLeastOverrun, now - end);
        ends_.emplace(booking.end, job);
        stale_ = true;
    }
}

void ConservativeBackfill::rebuild(const ClusterView& view) {
    const SimTime now = view.now();
    for (std::size_t pool = 0; pool < pools_.size(); ++pool) {
        const SitePool& site = pools_[pool];
        profiles_[pool].reset(now, site.reservation == nullptr ? view.capacity(site.type) : 0);
        if (site.reservation == nullptr) { continue; }
        profiles_[site.type.index()].add(site.reservation->start, site.reservation->end, -site.reserved);
        profiles_[pool].add(site.reservation->start, site.reservation->end, site.reserved);
    }
    for (const auto& [end, job] : ends_) { place(running_.at(job)); }
    starts_.clear();
    unbooked_ = order_;
    for (const JobId job : order_) { waiting_.at(job).booking = {}; }
    for (BookingBounds& bounds : bounds_) { bounds.clear(); }
    for (const JobId job : order_) { book(view, job); }
}

void ConservativeBackfill::move_forward(const ClusterView& view) {
    for (BookingBounds& bounds : bounds_) { bounds.clear(); }
    for (const JobId job : order_) {
        const Booking old = waiting_.at(job).booking;
        if (old.start <= view.now() || old.start == kNever) { continue; }
        const std::optional<Booking> earlier = earlier_booking(view, job, old);
        if (!earlier) { continue; }
        vacate(old);
        place(*earlier);
        starts_.erase({old.start, job});
        set_booking(job, *earlier);
        bounds_[old.pool].clear();
    }
}

std::optional<Booking> ConservativeBackfill::best_booking(const ClusterView& view, JobId job) {
    std::optional<Booking> best;
    for (std::size_t pool = 0; pool < pools_.size(); ++pool) {
        const std::optional<Booking> found = booking_in(view, job, pool, best ? best->start : kNever);
        if (found) { best = found; }
    }
    return best;
}

// In the pool where it is booked, its own place is not in its way: a new one ends before that begins, or reaches into it.
std::optional<Booking> ConservativeBackfill::earlier_booking(const ClusterView& view, JobId job, const Booking& old) {
    std::optional<Booking> best;
    for (std::size_t pool = 0; pool < pools_.size(); ++pool) {
        const SimTime before = best ? best->start : old.start;
        if (pool != old.pool) {
            if (const auto found = booking_in(view, job, pool, before)) { best = found; }
            continue;
        }
        const SimTime length = old.end - old.start;
        if (const auto found = booking_in(view, job, pool, std::min(before, old.start - length + SimTime{1}))) {
            best = found;
            continue;
        }
        const SimTime since = std::max(view.now(), profiles_[pool].free_since(old.start, old.gpus));
        if (since >= before) { continue; }
        best = old;
        best->start = since;
        best->end = since + length;
    }
    return best;
}

std::optional<Booking> ConservativeBackfill::booking_in(const ClusterView& view, JobId job, std::size_t pool, SimTime before) {
    if (!eligible(view, job, pool)) { return std::nullopt; }
    const GpuTypeId type = pools_[pool].type;
    const int gpus = view.demand(job, type);
    const Seconds span = view.transition_cost(job, Allocation::of(type, gpus)) + view.remaining(job);
    const SimTime length = to_sim_time_up(span);
    BookingBounds& bounds = bounds_[pool];
    const SimTime from = std::max(view.now(), bounds.earliest(gpus, length));
    const auto start = profiles_[pool].earliest({.from = from, .before = before, .span = length, .gpus = gpus});
    bounds.learn(gpus, length, start.value_or(before));
    if (!start) { return std::nullopt; }
    return Booking{.pool = pool, .gpus = gpus, .start = *start, .end = after(*start, span)};
}

bool ConservativeBackfill::eligible(const ClusterView& view, JobId job, std::size_t pool) const {
    const SitePool& site = pools_[pool];
    if (!view.could_run_on(job, site.type)) { return false; }
    const auto waits_for = [&](const SitePool& other) {
        return other.reservation != nullptr && other.reservation->end > view.now() && may_use(view.job(job), *other.reservation);
    };
    if (site.reservation != nullptr) { return waits_for(site); }
    return std::none_of(pools_.begin(), pools_.end(), waits_for);
}

void ConservativeBackfill::book(const ClusterView& view, JobId job) {
    const std::optional<Booking> booking = best_booking(view, job);
    if (!booking) { return; }
    place(*booking);
    set_booking(job, *booking);
}

void ConservativeBackfill::set_booking(JobId job, const Booking& booking) {
    waiting_.at(job).booking = booking;
    unbooked_.erase(job);
    starts_.emplace(booking.start, job);
    moved_.push_back(job);
}

// A job may be due in the very moment in which another ends that has not said so yet; where jobs overran into a reservation, later still.
void ConservativeBackfill::start_due(const ClusterView& view, Decision& decision) {
    FreeGpus free;
    free.reset(view);
    const auto due_end = starts_.upper_bound({view.now(), JobId()});
    const std::vector<std::pair<SimTime, JobId>> due(starts_.begin(), due_end);
    for (const auto& [start, job] : due) {
        Booking booking = waiting_.at(job).booking;
        const GpuTypeId type = pools_[booking.pool].type;
        if (booking.gpus > free.of(type)) {
            blocked_ = true;
            continue;
        }
        stale_ = stale_ || start < view.now();
        free.take(type, booking.gpus);
        starts_.erase({start, job});
        if (booking.end != kNever) { booking.end += view.now() - start; }
        booking.start = view.now();
        if (*order_.begin() != job) { decision.reasons.push_back({.job = job, .text = "backfilled: delays no reservation"}); }
        order_.erase(job);
        waiting_.erase(job);
        running_.emplace(job, booking);
        ends_.emplace(booking.end, job);
        changed_.push_back(job);
        decision.changes.push_back({.job = job, .target = Allocation::of(type, booking.gpus)});
    }
}

// Reports a first booking, a later one than was told, and an earlier one where the wait has halved: so a job is in the log a few times.
void ConservativeBackfill::announce(const ClusterView& view, Decision& decision) {
    for (const JobId job : moved_) {
        const auto found = waiting_.find(job);
        if (found == waiting_.end()) { continue; }
        Waiting& waiting = found->second;
        const Booking& booking = waiting.booking;
        const bool first = waiting.announced == kNever;
        const SimTime now = view.now();
        const bool worth_it = booking.start > waiting.announced || booking.start - now < SimTime{(waiting.announced - now).value / 2};
        if (!first && !worth_it) { continue; }
        waiting.announced = booking.start;
        const GpuTypeId type = pools_[booking.pool].type;
        decision.reservations.push_back({.job = job, .start = booking.start, .allocation = Allocation::of(type, booking.gpus)});
        if (first) {
            decision.reasons.push_back({.job = job,
                                        .text = fmt::format("reserved: {} GPUs of type {} are not free earlier for as long as declared",
                                                            booking.gpus, view.cluster().type(type).name.text())});
        }
    }
    moved_.clear();
}

}  // namespace

std::unique_ptr<Policy> make_conservative_backfill(PolicyTraits traits, const PolicyOptions&, const SiteRules& rules) {
    return std::make_unique<ConservativeBackfill>(std::move(traits), rules);
}

}  // namespace medley::planner
