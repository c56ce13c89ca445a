#pragma once
/// One training job as its user asked for it, and a trace: jobs over time.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/name.h"
#include "core/units.h"

namespace medley {

/// `gpus` of a job that takes all GPUs of whichever type it runs on (`pool` in a trace).
inline constexpr int kWholePool = 0;

/// What few jobs carry; kept apart so that a million plain jobs stay small.
struct JobExtras {
    std::vector<Name> gpu_types;          ///< allowed types; empty = any
    std::vector<std::string> depends_on;  ///< job ids that must finish first
    Name qos, partition, user, tenant, recorded_state;
    Name reservation;         ///< the site's reservation that it asked to run in
    Name array;               ///< the job array that it is a task of
    int array_limit = 0;      ///< tasks of its array that may run at a time; 0 = not stated
    int nodes = 0;            ///< nodes that its gang is spread over evenly; 0 = not stated
    int cpus = 0;             ///< CPUs in all; 0 = not stated
    double gpu_fraction = 1;  ///< share of each of its GPUs
    std::optional<SimTime> recorded_start,
        recorded_end;  ///< where the trace comes from, on the trace's clock; the end may be after the work
    std::vector<std::pair<Name, std::string>> unknown_columns;  ///< kept as read, in file order

    /// Is anything stated at all?
    bool says_anything() const { return *this != JobExtras{}; }
    bool operator==(const JobExtras&) const = default;
};

/// A job's work is either `steps` optimizer steps of `batch_size` samples, or `duration_s` seconds on its requested GPUs
/// (of `reference_gpu_type`, if stated).
struct Job {
    std::string id;
    SimTime submit;
    Name model;                   ///< empty = unknown
    Name reference_gpu_type;      ///< the type `duration` was measured on; empty = any
    int gpus = 1;                 ///< the gang, or kWholePool
    int min_gpus = 0;             ///< 0 = not stated: a rigid policy ignores it, an elastic one may go down to 1
    int max_gpus = 0;             ///< 0 = not stated: `gpus`
    std::int64_t batch_size = 0;  ///< samples per step, global; 0 = not stated
    std::int64_t steps = 0;       ///< 0 = the work is `duration`
    Seconds duration{0};
    double priority = 1;  ///< higher first
    double weight = 1;
    std::optional<Seconds> deadline;  ///< after submission
    std::optional<Seconds> walltime;  ///< declared limit
    std::shared_ptr<const JobExtras> extras;

    bool whole_pool() const { return gpus == kWholePool; }
    const std::vector<Name>& allowed_types() const;
    /// Throws medley::Error naming the column, the value and what was expected.
    void validate() const;
};

/// Jobs ordered by (submit, id with numbers as numbers); `order_jobs` establishes it, so shuffled inputs give the same bytes.
struct Trace {
    std::vector<Job> jobs;

    void order_jobs();
    /// Throws on duplicate ids and on dependencies that do not exist or go in a circle.
    void validate() const;
};

/// "job9" before "job10": runs of digits compare as numbers, the rest byte by byte; equal only if the texts are equal.
bool natural_less(const std::string& a, const std::string& b);

}  // namespace medley
