#include "planner/policies/slurm/slurm_books.h"

#include <algorithm>
#include <string_view>

#include "core/error.h"
#include "planner/policies/declared_time.h"

namespace medley::planner {
namespace {

SimTime first_multiple_after(SimTime now, SimTime offset, SimTime period) {
    const std::int64_t since = now.value - offset.value;
    const std::int64_t periods = since >= 0 ? since / period.value + 1 : -((-since - 1) / period.value);
    return SimTime{offset.value + periods * period.value};
}

SimTime rounded_up(SimTime time, SimTime unit) {
    if (unit.value <= 0) { return time; }
    const std::int64_t units = (time.value - 1) / unit.value + 1;
    return units > kNever.value / unit.value ? kNever : SimTime{units * unit.value};
}

void remove_from(std::vector<SlurmJob*>& jobs, const SlurmJob* job) { std::erase(jobs, job); }

bool any_weight(const PriorityWeights& weights) {
    const bool any_resource =
        std::any_of(weights.resources.begin(), weights.resources.end(), [](const ResourceWeight& each) { return each.weight > 0; });
    return any_resource || weights.age + weights.fair_share + weights.job_size + weights.partition + weights.qos + weights.association > 0;
}

bool is_typed(const JobBelief& job, std::string_view type) {
    return job.extras && job.extras->gpu_types.size() == 1 && job.extras->gpu_types.front().text() == type;
}

}  // namespace

SlurmBooks::SlurmBooks(const Cluster& cluster, const SiteRules& rules, const NodeMap& map, SimTime now)
    : cluster_(cluster),
      rules_(rules),
      map_(map),
      site_(cluster, rules, map),
      tree_(rules),
      limits_(tree_),
      period_(to_sim_time(rules.priority.calc_period)),
      next_calculation_(first_multiple_after(now, to_sim_time(rules.priority.calc_offset), period_)),
      last_calculation_(now),
      cluster_cpus_(static_cast<double>(rules.priority.cluster_cpus)) {
    if (cluster_cpus_ <= 0) { cluster_cpus_ = cluster.total_gpus(); }
    tree_.calculate(rules_.priority);
    has_priorities_ = rules.priority.multifactor && any_weight(rules.priority.weights);
}

SlurmJob* SlurmBooks::find(JobId id) {
    const auto found = jobs_.find(id);
    return found != jobs_.end() ? &found->second : nullptr;
}

SlurmJob& SlurmBooks::add(const ClusterView& view, JobId id) {
    SlurmJob& job = jobs_[id];
    job = SlurmJob{.id = id};
    job.eligible = view.now();
    fill(job, view);
    fill_figures(job, view);
    if (limits_.never_allowed(job.subject) || !fits_empty_cluster(job, view.job(id))) {
        job.state = SlurmJob::State::kHeld;
        return job;
    }
    if (!limits_.may_be_submitted(job.subject)) {
        job.state = SlurmJob::State::kNotTakenIn;
        kept_out_.push_back(&job);
        return job;
    }
    take_in(job, view.now());
    return job;
}

void SlurmBooks::fill(SlurmJob& job, const ClusterView& view) {
    static const JobExtras kNoExtras;
    const JobBelief& belief = view.job(job.id);
    const JobExtras& extras = belief.extras ? *belief.extras : kNoExtras;
    job.partition = site_.partition_of(extras.partition);
    const SlurmPartition& partition = site_.partitions()[job.partition];
    job.tier = partition.rule.priority_tier;
    job.reservation = site_.reservation_of(belief);
    job.array = extras.array;
    job.array_limit = extras.array_limit > 0 ? extras.array_limit : rules_.max_running_per_array.value_or(0);
    job.cpus = extras.cpus;
    job.stated_nodes = extras.nodes;
    const std::size_t known = tree_.size();
    job.subject = {.association = tree_.find_or_add(extras.tenant, extras.user),
                   .user = extras.user,
                   .account = extras.tenant,
                   .qos = rules_.find_qos(extras.qos),
                   .partition_qos = partition.qos,
                   .gpus = belief.gpus};
    if (tree_.size() > known) { tree_.calculate(rules_.priority); }
    if (belief.gpus == kWholePool) {
        for (const GpuTypeId type : site_.types()) { job.subject.gpus = std::max<std::int64_t>(job.subject.gpus, view.capacity(type)); }
    }
    job.limit = wall_time(job, belief);
    job.billing = billing(job, belief);
}

void SlurmBooks::fill_figures(SlurmJob& job, const ClusterView& view) const {
    const JobBelief& belief = view.job(job.id);
    const SlurmPartition& partition = site_.partitions()[job.partition];
    const double highest = tree_.highest_priority();
    job.figures.association = highest > 0 ? tree_.priority(job.subject.association) / highest : 0;
    job.figures.qos = site_.qos_factor(job.subject.qos);
    job.figures.partition = partition.factor;
    job.figures.nodes = nodes_needed(job, belief);
    job.figures.cluster_nodes = static_cast<double>(map_.size());
    job.figures.cpus = rules_.priority.cluster_cpus > 0 ? job.cpus : static_cast<double>(job.subject.gpus);
    job.figures.cluster_cpus = cluster_cpus_;
    job.figures.resource_shares.clear();
    for (const ResourceWeight& each : rules_.priority.weights.resources) {
        job.figures.resource_shares.push_back(resource_share(each.resource, job, belief));
    }
}

double SlurmBooks::amount(const std::string& resource, const SlurmJob& job, const JobBelief& belief) const {
    if (resource == "cpu") { return job.cpus; }
    if (resource == "node") { return nodes_needed(job, belief); }
    const bool counts = resource == "gpu" || is_typed(belief, std::string_view(resource).substr(4));
    return counts ? static_cast<double>(job.subject.gpus) : 0;
}

double SlurmBooks::resource_share(const std::string& resource, const SlurmJob& job, const JobBelief& belief) const {
    const SlurmPartition& partition = site_.partitions()[job.partition];
    double whole = partition.gpus;
    if (resource == "cpu") { whole = cluster_cpus_ * partition.node_count / static_cast<double>(map_.size()); }
    if (resource == "node") { whole = partition.node_count; }
    if (resource.starts_with("gpu:")) {
        const auto type = cluster_.find(resource.substr(4));
        whole = type ? partition.gpus_of[type->index()] : 0;
    }
    return whole > 0 ? amount(resource, job, belief) / whole : 0;
}

double SlurmBooks::billing(const SlurmJob& job, const JobBelief& belief) const {
    const double factor = job.subject.qos != nullptr ? job.subject.qos->usage_factor : 1;
    if (rules_.priority.billing.empty()) { return static_cast<double>(job.subject.gpus) * factor; }
    double sum = 0;
    for (const ResourceWeight& each : rules_.priority.billing) { sum += each.weight * amount(each.resource, job, belief); }
    return sum * factor;
}

SimTime SlurmBooks::wall_time(const SlurmJob& job, const JobBelief& belief) const {
    const PartitionRule& partition = site_.partitions()[job.partition].rule;
    Seconds limit = belief.walltime.value_or(partition.default_walltime.value_or(partition.max_walltime.value_or(*belief.run_time)));
    if (partition.max_walltime) { limit = std::min(limit, *partition.max_walltime); }
    if (job.subject.qos != nullptr && job.subject.qos->max_walltime) { limit = std::min(limit, *job.subject.qos->max_walltime); }
    return rounded_up(to_sim_time_up(limit), to_sim_time(rules_.scheduling.walltime_unit));
}

int SlurmBooks::nodes_needed(const SlurmJob& job, const JobBelief& belief) const {
    if (job.stated_nodes > 0) { return job.stated_nodes; }
    for (const GpuTypeId type : site_.types()) {
        if (!belief.allows(type)) { continue; }
        const GangShape shape = map_.shape(static_cast<int>(job.subject.gpus), 0, type);
        return std::max(1, shape.nodes + (shape.rest > 0 ? 1 : 0));
    }
    return 1;
}

bool SlurmBooks::fits_empty_cluster(const SlurmJob& job, const JobBelief& belief) const {
    if (belief.gpus == kWholePool) { return true; }
    FreeNodes empty{.gpus = std::vector<int>(map_.size(), 0), .load = std::vector<int>(map_.size(), 0)};
    for (std::size_t index = 0; index < map_.size(); ++index) {
        if (site_.partitions()[job.partition].nodes[index]) { empty.gpus[index] = map_.node(NodeId(index)).gpus; }
    }
    return std::any_of(site_.types().begin(), site_.types().end(), [&](GpuTypeId type) {
        return belief.allows(type) && choose_nodes(map_, type, map_.shape(belief.gpus, job.stated_nodes, type), empty).has_value();
    });
}

void SlurmBooks::take_in(SlurmJob& job, SimTime now) {
    limits_.submit(job.subject);
    job.eligible = now;
    set_priority(job, now);
    enqueue(job);
}

void SlurmBooks::admit_those_kept_out(SimTime now) {
    std::vector<SlurmJob*> waiting;
    waiting.swap(kept_out_);
    for (SlurmJob* job : waiting) {
        if (!limits_.may_be_submitted(job->subject)) {
            kept_out_.push_back(job);
            continue;
        }
        take_in(*job, now);
    }
}

void SlurmBooks::enqueue(SlurmJob& job) {
    job.state = SlurmJob::State::kWaiting;
    queue_.insert(std::upper_bound(queue_.begin(), queue_.end(), &job, goes_before), &job);
}

void SlurmBooks::dequeue(SlurmJob& job) {
    const auto place = std::lower_bound(queue_.begin(), queue_.end(), &job, goes_before);
    MEDLEY_ASSERT(place != queue_.end() && *place == &job);
    queue_.erase(place);
}

void SlurmBooks::forget(JobId id, SimTime now) {
    SlurmJob* job = find(id);
    if (job == nullptr) { return; }
    using State = SlurmJob::State;
    const State state = job->state;
    if (state == State::kRunning) { stop(*job, now, State::kHeld); }
    if (state == State::kWaiting) { dequeue(*job); }
    if (state == State::kSuspended) { remove_from(suspended_, job); }
    if (state == State::kNotTakenIn) { remove_from(kept_out_, job); }
    if (state != State::kHeld && state != State::kNotTakenIn) { limits_.withdraw(job->subject); }
    jobs_.erase(id);
    if (!kept_out_.empty()) { admit_those_kept_out(now); }
}

void SlurmBooks::start(SlurmJob& job, SimTime now) {
    if (job.state == SlurmJob::State::kSuspended) {
        remove_from(suspended_, &job);
    } else {
        dequeue(job);
    }
    job.state = SlurmJob::State::kRunning;
    job.start = job.charged = now;
    limits_.start(job.subject);
    running_.push_back(&job);
    if (!job.array.empty()) { ++running_of_array_[job.array]; }
}

void SlurmBooks::stop(SlurmJob& job, SimTime now, SlurmJob::State state) {
    charge(job, now);
    limits_.end(job.subject);
    remove_from(running_, &job);
    if (!job.array.empty()) { --running_of_array_[job.array]; }
    job.state = state;
    if (state == SlurmJob::State::kSuspended) { suspended_.push_back(&job); }
    if (state == SlurmJob::State::kWaiting) { enqueue(job); }
}

const char* SlurmBooks::blocked_by(const SlurmJob& job, SimTime now) const {
    if (job.not_before > now) { return "requeued a moment ago"; }
    if (job.array_limit > 0) {
        const auto running = running_of_array_.find(job.array);
        if (running != running_of_array_.end() && running->second >= job.array_limit) { return "array limit of running tasks"; }
    }
    return limits_.blocked_by(job.subject);
}

void SlurmBooks::set_priority(SlurmJob& job, SimTime now) {
    if (!has_priorities_) { return; }
    job.figures.waited = to_seconds(now - job.eligible);
    job.figures.fair_share = tree_.factor(job.subject.association);
    job.priority = job_priority(job.figures, rules_.priority);
}

bool SlurmBooks::calculate_until(SimTime now) {
    if (now < next_calculation_) { return false; }
    while (next_calculation_ <= now) {
        calculate(next_calculation_);
        next_calculation_ += period_;
    }
    if (!has_priorities_) { return false; }
    tree_.calculate(rules_.priority);
    for (SlurmJob* job : queue_) { set_priority(*job, last_calculation_); }
    for (SlurmJob* job : suspended_) { set_priority(*job, last_calculation_); }
    if (std::is_sorted(queue_.begin(), queue_.end(), goes_before)) { return false; }
    std::sort(queue_.begin(), queue_.end(), goes_before);
    return true;
}

// What was recorded decays first, then what ran since is added, decayed over its own length.
void SlurmBooks::calculate(SimTime at) {
    tree_.decay(usage_decay(rules_.priority.decay_half_life, to_seconds(at - last_calculation_)));
    const SimTime reset = to_sim_time(rules_.priority.usage_reset);
    if (reset.value > 0 && at.value / reset.value != last_calculation_.value / reset.value) { tree_.reset_usage(); }
    for (SlurmJob* job : running_) { charge(*job, at); }
    last_calculation_ = at;
}

void SlurmBooks::charge(SlurmJob& job, SimTime until) {
    if (until <= job.charged) { return; }
    const Seconds span = to_seconds(until - job.charged);
    tree_.charge(job.subject.association, span.value * usage_decay(rules_.priority.decay_half_life, span) * job.billing);
    job.charged = until;
}

}  // namespace medley::planner
