#include "io/trace_check.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "core/error.h"
#include "cost/profile_cost_model.h"
#include "io/scalar.h"

namespace medley::io {
namespace {

class Checker {
 public:
    Checker(const Cluster& cluster, const std::vector<Profile>& profiles)
        : cluster_(cluster), capacity_(cluster.capacity()), speeds_(cluster, profiles) {
        for (const Profile& profile : profiles) { profiles_.emplace(profile.model, &profile); }
        for (const GpuType& type : cluster.gpu_types) { types_.push_back(type.name.text()); }
    }

    /// The types of the cluster that the job may run on.
    std::vector<GpuTypeId> allowed(const Job& job) const {
        std::vector<GpuTypeId> ids;
        for (const Name name : job.allowed_types()) { ids.push_back(require_type(job, "gpu_types", name)); }
        for (std::size_t index = 0; job.allowed_types().empty() && index < cluster_.gpu_types.size(); ++index) { ids.emplace_back(index); }
        return ids;
    }

    int largest_pool(const std::vector<GpuTypeId>& types) const {
        int largest = 0;
        for (const GpuTypeId type : types) { largest = std::max(largest, capacity_[type.index()]); }
        return largest;
    }

    void check_reference(const Job& job) const {
        if (job.reference_gpu_type.empty() || profiled_on(job.model, job.reference_gpu_type)) { return; }
        require_type(job, "reference_gpu_type", job.reference_gpu_type);
    }

    void check_profile(const Job& job) const {
        if (job.steps > 0 && !profiles_.contains(job.model)) { refuse_model(job); }
    }

    /// As the scheduler sees it: a pool that holds the gang, of a type on which the job has a speed.
    bool runs_on(const Job& job, GpuTypeId type) const {
        const int pool = capacity_[type.index()];
        const int least = std::max(job.min_gpus > 0 ? job.min_gpus : job.gpus, 1);
        return pool >= least && speeds_.speed(job, type, job.whole_pool() ? pool : std::min(job.gpus, pool)).work_per_s > 0;
    }

    /// Does its duration hold on every type?
    bool runs_alike(const Job& job) const {
        return job.steps == 0 && cluster_.gpu_types.size() > 1 && !profiled_on(job.model, job.reference_gpu_type);
    }

    [[noreturn]] void refuse_unrunnable(const Job& job, const std::vector<GpuTypeId>& types) const {
        std::string reasons;
        for (const GpuTypeId type : types) {
            reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : ", ", cluster_.type(type).name.text(), obstacle(job, type));
        }
        const Name model = job.model;
        refuse_value(place(job, model.empty() ? "gpus" : "model"), model.empty() ? fmt::format("{}", job.gpus) : model.text(),
                     fmt::format("a GPU type that can run it ({}; or --over-wide reject)", reasons));
    }

    [[noreturn]] static void refuse_over_wide(const Job& job, int pool) {
        refuse_value(place(job, "gpus"), fmt::format("{}", job.gpus),
                     fmt::format("at most {}, the largest pool it may run on (or --over-wide reject|clamp)", pool));
    }

 private:
    static std::string place(const Job& job, std::string_view column) { return fmt::format("job {}, {}", job.id, column); }

    /// Why the type cannot run the job.
    std::string obstacle(const Job& job, GpuTypeId type) const {
        const int pool = capacity_[type.index()];
        if (pool < std::max(job.gpus, 1)) { return fmt::format("{} GPUs in all", pool); }
        return profiled_on(job.model, cluster_.type(type).name) ? "no profiled size fits its memory" : "no profile";
    }

    GpuTypeId require_type(const Job& job, std::string_view column, Name name) const {
        if (const auto id = cluster_.find(name.text())) { return *id; }
        refuse_value(place(job, column), name.text(), expected_name(name.text(), types_));
    }

    [[noreturn]] void refuse_model(const Job& job) const {
        std::vector<std::string_view> models;
        for (const auto& [model, profile] : profiles_) { models.push_back(model.text()); }
        const std::string expected = models.empty() ? "a profile of this model (none were given)" : expected_name(job.model.text(), models);
        refuse_value(place(job, "model"), job.model.text(), expected);
    }

    bool profiled_on(Name model, Name type) const {
        const auto profile = profiles_.find(model);
        return profile != profiles_.end() && profile->second->find(type) != nullptr;
    }

    const Cluster& cluster_;
    std::vector<int> capacity_;
    std::map<Name, const Profile*> profiles_;
    std::vector<std::string_view> types_;
    ProfileCostModel speeds_;
};

}  // namespace

TraceCheck check_trace(Trace& trace, const Cluster& cluster, const std::vector<Profile>& profiles, OverWide over_wide) {
    const Checker checker(cluster, profiles);
    TraceCheck result;
    for (Job& job : trace.jobs) {
        const auto types = checker.allowed(job);
        checker.check_reference(job);
        checker.check_profile(job);
        result.fractional += job.extras && job.extras->gpu_fraction < 1;
        result.alike += checker.runs_alike(job);
        const int pool = checker.largest_pool(types);
        if (!job.whole_pool() && job.gpus > pool) {
            if (over_wide == OverWide::kRefuse) { Checker::refuse_over_wide(job, pool); }
            ++result.over_wide;
            if (over_wide == OverWide::kReject) { continue; }
            job.gpus = pool;
            job.min_gpus = std::min(job.min_gpus, pool);
        }
        const auto runs = [&](GpuTypeId type) { return checker.runs_on(job, type); };
        if (std::any_of(types.begin(), types.end(), runs)) { continue; }
        if (over_wide != OverWide::kReject) { checker.refuse_unrunnable(job, types); }
        ++result.unrunnable;
    }
    return result;
}

}  // namespace medley::io
